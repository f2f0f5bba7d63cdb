import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { Redis } from 'ioredis';
import { HealthRegistry } from '../../../src/kernel/service-state/health-registry.js';
import { RedisQueueBackend } from '../../../src/platform/queue/redis-queue-backend.js';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { Handled } from '../../support/queue/handled.js';
import { QueueApp } from '../../support/queue/queue-app.js';
import { RedisStore } from '../../support/queue/queue-stores.js';
import { hasRedis } from '../../support/queue/redis-server.js';

/** Short, so that a stalled job is detected quickly. */
const SOON = { lockDuration: 1_000, stalledInterval: 500 };
/** Long, so that a slow machine does not exceed them. */
const LONG = { commandMs: 30_000, socketMs: 30_000 };

const system = new SystemClock();
const log = new PassThrough();
let logged = '';
log.on('data', (chunk: Buffer) => (logged += chunk.toString()));

it('a Redis that rejects connections does not end a worker, on either connection', async () => {
  const backend = new RedisQueueBackend(
    'redis://127.0.0.1:1',
    new HealthRegistry(),
    createLog('info', log),
    system,
  );
  const { connection, end } = backend.workerConnection();
  const waiting = (connection as Redis).duplicate();
  // As when it answers before it was asked, in protected mode: after BullMQ has closed the connection.
  for (const redis of [connection as Redis, waiting]) redis.emit('error', new Error('DENIED'));
  await end();
});

// Needs a real Redis; without one, the suite names of job-queue.spec.ts say so.
if (hasRedis) {
  it('a job that cannot be parsed does not stop the queue', async () => {
    const store = new RedisStore();
    await store.start();
    const { url } = store;
    const handled = new Handled();
    const order = { queue: 'unreadable', timeouts: LONG };
    const producer = await QueueApp.start(url, order, createLog('info', log), system);
    await producer.addAll(['unreadable', 'good']);
    await store.poison('unreadable', 'unreadable', '{"no": ');
    const worker = { ...order, handler: handled.handler, pace: SOON };
    const app = await QueueApp.start(url, worker, createLog('info', log), system);
    await handled.until((names) => names.includes('good'));
    expect(handled.names).toEqual(['good']);
    await Promise.all([app.close(), producer.close()]);
    await store.drop();
  });

  it('a queue that was paused, or whose key has a wrong type, is degraded with its name', async () => {
    const store = new RedisStore();
    await store.start();
    const health = new HealthRegistry();
    const handled = new Handled();
    const order = { queue: 'still', timeouts: LONG, health, handler: handled.handler };
    const app = await QueueApp.start(store.url, order, createLog('info', log), system);
    const seen = async () => {
      await app.look();
      return { status: health.statuses().queue, reason: health.reasons().queue };
    };
    expect((await seen()).status).toBe('ok');
    await app.pause();
    await app.add('old', { timestamp: Date.now() - 600_000 });
    expect(await seen()).toEqual({
      status: 'degraded',
      reason: expect.stringMatching(/^jobs of still have waited for 60\d s .* resume the queue$/),
    });
    const redis = new Redis(store.url);
    const keys = await redis.keys('*:still:*');
    for (const key of keys.filter((name) => /:(?:wait|paused|prioritized)$/.test(name)))
      await redis.set(key, 'text');
    expect((await seen()).reason).toMatch(/^the jobs of still in Redis have a wrong type/);
    await redis.quit();
    await app.close();
    await store.drop();
  });

  it('an interruption of Redis is logged', async () => {
    const store = new RedisStore();
    await store.start();
    const health = new HealthRegistry();
    logged = '';
    const order = { queue: 'any', health, timeouts: LONG };
    const app = await QueueApp.start(store.url, order, createLog('info', log), system);
    expect(health.statuses()).toMatchObject({ redis: 'ok' });
    await store.stop();
    await until(async () => health.statuses().redis === 'degraded');
    await store.resume();
    await until(async () => health.statuses().redis === 'ok');
    await app.close();
    await store.drop();
    const messages = logged.match(/Redis is (not available|available again)/g);
    expect(messages).toEqual(['Redis is not available', 'Redis is available again']);
  });

  it('a Redis that does not answer does not block enqueueing', async () => {
    const mute = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    const app = await QueueApp.start(url, { queue: 'mute' }, createLog('info', log), system);
    await expect(app.add('unheard')).rejects.toThrow();
    await app.close();
    mute.close();
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await system.pause(20);
}
