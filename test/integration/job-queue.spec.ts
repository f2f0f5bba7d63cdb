import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Redis } from 'ioredis';
import { HealthRegistry } from '../../src/kernel/health-registry.js';
import type { BullJobQueue, Pace } from '../../src/platform/queue/bull-job-queue.js';
import { RedisQueueBackend } from '../../src/platform/queue/redis-queue-backend.js';
import { createLog } from '../../src/platform/telemetry/log.js';
import { SystemClock } from '../../src/platform/time/system-clock.js';
import { aQueue } from '../support/queue-parts.js';
import { QueueProcess } from '../support/queue-process.js';
import { QUEUE_STORES, RedisStore } from '../support/queue-stores.js';
import { hasRedis } from '../support/redis-server.js';

/** A killed worker is found soon. */
const SOON: Pace = { lockMs: 1_000, lookMs: 500 };

const system = new SystemClock();
const log = new PassThrough();
let logged = '';
log.on('data', (chunk: Buffer) => (logged += chunk.toString()));

/** What a handler was told, and a way to wait for more. */
class Heard {
  readonly names: (string | number | undefined)[] = [];
  private readonly watchers = new Set<() => void>();

  readonly handler = async (data: Readonly<Record<string, string | number>>): Promise<void> => {
    this.names.push(data.name);
    for (const watcher of this.watchers) watcher();
  };

  async until(enough: (names: Heard['names']) => boolean): Promise<void> {
    while (!enough(this.names)) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }
}

const ring = (name: string) => ({ id: name, data: { name } });

describe.each(QUEUE_STORES)(`rings ${hasRedis ? '' : '(no redis-server on PATH) '}%s`, (_, store) => {
  const open: BullJobQueue[] = [];
  const queue = (pace?: Pace, health?: HealthRegistry) => {
    const made = aQueue({ url: store.url, pace }, createLog('debug', log), system, health);
    open.push(made);
    return made;
  };
  beforeAll(() => store.start());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  afterAll(() => store.drop());

  it('arrive, each once, and leave nothing behind', async () => {
    const bell = queue();
    const heard = new Heard();
    bell.work('many', 8, heard.handler);
    const names = Array.from({ length: 1_200 }, (_, n) => `ring-${n}`);
    await bell.addAll('many', names.map(ring));
    await heard.until(({ length }) => length === names.length);
    await bell.drain();
    expect([...heard.names].sort()).toEqual([...names].sort());
    expect(await bell.counts('many')).toEqual({
      waiting: 0,
      delayed: 0,
      active: 0,
      oldestWaitingSeconds: null,
    });
  });

  it('of one id are one while the first waits, and may be rung again when it is over', async () => {
    const bell = queue();
    await Promise.all(Array.from({ length: 20 }, () => bell.add('same', ring('same'))));
    const counts = await bell.counts('same');
    expect(counts).toMatchObject({ waiting: 1, delayed: 0, active: 0 });
    expect(counts.oldestWaitingSeconds).toBeGreaterThanOrEqual(0);
    const heard = new Heard();
    bell.work('same', 1, heard.handler);
    await heard.until(({ length }) => length === 1);
    await until(async () => (await bell.counts('same')).active === 0);
    await bell.add('same', ring('same'));
    await heard.until(({ length }) => length === 2);
  });

  it('are shared by those who work', async () => {
    const [one, two] = [queue(), queue()];
    let begun = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => (meet = resolve));
    const handler = async () => {
      if (++begun === 2) meet();
      await met;
    };
    one.work('shared', 1, handler);
    two.work('shared', 1, handler);
    await one.addAll('shared', [ring('first'), ring('second')]);
    // Neither of the two would end if one worker had to take both.
    await met;
  });

  it('come back when who held them was killed', async () => {
    const bell = queue(SOON);
    const other = new QueueProcess({ url: store.url, pace: SOON });
    await bell.add('orphaned', ring('held'));
    expect(await other.holds()).toBe('held');
    await other.kill();
    const heard = new Heard();
    bell.work('orphaned', 1, heard.handler);
    await heard.until((names) => names.includes('held'));
  });

  it('that were forgotten are lost, and later ones arrive', async () => {
    const bell = queue();
    await bell.add('forgotten', ring('lost'));
    await store.forget();
    const heard = new Heard();
    bell.work('forgotten', 2, heard.handler);
    await bell.add('forgotten', ring('first'));
    await heard.until((names) => names.includes('first'));
    await store.forget();
    await bell.add('forgotten', ring('second'));
    await heard.until((names) => names.includes('second'));
    expect(heard.names).toEqual(['first', 'second']);
  });

  it('fail soon while the store is away, and arrive again when it is back', async () => {
    const bell = queue();
    const heard = new Heard();
    bell.work('interrupted', 2, heard.handler);
    await bell.add('interrupted', ring('before'));
    await heard.until((names) => names.includes('before'));
    await store.stop();
    await expect(bell.add('interrupted', ring('during'))).rejects.toThrow();
    await store.resume();
    await until(() =>
      bell.add('interrupted', ring('after')).then(
        () => true,
        () => false,
      ),
    );
    await heard.until((names) => names.includes('after'));
  });

  it('wait for nobody who began when the store was away', async () => {
    await store.stop();
    const bell = queue();
    await bell.open();
    const heard = new Heard();
    bell.work('late', 1, heard.handler);
    await expect(bell.add('late', ring('early'))).rejects.toThrow();
    await store.resume();
    await until(() =>
      bell.add('late', ring('late')).then(
        () => true,
        () => false,
      ),
    );
    await heard.until((names) => names.includes('late'));
  });

  it('that a handler could not take are over, and nothing of why is kept', async () => {
    const bell = queue();
    const heard = new Heard();
    logged = '';
    bell.work('faulty', 1, async (data) => {
      await heard.handler(data);
      if (data.name === 'bad') throw new Error('jane.doe@private.example cannot be handled');
    });
    await bell.addAll('faulty', [ring('bad'), ring('good')]);
    await heard.until(({ length }) => length === 2);
    expect(heard.names).toEqual(['bad', 'good']);
    await until(async () => (await bell.counts('faulty')).active === 0);
    expect(logged).toContain('a ring was not handled');
    expect(logged + (await store.dump())).not.toContain('private.example');
  });

  it('that cannot be read are over, and stop nobody', async () => {
    const bell = queue();
    await bell.addAll('poisoned', [ring('poisoned'), ring('good')]);
    await store.poison('poisoned', 'poisoned');
    const heard = new Heard();
    logged = '';
    bell.work('poisoned', 1, heard.handler);
    await heard.until((names) => names.includes('good'));
    await until(async () => {
      const { waiting, active } = await bell.counts('poisoned');
      return waiting + active === 0;
    });
    expect(heard.names).toEqual(['good']);
    expect(logged).toContain('a ring says nothing that can be read');
  });

  it('that are being handled hold up the end, and are told of it', async () => {
    const bell = queue();
    const steps: string[] = [];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    bell.work('ending', 1, async (_data, signal) => {
      begin();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      steps.push('told');
      await system.pause(50);
      steps.push('handled');
    });
    await bell.add('ending', ring('last'));
    await begun;
    await bell.drain();
    steps.push('rests');
    expect(steps).toEqual(['told', 'handled', 'rests']);
    // Others may still ring, for whoever comes next.
    await bell.add('ending', ring('next'));
    expect(await bell.counts('ending')).toMatchObject({ waiting: 1, active: 0 });
  });

  it('that are put off come when they are due', async () => {
    const bell = queue();
    const heard = new Heard();
    bell.work('later', 2, heard.handler);
    const start = system.monotonicMs();
    await bell.add('later', { ...ring('later'), delayMs: 500 });
    await bell.add('later', ring('now'));
    await heard.until(({ length }) => length === 2);
    expect([...heard.names].sort()).toEqual(['later', 'now']);
    expect(system.monotonicMs() - start).toBeGreaterThan(400);
  });

  it('come in the order of their urgency, those without one first', async () => {
    const bell = queue();
    await bell.addAll('urgent', [
      { ...ring('third'), priority: 9 },
      { ...ring('second'), priority: 2 },
      ring('first'),
    ]);
    const heard = new Heard();
    bell.work('urgent', 1, heard.handler);
    await heard.until(({ length }) => length === 3);
    expect(heard.names).toEqual(['first', 'second', 'third']);
  });

  it('keep no connection once the queue is closed', async () => {
    const bell = queue();
    const heard = new Heard();
    bell.work('left', 2, heard.handler);
    await bell.add('left', ring('last'));
    await heard.until(({ length }) => length === 1);
    await bell.close();
    await until(async () => (await store.connections()) === 0);
  });
});

it('a Redis that turns every connection away ends nobody who works, on either connection', async () => {
  const backend = new RedisQueueBackend('redis://127.0.0.1:1', new HealthRegistry(), createLog('info', log));
  const { connection, end } = backend.workerConnection();
  const waiting = (connection as Redis).duplicate();
  // As when it answers before it was asked, in protected mode: after BullMQ has given the connection up.
  for (const each of [connection as Redis, waiting]) each.emit('error', new Error('DENIED'));
  waiting.disconnect();
  await end();
});

// What only a real Redis can show; without one, the names of the suites above say so.
if (hasRedis) {
  it('a Redis that goes and comes back is told to the operator', async () => {
    const store = new RedisStore();
    await store.start();
    const health = new HealthRegistry();
    logged = '';
    const bell = aQueue({ url: store.url }, createLog('info', log), system, health);
    await bell.open();
    expect(health.statuses()).toEqual({ redis: 'ok' });
    await store.stop();
    await until(async () => health.statuses().redis === 'degraded');
    await store.resume();
    await until(async () => health.statuses().redis === 'ok');
    await bell.close();
    await store.drop();
    const told = logged.match(/Redis (does not answer|answers again)/g);
    expect(told).toEqual(['Redis does not answer', 'Redis answers again']);
  });

  it('a Redis that keeps silent holds up nobody who rings', async () => {
    const mute = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const bell = aQueue({ url: `redis://127.0.0.1:${port}` }, createLog('info', log), system);
    await bell.open();
    const start = system.monotonicMs();
    await expect(bell.add('mute', ring('unheard'))).rejects.toThrow();
    expect(system.monotonicMs() - start).toBeLessThan(5_000);
    await bell.close();
    mute.close();
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await system.pause(20);
}
