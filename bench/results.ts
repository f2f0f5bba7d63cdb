import { BulkFleet, type FleetAccount } from '../test/support/processes/bulk-fleet.js';
import { ended, rate } from './bulk/lists.js';
import { postmasterOf, processorMs, serverMs } from './bulk/processor-time.js';
import { withDatabase } from './embedded-database.js';
import { autocannon } from './load.js';

/**
 * Measures reading of results and its effect on other calls: filtered pages whose rows are at the end of
 * the list, distributed, or absent, downloads of the whole list, and thirty pages at once during single calls
 * of another team. Uses test-mode verdicts. API and worker are separate processes.
 *
 * To compare versions, alternate runs and compare the processor time of a response. Its duration depends on what else
 * the machine does: the median of the same page was between 27 and 189 ms. A page of 1,000 rows takes 12 to 18 ms
 * in the API, since how much V8 collects differs between processes, and 6 to 8 ms in PostgreSQL.
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
/** Linux reports processor time in hundredths of a second. */
const ROUNDS = 50;
/** Not measured: code is compiled. */
const WARM_UP = 10;
const JSON_TYPE = 'application/json';
const DOWNLOADS = {
  CSV: 'text/csv',
  NDJSON: 'application/x-ndjson',
  workbook: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const AT_ONCE = 30;
const SECONDS = 10;

async function main(): Promise<void> {
  const fleet = await BulkFleet.start('PostgreSQL', 1, {}, true);
  try {
    const [reader, other] = [await fleet.anAccount('unlimited'), await fleet.anAccount('unlimited')];
    for (const rows of SIZES.length > 0 ? SIZES : [400_000, 1_000_000]) {
      const began = performance.now();
      const id = await fleet.submitStreamed(list(rows), reader.test_key);
      const submitMs = performance.now() - began;
      await ended(fleet, id, reader.test_key);
      const recordMs = performance.now() - began - submitMs;
      console.log(
        `\n${rows} rows: submitted in ${(submitMs / 1000).toFixed(1)} s, then verified and recorded at ${rate(rows, recordMs)} rows/s`,
      );
      console.table(await responses(fleet, reader, id));
      console.table(await besideSingles(fleet, reader, other, id));
    }
  } finally {
    await fleet.stop();
  }
}

/** Pages and downloads, each alone. */
async function responses(fleet: BulkFleet, { test_key }: FleetAccount, id: string) {
  const postmaster = await postmasterOf(fleet.database);
  const read = readerOf(fleet, test_key, id);
  const processorTimes = () => Promise.all([processorMs(fleet.api.child.pid), serverMs(postmaster)]);
  const measured = async (response: string, get: () => Promise<number>, rounds: number, warmUp: number) => {
    const once = async () => {
      const began = performance.now();
      const status = await get();
      if (status !== 200) throw new Error(`${response}: ${status}`);
      return performance.now() - began;
    };
    const first = await once();
    for (let n = 1; n < warmUp; n++) await once();
    const [apiMs, postgresMs] = await processorTimes();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await once());
    const after = await processorTimes();
    times.sort((a, b) => a - b);
    return {
      response,
      'first ms': Math.round(first),
      'least ms': times[0]?.toFixed(1),
      'median ms': times[rounds >> 1]?.toFixed(1),
      'API processor ms': ((after[0] - apiMs) / rounds).toFixed(1),
      'PostgreSQL processor ms': ((after[1] - postgresMs) / rounds).toFixed(1),
    };
  };
  const rows = [];
  for (const [page, query] of Object.entries(PAGES))
    rows.push(await measured(page, () => read(query, JSON_TYPE), ROUNDS, WARM_UP));
  for (const [format, type] of Object.entries(DOWNLOADS))
    rows.push(await measured(format, () => read('', type), 1, 1));
  return rows;
}

/** Single calls of one team: alone, during thirty page requests, and during four downloads of another team. */
async function besideSingles(fleet: BulkFleet, reader: FleetAccount, other: FleetAccount, id: string) {
  const read = readerOf(fleet, reader.test_key, id);
  const readPage = () => read('?status=risky&limit=1', JSON_TYPE);
  const readAll = () => read('', DOWNLOADS.CSV);
  return [
    { beside: 'nothing', ...(await singles(fleet, other, 0, readPage)) },
    { beside: `${AT_ONCE} pages`, ...(await singles(fleet, other, AT_ONCE, readPage)) },
    { beside: '4 downloads', ...(await singles(fleet, other, 4, readAll)) },
  ];
}

/** Reads results to the end. @returns the status; 0 if the response was aborted. */
const readerOf = (fleet: BulkFleet, key: string, id: string) => async (query: string, accept: string) => {
  const headers = { Authorization: `Bearer ${key}`, Accept: accept };
  const answer = await fetch(`${fleet.url}/v1/bulk-jobs/${id}/results${query}`, { headers });
  return answer.body!.pipeTo(new WritableStream()).then(
    () => answer.status,
    () => 0,
  );
};

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

await withDatabase(main);
