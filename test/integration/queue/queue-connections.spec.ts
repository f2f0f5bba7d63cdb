import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { BackendWorker } from '../../../src/platform/queue/backend-worker.js';
import { BackendQueue, type QueueBackend } from '../../../src/platform/queue/queue-backend.js';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { Handled } from '../../support/queue/handled.js';
import { aBackend } from '../../support/queue/queue-parts.js';
import { QUEUE_STORES } from '../../support/queue/queue-stores.js';

const QUEUES = ['one', 'two', 'three', 'four'];

const [, store] = QUEUE_STORES[0]!;
let backend: QueueBackend;
let handled: Handled;
let queues: BackendQueue[];
beforeAll(() => store.start());
afterAll(() => store.drop());
beforeEach(async () => {
  backend = await aBackend(store.url, createLog('error', new PassThrough()), new SystemClock());
  handled = new Handled();
  queues = QUEUES.map((name) => new BackendQueue(name, { connection: backend }));
  for (const name of QUEUES)
    new BackendWorker(name, ({ data }) => handled.handler(data as { name: string }), {
      connection: backend,
      concurrency: 8,
    });
});
afterEach(async () => {
  await Promise.all([...backend.workers].map((worker) => worker.drain(1_000)));
  await Promise.all(queues.map((queue) => queue.close()));
  await backend.close();
});

const addToAll = (count: number, prefix: string) =>
  Promise.all(
    queues.map((queue) =>
      queue.addBulk(
        Array.from({ length: count }, (_, n) => ({
          name: 'do-something',
          data: { name: `${prefix}-${queue.name}-${n}` },
          opts: { removeOnComplete: true },
        })),
      ),
    ),
  );

it('all queues of a process add and process their jobs with three connections to PostgreSQL', async () => {
  const counts = new Set<number>();
  const adding = addToAll(60, 'busy');
  for (let looked = 0; looked < 20; looked++) counts.add(await store.connections());
  await adding;
  await handled.until(({ length }) => length === 60 * QUEUES.length);
  counts.add(await store.connections());
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});

it('a worker that ends leaves the others their connections', async () => {
  const [ended] = backend.workers;
  await ended!.drain(1_000);
  await addToAll(1, 'left');
  await handled.until(({ length }) => length === QUEUES.length - 1);
  expect(handled.names).not.toContain('left-one-0');
  await queues[0]!.obliterate({ force: true });
});

it('all workers listen again after the connections were lost', async () => {
  await addToAll(1, 'before');
  await handled.until(({ length }) => length === QUEUES.length);
  await store.stop();
  await store.resume();
  await untilAdded(() => addToAll(1, 'after'));
  await handled.until((names) => QUEUES.every((name) => names.includes(`after-${name}-0`)));
});

/** The first attempt may meet a connection that is lost. */
async function untilAdded(add: () => Promise<unknown>): Promise<void> {
  await add().catch(() => untilAdded(add));
}
