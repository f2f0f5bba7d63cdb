import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BulkJobResponse } from '../src/modules/bulk/jobs/bulk-job.dto.js';
import { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { BulkFleet, type FleetAccount } from '../test/support/processes/bulk-fleet.js';
import { makeOriginal } from '../test/support/database/original-database.js';
import { autocannon } from './load.js';

/**
 * Measures reading of results and its effect on other calls: filtered pages whose rows are at the end of
 * the list, distributed, or absent, and thirty such pages at once during single calls of another team.
 * Uses test-mode verdicts. API and worker are separate processes.
 *
 *     npm run build && npm run ts bench/results.ts [rows of each list, default 400,000 and 1,000,000]
 */
const SIZES = process.argv.slice(2).map(Number);
const AT_THE_END = 1_000;
const PAGES: Readonly<Record<string, string>> = {
  'at the end, 1': '?status=risky&limit=1',
  'at the end, 1,000': '?status=risky&limit=1000',
  'spread, 100': '?status=undeliverable&limit=100',
  'absent, 100': '?reason=timeout&limit=100',
  'no filter, 1,000': '?limit=1000',
};
const ROUNDS = 5;
const AT_ONCE = 30;
const SECONDS = 10;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  process.env.RCPT_TEST_DATABASE = server.url;
  await makeOriginal(server.url);
  process.env.RCPT_TEST_LOG = '/dev/null';
  const fleet = await BulkFleet.start('PostgreSQL', 1);
  try {
    const [reader, other] = [await fleet.anAccount('unlimited'), await fleet.anAccount('unlimited')];
    for (const rows of SIZES.length > 0 ? SIZES : [400_000, 1_000_000]) {
      const began = performance.now();
      const id = await fleet.submitStreamed(list(rows), reader.test_key);
      const submitMs = performance.now() - began;
      while ((await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, reader.test_key)).finished_at === null)
        await pause(100);
      const recordMs = performance.now() - began - submitMs;
      console.log(
        `\n${rows} rows: submitted in ${(submitMs / 1000).toFixed(1)} s, then verified and recorded at ${Math.round((rows / recordMs) * 1000)} rows/s`,
      );
      console.table(await pages(fleet, reader, id));
      console.table(await besideSingles(fleet, reader, other, id));
    }
  } finally {
    await fleet.stop();
    await server.close();
    await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function pages(fleet: BulkFleet, { test_key }: FleetAccount, id: string) {
  const rows = [];
  for (const [page, query] of Object.entries(PAGES)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await fleet.get(`/v1/bulk-jobs/${id}/results${query}`, test_key);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    rows.push({ page, 'first ms': Math.round(times.at(-1) ?? 0), 'median ms': (times[2] ?? 0).toFixed(1) });
  }
  return rows;
}

/** Single calls of one team: alone, during thirty page requests, and during four downloads of another team. */
async function besideSingles(fleet: BulkFleet, reader: FleetAccount, other: FleetAccount, id: string) {
  const url = `${fleet.url}/v1/bulk-jobs/${id}/results`;
  const headers = { Authorization: `Bearer ${reader.test_key}` };
  const readPage = () => fetch(`${url}?status=risky&limit=1`, { headers }).then(told);
  const readAll = () => fetch(url, { headers: { ...headers, Accept: 'text/csv' } }).then(told);
  return [
    { beside: 'nothing', ...(await singles(fleet, other, 0, readPage)) },
    { beside: `${AT_ONCE} pages`, ...(await singles(fleet, other, AT_ONCE, readPage)) },
    { beside: '4 downloads', ...(await singles(fleet, other, 4, readAll)) },
  ];
}

/** Reads to the end. @returns the status; 0 if the response was aborted. */
function told(answer: Response): Promise<number> {
  return answer.arrayBuffer().then(
    () => answer.status,
    () => 0,
  );
}

async function singles(
  fleet: BulkFleet,
  { test_key }: FleetAccount,
  readers: number,
  read: () => Promise<number>,
) {
  const until = performance.now() + SECONDS * 1000;
  const statuses: Record<number, number> = {};
  const reading = Array.from({ length: readers }, async () => {
    while (performance.now() < until) {
      const status = await read().catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  const { latency, non2xx, errors } = await autocannon({
    url: `${fleet.url}/v1/usage`,
    headers: { authorization: `Bearer ${test_key}` },
    connections: 5,
    overallRate: 50,
    duration: SECONDS,
  });
  await Promise.all(reading);
  return {
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    failed: non2xx + errors,
    'read by status': JSON.stringify(statuses),
  };
}

function* list(rows: number): Generator<string> {
  for (let n = 0; n < rows; n++) {
    const outcome = n >= rows - AT_THE_END ? '+catch_all' : n % 100 === 0 ? '+mailbox_not_found' : '';
    yield `"person${n}${outcome}@domain${n % 5_000}.example.com"\n`;
  }
}

await main();
