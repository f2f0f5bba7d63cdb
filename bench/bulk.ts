import autocannon from 'autocannon';
import { createPostgresBackend, Queue, Worker } from 'bullmq';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { BulkJobResponse } from '../src/modules/bulk/bulk.dto.js';
import { jsonList } from '../src/modules/bulk/adapters/json-list.js';
import { emptyHeader } from '../src/modules/bulk/domain/list-reader.js';
import { ADDRESSES_PER_CHUNK } from '../src/modules/bulk/domain/hash-range.js';
import { copyRows } from '../src/platform/database/copy-rows.js';
import { EmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import { makeOriginal } from '../test/support/original-database.js';
import { BulkFleet, QUEUE_BACKENDS, type QueueBackendName } from '../test/support/bulk-fleet.js';
import { hasRedis } from '../test/support/redis-server.js';

/**
 * Measures bulk jobs and their parts: parsing, COPY into tables with the same keys, and the queue with
 * one job per chunk. Uses test-mode verdicts, so no mail server is measured. API and worker are separate
 * processes.
 *
 *     npm run build && npx tsx bench/bulk.ts [rows of the largest list, default 1,000,000]
 */
const LARGEST = Number(process.argv[2] ?? 1_000_000);
const ROWS = 100_000;
const ROUNDS = 3;
const SINGLE_RATE = 50;
const SINGLE_SECONDS = 10;

const emailOf = (n: number) => `person${n}.name@domain${n % 5_000}.example.com`;
const listOf = (rows: number) => Array.from({ length: rows }, (_, n) => emailOf(n));
const rate = (rows: number, ms: number) => Math.round((rows / ms) * 1000);

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  process.env.RCPT_TEST_DATABASE = server.url;
  await makeOriginal(server.url);
  process.env.RCPT_TEST_LOG = '/dev/null';
  try {
    for (const backend of QUEUE_BACKENDS.filter((each) => each !== 'Redis' || hasRedis)) {
      console.log(`\nqueue on ${backend}`);
      console.table(await endToEnd(backend));
      console.table(await besideSingles(backend));
    }
    console.log('\npeak memory, queue on PostgreSQL');
    console.table(await peaks());
  } finally {
    await server.close();
    await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Alternates the runs, so that noise affects all of them. */
async function endToEnd(backend: QueueBackendName) {
  const fleet = await BulkFleet.start(backend, 1);
  const { test_key: key } = await fleet.anAccount('unlimited');
  const emails = listOf(ROWS);
  const rows = [];
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const baseline = await parseAndCopy(fleet.database, emails);
      const began = performance.now();
      const id = await fleet.submit(emails, key);
      const submitMs = performance.now() - began;
      await ended(fleet, id, key);
      const wholeMs = performance.now() - began;
      const copyMs = await copyResults(fleet.database, id);
      const queueMs = await moveRings(fleet, Math.ceil(ROWS / ADDRESSES_PER_CHUNK));
      await erase(fleet, id, key);
      rows.push({
        round,
        'submit ms': Math.round(submitMs),
        'parse + COPY ms': Math.round(baseline),
        'submit ÷ that': (submitMs / baseline).toFixed(2),
        'rows/s end to end': rate(ROWS, wholeMs),
        'rows/s COPY of results': rate(ROWS, copyMs),
        'rows/s BullMQ moving chunks': rate(ROWS, queueMs),
        'end to end ÷ slower': (Math.max(copyMs, queueMs) / wholeMs).toFixed(2),
      });
    }
  } finally {
    await fleet.stop();
  }
  return rows;
}

/** Baseline: the same bytes with the same parser, and the same rows into a table with the same keys. */
async function parseAndCopy(truth: DataSource, emails: readonly string[]): Promise<number> {
  await truth.query(
    'DROP TABLE IF EXISTS plain_rows; CREATE TABLE plain_rows (LIKE bulk_rows INCLUDING ALL)',
  );
  const bytes = Buffer.from(JSON.stringify({ emails }));
  const rows = emails.map((email, index) => ({ index, email, hash: randomHash() }));
  const began = performance.now();
  let parsed = 0;
  for await (const entries of jsonList(inPieces(bytes), emptyHeader())) parsed += entries.length;
  if (parsed !== emails.length) throw new Error('the list was not read whole');
  await copyRows(
    truth.manager,
    'plain_rows (list, idx, address, email, ref)',
    rows,
    ({ index, hash, email }) => [1, index, hash, email, null],
  );
  return performance.now() - began;
}

async function copyResults(truth: DataSource, id: string): Promise<number> {
  await truth.query(
    'DROP TABLE IF EXISTS plain_results; CREATE TABLE plain_results (LIKE bulk_results INCLUDING ALL)',
  );
  const rows = await truth.query<{ address: Buffer; reason: string; verdict: object }[]>(
    'SELECT address, reason, verdict FROM bulk_results WHERE substring(address FOR 8) = (SELECT int8send(list) FROM bulk_jobs WHERE id = $1)',
    [id],
  );
  const texts = rows.map((row) => ({ ...row, verdict: JSON.stringify(row.verdict) }));
  const began = performance.now();
  await copyRows(
    truth.manager,
    'plain_results (address, reason, asked, verdict)',
    texts,
    ({ address, reason, verdict }) => [address, reason, false, verdict],
  );
  return performance.now() - began;
}

/** Baseline: BullMQ alone with one job per chunk. */
async function moveRings(fleet: BulkFleet, count: number): Promise<number> {
  const connection =
    fleet.redis === null
      ? { connectionString: (fleet.database.options as { url?: string }).url ?? '', max: 10 }
      : { url: fleet.redis.url, maxRetriesPerRequest: null };
  const factory = fleet.redis === null ? createPostgresBackend : undefined;
  const name = `bench-${performance.now()}`.replace('.', '-');
  const queue = new Queue(name, { connection, skipVersionCheck: true }, factory as never);
  const began = performance.now();
  await queue.addBulk(
    Array.from({ length: count }, (_, n) => ({
      name: 'ring',
      data: { n },
      opts: { jobId: `chunk-${n}`, removeOnComplete: true },
    })),
  );
  let done = 0;
  let worker: Worker | undefined;
  await new Promise<void>((resolve) => {
    const tick = async () => {
      if (++done === count) resolve();
    };
    const options = { connection: connection as never, concurrency: 4, skipVersionCheck: true };
    worker = new Worker(name, tick, options, factory as never);
  });
  const ms = performance.now() - began;
  await worker?.close();
  await queue.close();
  return ms;
}

/** Single calls at a constant rate, alone and during a list of 100,000. */
async function besideSingles(backend: QueueBackendName) {
  const fleet = await BulkFleet.start(backend, 1);
  const { test_key: key } = await fleet.anAccount('unlimited');
  const measure = async () => {
    const { latency, non2xx, errors } = await autocannon({
      url: `${fleet.url}/v1/verify?email=jane@example.com`,
      headers: { authorization: `Bearer ${key}` },
      connections: 5,
      overallRate: SINGLE_RATE,
      duration: SINGLE_SECONDS,
    });
    return {
      'p50 ms': latency.p50,
      'p97.5 ms': latency.p97_5,
      'p99 ms': latency.p99,
      failed: non2xx + errors,
    };
  };
  try {
    await measure();
    const idle = await measure();
    const jobs = await Promise.all([1, 2, 3].map(() => fleet.submit(listOf(ROWS), key)));
    const beside = await measure();
    for (const id of jobs) await erase(fleet, id, key);
    return [
      { when: 'idle', ...idle },
      { when: 'beside lists', ...beside },
    ];
  } finally {
    await fleet.stop();
  }
}

/** Peak memory for each size, in new processes, as reported by the kernel. */
async function peaks() {
  const rows = [];
  for (const size of [10_000, ROWS, LARGEST]) {
    const fleet = await BulkFleet.start('PostgreSQL', 1);
    try {
      const { test_key: key } = await fleet.anAccount('unlimited');
      const began = performance.now();
      const id = await fleet.submitStreamed(pieces(size), key);
      const submitMs = performance.now() - began;
      await ended(fleet, id, key);
      const wholeMs = performance.now() - began;
      const streamed = await fleet.countCsv(id, key);
      rows.push({
        rows: size,
        'API MB': await peakOf(fleet.api.child.pid),
        'worker MB': await peakOf(fleet.workers[0]?.child.pid),
        'submit s': (submitMs / 1000).toFixed(1),
        'rows/s end to end': rate(size, wholeMs),
        'CSV lines': streamed,
      });
    } finally {
      await fleet.stop();
    }
  }
  return rows;
}

async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function ended(fleet: BulkFleet, id: string, key: string): Promise<void> {
  while ((await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key)).finished_at === null) await pause(50);
}

async function erase(fleet: BulkFleet, id: string, key: string): Promise<void> {
  await fetch(`${fleet.url}/v1/bulk-jobs/${id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${key}` },
  });
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
}

function* pieces(rows: number): Generator<string> {
  for (let n = 0; n < rows; n++) yield `"${emailOf(n)}"\n`;
}

function randomHash(): Buffer {
  const hash = Buffer.alloc(44);
  for (let at = 8; at < 44; at += 4) hash.writeUInt32BE(Math.floor(Math.random() * 2 ** 32), at);
  return hash;
}

await main();
