import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BulkJobResponse } from '../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { readList } from '../../src/platform/list-files/read-list.js';
import { DnsWorld } from '../../test/support/dns/dns-world.js';
import { BulkFleet } from '../../test/support/processes/bulk-fleet.js';
import { withDatabase } from '../embedded-database.js';
import { peakMb } from './processor-time.js';

/**
 * Measures a held list and its preview beside a submission of the same file: seconds, and the peak memory of new
 * processes of the API and the worker. The first line is the least time: the file is only read, in this process. Goal:
 * a preview takes at most twice as long as a submission.
 *
 *     npm run build && npm run ts -- bench/bulk/preview.ts [--rows 1000000] [--domains 5000]
 *
 * A tenth of the rows are duplicates. The name server knows no domain, so that 2,000 of them are looked up, and none has
 * a mail server. The list that is submitted is deleted at once.
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, domains: { type: 'string', default: '5000' } },
});
const ROWS = Number(options.rows);
const DOMAINS = Number(options.domains);

function* lines(): Generator<string> {
  yield 'name,email,city\n';
  for (let n = 0; n < ROWS; n++) {
    const person = n % Math.ceil(0.9 * ROWS);
    yield `Person ${person},person${person}.name@domain${person % DOMAINS}.listworld,Bonn\n`;
  }
}

async function main(): Promise<void> {
  const dns = await DnsWorld.start({ zones: {}, port: 0 });
  try {
    console.log(`\n${ROWS} rows`);
    console.table([await reading(), await submission(dns), await preview(dns)]);
  } finally {
    await dns.stop();
  }
}

async function reading() {
  const began = performance.now();
  let rows = 0;
  const bytes = Readable.from(pieces()) as AsyncIterable<Buffer>;
  for await (const { entries } of readList('csv', bytes, {})) rows += entries.length;
  if (rows !== ROWS) throw new Error(`${rows} rows were read`);
  return { what: 'reading', 'upload s': seconds(performance.now() - began) };
}

async function submission(dns: DnsWorld) {
  return withFleet(dns, async (fleet, key) => {
    const began = performance.now();
    const id = await fleet.submitStreamed(lines(), key, { type: 'text/csv' });
    const uploaded = performance.now();
    const headers = { Authorization: `Bearer ${key}` };
    await fetch(`${fleet.url}/v1/bulk-jobs/${id}`, { method: 'DELETE', headers });
    return { what: 'submission', 'upload s': seconds(uploaded - began) };
  });
}

async function preview(dns: DnsWorld) {
  return withFleet(dns, async (fleet, key) => {
    const began = performance.now();
    const id = await fleet.submitStreamed(lines(), key, { type: 'text/csv', query: '?hold=true' });
    const held = performance.now();
    const job = () => fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key);
    while ((await job()).preview === null) await pause(50);
    return {
      what: 'hold and preview',
      'upload s': seconds(held - began),
      'preview s': seconds(performance.now() - held),
    };
  });
}

async function withFleet<T>(dns: DnsWorld, work: (fleet: BulkFleet, key: string) => Promise<T>) {
  const fleet = await BulkFleet.start('PostgreSQL', 1, { DNS_SERVERS: dns.server }, true);
  try {
    const { live_key: key } = await fleet.anAccount('unlimited');
    const times = await work(fleet, key);
    const memory = [fleet.api, fleet.workers[0]].map((each) => peakMb(each?.child.pid));
    const [api, worker] = await Promise.all(memory);
    return { ...times, 'API MB': api, 'worker MB': worker };
  } finally {
    await fleet.stop();
  }
}

function* pieces(): Generator<Buffer> {
  let piece = '';
  for (const line of lines()) {
    piece += line;
    if (piece.length < 65_536) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

await withDatabase(main);
