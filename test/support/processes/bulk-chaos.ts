import { setTimeout as pause } from 'node:timers/promises';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import type { BulkFleet, FleetAccount } from './bulk-fleet.js';

/** Rows of a list of `npm test`: six chunks. */
export const FEW_ROWS = 4_000;
/** Rows of a list that is long enough for several faults. */
const MANY_ROWS = 10_000;
/** Half of the addresses are charged, every fourth row is a duplicate. */
const listOf = (rows: number) =>
  Array.from({ length: rows }, (_, row) => {
    const n = row - (row % 4 === 3 ? 1 : 0);
    return n % 2 === 0 ? `no address ${n}` : `person${n}@nowhere.rcpt-test.net`;
  });
const hasNoDomain = (email: string) => !email.includes('@');
const TIMEOUT_MS = 90_000;

/** Faults that are injected while a job runs. */
export const FAULTS = {
  'workers are killed': async (fleet: BulkFleet, random: () => number) => {
    for (let kill = 0; kill < 3; kill++) {
      await pause(random() * 400);
      const n = Math.floor(random() * fleet.workers.length);
      await fleet.killWorker(n);
      await fleet.startWorker(n);
    }
  },
  'all workers are killed at once': async (fleet: BulkFleet, random: () => number) => {
    await pause(random() * 800);
    await Promise.all(fleet.workers.map((_, n) => fleet.killWorker(n)));
    await Promise.all(fleet.workers.map((_, n) => fleet.startWorker(n)));
  },
  'the API is killed between its commit and its enqueue': async (fleet: BulkFleet, random: () => number) => {
    await fleet.api.end('SIGKILL');
    await pause(random() * 200);
    await fleet.startApi();
  },
  'the queue loses all jobs': async (fleet: BulkFleet, random: () => number) => {
    await pause(random() * 400);
    await fleet.loseQueuedJobs();
  },
  'PostgreSQL is away for ten seconds': async (fleet: BulkFleet, random: () => number) => {
    await pause(random() * 800);
    await fleet.databaseRelay.close();
    await pause(10_000);
    await fleet.databaseRelay.open();
  },
  'Redis is away for ten seconds': async (fleet: BulkFleet, random: () => number) => {
    await pause(random() * 800);
    await fleet.redis?.kill();
    await pause(10_000);
    await fleet.redis?.start();
  },
} as const;

export type Fault = keyof typeof FAULTS;

/** A seeded random number generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A submitted job. */
export interface ChaosJob {
  account: FleetAccount;
  id: string;
  list: readonly string[];
}

export async function submitJob(fleet: BulkFleet, rows = MANY_ROWS): Promise<ChaosJob> {
  const account = await fleet.anAccount('scale');
  const list = listOf(rows);
  return { account, id: await fleet.submit(list, account.live_key), list };
}

/** Waits for the end of a job. @returns the expected and the actual final state. */
export async function outcomeOf(fleet: BulkFleet, { account, id, list }: ChaosJob) {
  const job = await ended(fleet, id, account.live_key);
  return { expected: expectedOf(list), found: await factsOf(fleet, account, job, list) };
}

/** Runs a job with a fault. @returns the expected and the actual final state. */
export async function runWithFault(fleet: BulkFleet, mishap: Fault, seed: number, rows = MANY_ROWS) {
  const job = await submitJob(fleet, rows);
  await FAULTS[mishap](fleet, randomFrom(seed));
  return outcomeOf(fleet, job);
}

function expectedOf(list: readonly string[]) {
  const addresses = new Set(list);
  const paid = [...addresses].filter(hasNoDomain).length;
  const invalid = list.filter(hasNoDomain).length;
  return {
    status: 'completed',
    processed: list.length,
    usage: { reserved: addresses.size, charged: paid, returned: addresses.size - paid },
    rows: list.length,
    inOrder: true,
    reasons: { invalid_syntax: invalid, dns_error: list.length - invalid },
    results: addresses.size,
    quota: { used: paid, reserved: 0 },
    bulk: list.length,
    events: ['bulk_job.completed'],
    left: 0,
  };
}

async function factsOf(
  fleet: BulkFleet,
  { team, live_key: key }: FleetAccount,
  job: BulkJobResponse,
  list: readonly string[],
) {
  const answer = await fetch(`${fleet.url}/v1/bulk-jobs/${job.id}/results`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/x-ndjson' },
  });
  const lines = (await answer.text()).trimEnd().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as { index: number; email: string; reason: string });
  const reasons: Record<string, number> = {};
  for (const { reason } of rows) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const { quota, bulk } = await fleet.get<UsageTodayResponse>('/v1/usage', key);
  const query = <Row>(statement: string) => fleet.database.query<Row[]>(statement, [team.id]);
  const events = await query<{ type: string }>(
    `SELECT type FROM outbox WHERE team_id = $1 AND type LIKE 'bulk%'`,
  );
  const [results] = await query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM bulk_results
      WHERE substring(address_key FOR 8) = (SELECT int8send(list) FROM bulk_jobs WHERE team_id = $1)`,
  );
  const [left] = await query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM bulk_chunks JOIN bulk_jobs USING (list) WHERE team_id = $1',
  );
  return {
    status: job.status,
    processed: job.processed,
    usage: job.usage,
    rows: rows.length,
    inOrder: rows.every(({ index, email }, n) => index === n && email === list[n]),
    reasons,
    results: results?.n,
    quota: { used: quota.used, reserved: quota.reserved },
    bulk,
    events: events.map(({ type }) => type),
    left: left?.n,
  };
}

async function ended(fleet: BulkFleet, id: string, key: string): Promise<BulkJobResponse> {
  const giveUp = performance.now() + TIMEOUT_MS;
  for (;;) {
    // The API returns 503 for a moment after it has lost the database.
    const job = await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key).catch(() => null);
    if (job?.finished_at || (job && performance.now() > giveUp)) return job;
    if (performance.now() > giveUp) throw new Error('The API does not come back');
    await pause(100);
  }
}
