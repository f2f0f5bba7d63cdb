import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Client } from 'pg';
import { BackendWorker } from '../../../src/platform/queue/backend-worker.js';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { aBackend } from '../../support/queue/queue-parts.js';
import { QUEUE_STORES } from '../../support/queue/queue-stores.js';

const [, store] = QUEUE_STORES[0]!;
let client: Client;
beforeAll(async () => {
  await store.start();
  client = new Client({ connectionString: store.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await store.drop();
});

async function aWorker(queue: string) {
  const output = new PassThrough({ encoding: 'utf8' });
  const connection = await aBackend(store.url, createLog('warn', output), new SystemClock());
  const worker = new BackendWorker(queue, async () => undefined, { connection });
  return { worker, failed: once(worker, 'error'), end: () => connection.close(), output };
}

const WAITING = `FROM pg_locks WHERE NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Resolves when so many statements wait for a lock. */
async function untilWaiting(statements: number): Promise<void> {
  const { rowCount } = await client.query(`SELECT 1 ${WAITING}`);
  if ((rowCount ?? 0) < statements) return untilWaiting(statements);
}

it('a worker says that its store fails, unless the process has ended it before', async () => {
  await client.query('BEGIN; LOCK TABLE bullmq.job, bullmq.meta, bullmq.event IN ACCESS EXCLUSIVE MODE');
  const [running, ended] = [await aWorker('running'), await aWorker('ended')];
  await untilWaiting(4);
  await ended.worker.drain(1_000);
  await client.query(`SELECT pg_terminate_backend(pid) ${WAITING}`);
  await Promise.all([running.failed, ended.failed]);
  expect(JSON.parse(String(running.output.read()))).toMatchObject({
    queue: 'running',
    msg: 'the store of the queue failed',
    err: { code: '57P01' },
  });
  expect(ended.output.read()).toBe(null);
  await client.query('ROLLBACK');
  await running.worker.drain(1_000);
  await Promise.all([running.end(), ended.end()]);
});
