import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { jsonList } from '../src/platform/list-files/json-list.js';
import { copyRows } from '../src/platform/database/transactions/copy-rows.js';
import { BulkFleet, QUEUE_BACKENDS, type QueueBackendName } from '../test/support/processes/bulk-fleet.js';
import { hasRedis } from '../test/support/queue/redis-server.js';
import { ended, listOf, rate } from './bulk/lists.js';
import { peaks } from './bulk/memory.js';
import { readings } from './bulk/reading.js';
import { postmasterOf, processorMs, serverMs } from './bulk/processor-time.js';
import { withDatabase } from './embedded-database.js';
import { autocannon } from './load.js';

/**
 * Measures lists with a test key, so that no mail server is measured. API and worker are separate
 * processes, and share the processors with PostgreSQL and this program.
 *
 *     npm run build && npm run ts -- bench/bulk.ts [--rows 100000] [--rounds 3] [--singles] [--memory 1000000]
 *
 * First the time of reading a row, without a service. Then a table with one line per round:
 * - `submit ÷ parse + COPY`: the time of the submission, divided by that of parsing the same bytes and
 *   copying the same rows into a table with the same keys. Goal: at most 1.5.
 * - `rows/s`: from the acceptance of the list to its end, by one worker. Goal: 20,000.
 * - `rows/s COPY`: COPY of the same results into a table with the same key, by one connection.
 *
 * Last table: µs of processor time per row of each process while the list is submitted, while it is
 * verified, and for parse + COPY and COPY of results in this process.
 *
 * `--singles` measures the latency of single calls beside lists, on each queue; `--memory` the peak memory
 * of API and worker for one list of 10,000 rows, for this many rows in lists of 10,000, and for one list of
 * this many. Goal: at most 1.1 times that of 10,000 rows. The heap of V8 also grows with the time that a
 * process works; the second line shows that part.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    singles: { type: 'boolean', default: false },
    memory: { type: 'string' },
  },
});
const ROWS = Number(options.rows);
const ROUNDS = Number(options.rounds);
const SINGLE_RATE = 50;
const SINGLE_SECONDS = 10;

async function main(): Promise<void> {
  console.log('\nreading a list');
  console.table(await readings(ROWS));
  await endToEnd();
  if (options.singles) {
    for (const backend of QUEUE_BACKENDS.filter((backend) => backend !== 'Redis' || hasRedis)) {
      console.log(`\nsingle calls, queue on ${backend}`);
      console.table(await besideSingles(backend));
    }
  }
  if (options.memory !== undefined) {
    console.log('\npeak memory');
    console.table(await peaks(Number(options.memory)));
  }
}

/** Alternates the runs, so that noise affects all of them. */
async function endToEnd(): Promise<void> {
  const fleet = await BulkFleet.start('PostgreSQL', 1, {}, true);
  const { test_key: key } = await fleet.anAccount('unlimited');
  const emails = listOf(ROWS);
  const postmaster = await postmasterOf(fleet.database);
  const measure: Measure = (work) => measured(fleet, postmaster, work);
  const times = [];
  const costs = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      let id = '';
      const baseline = await parseAndCopy(fleet.database, emails, measure);
      const submitted = await measure(async () => void (id = await fleet.submit(emails, key)));
      const verified = await measure(() => ended(fleet, id, key));
      const copied = await copyResults(fleet.database, id, measure);
      await erase(fleet, id, key);
      // Otherwise a sweep deletes the rows during a later round.
      await fleet.database.query('TRUNCATE bulk_rows, bulk_results, bulk_row_reasons');
      await fleet.database.query('VACUUM ANALYZE');
      // The first round compiles the code.
      if (round === 0) continue;
      times.push({
        round,
        'submit ms': Math.round(submitted.ms),
        'parse + COPY ms': Math.round(baseline.ms),
        'submit ÷ parse + COPY': (submitted.ms / baseline.ms).toFixed(2),
        'rows/s': rate(ROWS, verified.ms),
        'rows/s with submission': rate(ROWS, submitted.ms + verified.ms),
        'rows/s COPY': rate(ROWS, copied.ms),
      });
      costs.push({
        round,
        'submit: API': submitted.api,
        'submit: PostgreSQL': submitted.postgres,
        'verify: worker': verified.worker,
        'verify: PostgreSQL': verified.postgres,
        'verify: WAL bytes': verified.wal,
        'parse + COPY: here': baseline.here,
        'parse + COPY: PostgreSQL': baseline.postgres,
        'COPY: here': copied.here,
        'COPY: PostgreSQL': copied.postgres,
      });
    }
  } finally {
    await fleet.stop();
  }
  console.log(`\n${ROWS} rows with a test key`);
  console.table(times);
  console.log('\nprocessor time, µs per row');
  console.table(costs);
}

/** Time in ms, processor time in µs per row, WAL in bytes per row. */
interface Cost {
  ms: number;
  api: number;
  worker: number;
  postgres: number;
  here: number;
  wal: number;
}

type Measure = (work: () => Promise<void>) => Promise<Cost>;

async function measured(fleet: BulkFleet, postmaster: number, work: () => Promise<void>): Promise<Cost> {
  const read = async () => {
    const { user, system } = process.cpuUsage();
    const [row] = await fleet.database.query<{ wal: string }[]>(
      "SELECT pg_current_wal_insert_lsn() - '0/0' AS wal",
    );
    return [
      await processorMs(fleet.api.child.pid),
      await processorMs(fleet.workers[0]?.child.pid),
      await serverMs(postmaster),
      (user + system) / 1000,
      Number(row?.wal) / 1000,
    ];
  };
  const before = await read();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  const after = await read();
  const [api = 0, worker = 0, postgres = 0, here = 0, wal = 0] = after.map((value, n) =>
    Math.round(((value - (before[n] ?? 0)) * 1000) / ROWS),
  );
  return { ms, api, worker, postgres, here, wal };
}

/** Baseline: the same bytes with the same parser, and the same rows into a table with the same keys. */
async function parseAndCopy(truth: DataSource, emails: readonly string[], measure: Measure): Promise<Cost> {
  await emptyCopyOf(truth, 'bulk_rows');
  const bytes = Buffer.from(JSON.stringify({ emails }));
  const rows = emails.map((email, index) => ({ index, email, hash: randomHash() }));
  return measure(async () => {
    let parsed = 0;
    for await (const { entries } of jsonList(inPieces(bytes))) parsed += entries.length;
    if (parsed !== emails.length) throw new Error('the list was not read whole');
    await copyRows(
      truth.manager,
      'plain_bulk_rows (list, idx, address_key, email, ref)',
      rows,
      ({ index, hash, email }) => [1, index, hash, email, null],
    );
  });
}

/** Baseline: the same results into a table with the same key. */
async function copyResults(truth: DataSource, id: string, measure: Measure): Promise<Cost> {
  await emptyCopyOf(truth, 'bulk_results');
  const rows = await truth.query<{ address: Buffer; reason: string; verdict: string }[]>(
    `SELECT address_key AS address, reason, verdict::text FROM bulk_results
      WHERE substring(address_key FOR 8) = (SELECT int8send(list) FROM bulk_jobs WHERE id = $1)`,
    [id],
  );
  if (rows.length !== ROWS) throw new Error('the list has not a result for each row');
  return measure(() =>
    copyRows(
      truth.manager,
      'plain_bulk_results (address_key, reason, probed, verdict)',
      rows,
      ({ address, reason, verdict }) => [address, reason, false, verdict],
    ),
  );
}

async function emptyCopyOf(truth: DataSource, table: string): Promise<void> {
  await truth.query(`DROP TABLE IF EXISTS plain_${table}`);
  await truth.query(`CREATE TABLE plain_${table} (LIKE ${table} INCLUDING ALL)`);
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

async function erase(fleet: BulkFleet, id: string, key: string): Promise<void> {
  await fetch(`${fleet.url}/v1/bulk-jobs/${id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${key}` },
  });
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
}

function randomHash(): Buffer {
  const hash = Buffer.alloc(44);
  for (let at = 8; at < 44; at += 4) hash.writeUInt32BE(Math.floor(Math.random() * 2 ** 32), at);
  return hash;
}

await withDatabase(main);
