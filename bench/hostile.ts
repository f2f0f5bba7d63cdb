import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { BulkJobResponse } from '../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anEmptyDatabase } from '../test/support/database/fresh-database.js';
import { DnsWorld } from '../test/support/dns/dns-world.js';
import { BulkFleet } from '../test/support/processes/bulk-fleet.js';
import { withDatabase } from './embedded-database.js';
import type { Orders } from './hostile/attackers.js';

/**
 * The service under all hostile inputs at once, from twenty teams that anybody can make: how long `GET /livez` and the
 * `GET /v1/verify` of a stored verdict take for somebody else, beside the same questions in quiet, which are the lower
 * bound; and whether a list that was accepted before is finished. Compares builds, one after the other:
 *
 *     npm run build && npm run ts -- bench/hostile.ts [--seconds 30] [dist/main.js] [other/dist/main.js]
 *
 * Goal on two quiet processors: `/livez` within 100 ms and the verdict within 250 ms at p99, and the list is finished.
 * A question that has no answer after a minute counts as a minute.
 */
const { values: options, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '30' } },
  allowPositionals: true,
});
const SECONDS = Number(options.seconds);
const QUIET_SECONDS = 5;
const TEAMS = 20;
const ROWS = 5_000;
const ASK_EVERY_MS = 50;
const MAX_WAIT_MS = 60_000;
const FINISH_MS = 60_000;

type Times = Record<'livez' | 'verify', number[]>;

async function measure(main: string, dns: DnsWorld) {
  const env = { DNS_SERVERS: dns.server, LOG_LEVEL: 'error' };
  const fleet = await BulkFleet.start('PostgreSQL', 0, env, true, anEmptyDatabase, main);
  try {
    const { live_key: key } = await fleet.anAccount('unlimited');
    const keys: string[] = [];
    while (keys.length < TEAMS) keys.push((await fleet.anAccount('free')).live_key);
    const inbound = await inboundPath(fleet, key);
    const emails = Array.from({ length: ROWS }, (_, n) => `person${n}@domain${n % 50}.listworld`);
    await timeOf(fleet.url, `/v1/verify?email=${emails[0]}`, key);
    const quiet = await timesDuring(fleet.url, key, pause(QUIET_SECONDS * 1_000));
    const orders: Orders = { url: fleet.url, keys, inbound, seconds: SECONDS };
    const attackers = new Worker(new URL('./hostile/attackers.ts', import.meta.url), { workerData: orders });
    const told = () =>
      new Promise<unknown>((tell, fail) => attackers.once('message', tell).once('error', fail));
    await told();
    const list = await fleet.submit(emails, key);
    const attacking = told() as Promise<Record<string, number>>;
    const hostile = await timesDuring(fleet.url, key, attacking);
    const isFinished = await finished(fleet, list, key);
    return {
      ...figures('quiet', quiet),
      ...figures('hostile', hostile),
      answers: Object.entries(await attacking)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', '),
      'list finished': isFinished,
      'service alive': fleet.unexpectedExits().length === 0,
    };
  } finally {
    await fleet.stop();
  }
}

async function inboundPath({ url }: BulkFleet, key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/outcome-sources`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'kumomta' }),
  });
  const source = (await answer.json()) as { url: string };
  return new URL(source.url).pathname;
}

/** Asks both questions, each on a connection of its own, until the work ends. */
async function timesDuring(url: string, key: string, work: Promise<unknown>): Promise<Times> {
  const times: Times = { livez: [], verify: [] };
  let isDone = false;
  const asking = [
    ['livez', '/livez'] as const,
    ['verify', '/v1/verify?email=person0@domain0.listworld'] as const,
  ].map(async ([name, path]) => {
    while (!isDone) {
      times[name].push(await timeOf(url, path, key));
      await pause(ASK_EVERY_MS);
    }
  });
  await work;
  isDone = true;
  await Promise.all(asking);
  return times;
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds until the whole response with 200. */
function timeOf(url: string, path: string, key: string): Promise<number> {
  const began = performance.now();
  return new Promise((told) => {
    const headers = { Authorization: `Bearer ${key}` };
    const call = request(`${url}${path}`, { agent, headers, timeout: MAX_WAIT_MS }, (response) => {
      const ms = () => (response.statusCode === 200 ? performance.now() - began : MAX_WAIT_MS);
      response.resume().once('close', () => told(ms()));
    });
    call.once('timeout', () => call.destroy()).once('error', () => told(MAX_WAIT_MS));
    call.end();
  });
}

async function jobOf(url: string, id: string, key: string): Promise<BulkJobResponse> {
  const headers = { Authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(5_000);
  return (await (await fetch(`${url}/v1/bulk-jobs/${id}`, { headers, signal })).json()) as BulkJobResponse;
}

async function finished({ url }: BulkFleet, list: string, key: string): Promise<boolean> {
  const until = performance.now() + FINISH_MS;
  while (performance.now() < until) {
    const job = await jobOf(url, list, key).catch(() => null);
    if (job?.status === 'completed') return job.processed === ROWS;
    await pause(500);
  }
  return false;
}

function figures(phase: string, times: Times): Record<string, string> {
  const entries = Object.entries(times).map(([name, all]) => {
    const sorted = all.sort((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN);
    return [`${phase}: ${name}, ms p50 / p99 / most`, `${at(0.5)} / ${at(0.99)} / ${at(1)} (${all.length})`];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

await withDatabase(async () => {
  const dns = await DnsWorld.start({ zones: {}, port: 0 });
  try {
    const mains = positionals.length > 0 ? positionals : ['dist/main.js'];
    for (const main of mains) {
      console.log(`\n${main}`);
      console.table(await measure(resolve(main), dns));
    }
  } finally {
    await dns.stop();
  }
});
