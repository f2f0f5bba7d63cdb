import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { Pause } from '../../../src/kernel/service-state/pause.js';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { Handled } from '../../support/queue/handled.js';
import { QueueApp, type QueueAppOrder } from '../../support/queue/queue-app.js';
import type { Pace } from '../../support/queue/queue-parts.js';
import { QueueProcess } from '../../support/queue/queue-process.js';
import { QUEUE_STORES } from '../../support/queue/queue-stores.js';
import { hasRedis } from '../../support/queue/redis-server.js';

/** Short, so that a killed worker is detected quickly. */
const SOON: Pace = { lockDuration: 1_000, stalledInterval: 500 };
/** Long, so that a slow machine does not exceed them. */
const LONG = { commandMs: 30_000, socketMs: 30_000 };

const system = new SystemClock();
const log = new PassThrough();
let logged = '';
log.on('data', (chunk: Buffer) => (logged += chunk.toString()));

describe.each(QUEUE_STORES)(`queue jobs ${hasRedis ? '' : '(no redis-server on PATH) '}%s`, (_, store) => {
  const open: QueueApp[] = [];
  const start = async (order: QueueAppOrder) => {
    const app = await QueueApp.start(
      store.url,
      { timeouts: LONG, ...order },
      createLog('debug', log),
      system,
    );
    open.push(app);
    return app;
  };
  beforeAll(() => store.start());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((resource) => resource.close()));
  });
  afterAll(() => store.drop());

  it('are processed once each, and leave nothing behind', async () => {
    const handled = new Handled();
    const app = await start({ queue: 'many', concurrency: 8, handler: handled.handler });
    const names = Array.from({ length: 1_200 }, (_, n) => `job-${n}`);
    await app.addAll(names);
    await handled.until(({ length }) => length === names.length);
    await app.drain();
    expect([...handled.names].sort()).toEqual([...names].sort());
    expect(await app.counts()).toEqual({ waiting: 0, delayed: 0, active: 0, oldestWaitingSeconds: null });
  });

  it('with the same id are one while the first waits, and may be added again when it is done', async () => {
    const producer = await start({ queue: 'same' });
    await Promise.all(Array.from({ length: 20 }, () => producer.add('same')));
    const counts = await producer.counts();
    expect(counts).toMatchObject({ waiting: 1, delayed: 0, active: 0 });
    expect(counts.oldestWaitingSeconds).toBeGreaterThanOrEqual(0);
    const handled = new Handled();
    await start({ queue: 'same', handler: handled.handler });
    await handled.until(({ length }) => length === 1);
    await until(async () => (await producer.counts()).active === 0);
    await producer.add('same');
    await handled.until(({ length }) => length === 2);
  });

  it('of a paused service wait until the pause ends, also those of a pause that begins later', async () => {
    const pause = new Pause();
    pause.set(new Date());
    const handled = new Handled();
    const app = await start({ queue: 'paused', handler: handled.handler, pause });
    // Of another installation in the same store: what it has handled shows that time has passed.
    const other = new Handled();
    const witness = await start({ queue: 'not-paused', handler: other.handler });
    const passed = async (name: string) => {
      await witness.add(name);
      await other.until((names) => names.includes(name));
    };
    await app.add('first');
    await passed('one');
    expect(handled.names).toEqual([]);
    pause.set(null);
    await handled.until((names) => names.includes('first'));
    pause.set(new Date());
    await app.add('second');
    await passed('two');
    expect(handled.names).toEqual(['first']);
    pause.set(null);
    await handled.until((names) => names.includes('second'));
  });

  it('are shared between workers', async () => {
    let begun = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => (meet = resolve));
    const handler = async () => {
      if (++begun === 2) meet();
      await met;
    };
    const [one] = await Promise.all([
      start({ queue: 'shared', handler }),
      start({ queue: 'shared', handler }),
    ]);
    await one.addAll(['first', 'second']);
    // Neither of the two would end if one worker had to take both.
    await met;
  });

  it('are left to a worker by an application that has the processor and not the worker role', async () => {
    const handled = new Handled();
    const api = await start({ queue: 'left', handler: () => Promise.reject(new Error()), worker: false });
    logged = '';
    await api.add('waiting');
    expect(await api.counts()).toMatchObject({ waiting: 1, active: 0 });
    await start({ queue: 'left', handler: handled.handler });
    await handled.until(({ length }) => length === 1);
    expect(logged).not.toContain('job failed');
  });

  it('are processed again when their worker was killed', async () => {
    const producer = await start({ queue: 'orphaned' });
    const other = new QueueProcess({ url: store.url, pace: SOON });
    await producer.add('held');
    expect(await other.holds()).toBe('held');
    await other.kill();
    const handled = new Handled();
    await start({ queue: 'orphaned', handler: handled.handler, pace: SOON });
    await handled.until((names) => names.includes('held'));
  });

  it('that were lost do not return, and later ones are processed', async () => {
    const producer = await start({ queue: 'forgotten' });
    await producer.add('lost');
    await store.clear();
    const handled = new Handled();
    await start({ queue: 'forgotten', concurrency: 2, handler: handled.handler });
    await producer.add('first');
    await handled.until((names) => names.includes('first'));
    await store.clear();
    await producer.add('second');
    await handled.until((names) => names.includes('second'));
    expect(handled.names).toEqual(['first', 'second']);
  });

  it('fail soon while the store is unavailable, and are processed when it is back', async () => {
    const handled = new Handled();
    const app = await start({ queue: 'interrupted', concurrency: 2, handler: handled.handler });
    await app.add('before');
    await handled.until((names) => names.includes('before'));
    await store.stop();
    await expect(app.add('during')).rejects.toThrow();
    await store.resume();
    await until(() => accepted(app.add('after')));
    await handled.until((names) => names.includes('after'));
  });

  it('are processed by an application that started while the store was unavailable', async () => {
    await store.stop();
    const handled = new Handled();
    const app = await start({ queue: 'late', handler: handled.handler });
    await expect(app.add('early')).rejects.toThrow();
    await store.resume();
    await until(() => accepted(app.add('late')));
    await handled.until((names) => names.includes('late'));
  });

  it('that fail are removed, and no error is stored', async () => {
    const handled = new Handled();
    const app = await start({
      queue: 'faulty',
      handler: async (data) => {
        await handled.handler(data);
        if (data.name === 'bad') throw new Error('jane.doe@private.example cannot be handled');
      },
    });
    logged = '';
    await app.addAll(['bad', 'good']);
    await handled.until(({ length }) => length === 2);
    const between = await store.dump();
    await until(async () => (await app.counts()).active === 0);
    expect(handled.names).toEqual(['bad', 'good']);
    expect(await app.counts()).toMatchObject({ waiting: 0, delayed: 0 });
    expect(logged).toContain('job failed');
    expect(logged + between + (await store.dump())).not.toContain('private.example');
  });

  it('that contain no ids fail once, and do not stop the queue', async () => {
    const producer = await start({ queue: 'poisoned' });
    await producer.addAll(['poisoned', 'good']);
    await store.poison('poisoned', 'poisoned');
    const handled = new Handled();
    logged = '';
    await start({ queue: 'poisoned', handler: handled.handler });
    await handled.until((names) => names.includes('good'));
    await until(async () => {
      const { waiting, active, delayed } = await producer.counts();
      return waiting + active + delayed === 0;
    });
    expect(handled.names).toEqual(['good']);
    expect(logged).toContain('the data of the job cannot be read');
  });

  it('that are running delay the shutdown, and their signal is aborted', async () => {
    const steps: string[] = [];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const app = await start({
      queue: 'ending',
      handler: async (_data, signal) => {
        begin();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        steps.push('aborted');
        await system.pause(50);
        steps.push('handled');
      },
    });
    await app.add('last');
    await begun;
    await app.drain();
    steps.push('drained');
    expect(steps).toEqual(['aborted', 'handled', 'drained']);
    // Jobs may still be added, for another process.
    await app.add('next');
    expect(await app.counts()).toMatchObject({ waiting: 1, active: 0 });
  });

  it('that are delayed are processed when they are due', async () => {
    const handled = new Handled();
    const app = await start({ queue: 'later', concurrency: 2, handler: handled.handler });
    const began = system.monotonicMs();
    await app.add('later', { delay: 500 });
    await app.add('now');
    await handled.until(({ length }) => length === 2);
    expect([...handled.names].sort()).toEqual(['later', 'now']);
    expect(system.monotonicMs() - began).toBeGreaterThan(400);
  });

  it('are processed by priority, those without one first', async () => {
    const producer = await start({ queue: 'urgent' });
    await producer.add('third', { priority: 9 });
    await producer.add('second', { priority: 2 });
    await producer.add('first');
    const handled = new Handled();
    await start({ queue: 'urgent', handler: handled.handler });
    await handled.until(({ length }) => length === 3);
    expect(handled.names).toEqual(['first', 'second', 'third']);
  });

  it('keep no connection open once the application is closed', async () => {
    const handled = new Handled();
    const app = await start({ queue: 'ended', concurrency: 2, handler: handled.handler });
    await app.add('last');
    await handled.until(({ length }) => length === 1);
    await Promise.all(open.splice(0).map((resource) => resource.close()));
    await until(async () => (await store.connections()) === 0);
  });
});

function accepted(adding: Promise<void>): Promise<boolean> {
  return adding.then(
    () => true,
    () => false,
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await system.pause(20);
}
