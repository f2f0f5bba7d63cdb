import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { BulkJobResponse } from '../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { KNOWN_LIMITS } from '../src/engine/providers/session-limits.js';
import { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { BulkFleet } from '../test/support/processes/bulk-fleet.js';
import { onServer } from '../test/support/database/fresh-database.js';
import { makeOriginal } from '../test/support/database/original-database.js';
import { WITH_TYPESCRIPT } from '../test/support/processes/with-typescript.js';
import { addressesOf, type WorldOptions, type WorldPlace } from './engine/world.js';
import { secondsOfConnection, simulate, type Fleet, type Load, type Provider } from './simulation/model.js';

/**
 * Computes how many egresses and workers verify 10⁹ addresses a day, and what PostgreSQL must write. It
 * first measures processor time and bytes of write-ahead log per address on this machine; the table of
 * providers is an assumption, to be replaced by the values of your lists:
 *
 *     npm run build && npm run ts bench/simulation.ts [addresses a day, default 1,000,000,000]
 */
const PER_DAY = Number(process.argv[2] ?? 1e9);
/** Ratio of the busiest hour to the mean. */
const PEAK = 1.5;
const SIMULATED_SECONDS = 60;
/** Maximum utilization, since the queue of a busier resource grows at every burst. */
const MOST_BUSY = 0.8;
/** Of a session with a server without a limit of its own. */
const DEFAULT_RECIPIENTS = 25;

/**
 * The assumptions; `docs/scaling.md` has their sources. Sessions and recipients are the limits of the service
 * itself: the totals of each provider for each egress.
 */
const PROVIDERS: readonly Provider[] = [
  {
    ...limitsOf('google'),
    share: 0.45,
    roundTripSeconds: 0.04,
    perEgressAndDay: 150_000,
    refusals: 0.02,
  },
  {
    ...limitsOf('microsoft'),
    share: 0.22,
    roundTripSeconds: 0.06,
    perEgressAndDay: 100_000,
    refusals: 0.03,
  },
  {
    ...limitsOf('yahoo'),
    share: 0.08,
    roundTripSeconds: 0.08,
    perEgressAndDay: 40_000,
    refusals: 0.05,
  },
  {
    name: 'long tail',
    share: 0.25,
    sessions: null,
    recipients: 5,
    roundTripSeconds: 0.12,
    perEgressAndDay: null,
    refusals: 0.01,
  },
];

function limitsOf(name: string): Pick<Provider, 'name' | 'sessions' | 'recipients'> {
  const { connections = null, recipientsPerConnection } = KNOWN_LIMITS[name] ?? {};
  return { name, sessions: connections, recipients: recipientsPerConnection ?? DEFAULT_RECIPIENTS };
}

const WORLD: WorldOptions = {
  domains: 50,
  addressesPerDomain: 200,
  latencyMs: 20,
  pipelining: true,
  maxConnections: null,
};
const ROWS = 20_000;

async function main(): Promise<void> {
  const engineMs = await processorTimePerAddress();
  const { cpuMs: rowMs, walBytes, storedBytes } = await costOfRow();
  const cpuSeconds = (engineMs + rowMs) / 1_000;
  console.table({
    'engine, ms of processor an address': engineMs.toFixed(3),
    'list path, ms of processor a row': rowMs.toFixed(3),
    'write-ahead log, bytes a row': Math.round(walBytes),
    'tables and indexes, bytes a row': Math.round(storedBytes),
  });
  const load = { perSecond: (PER_DAY * PEAK) / 86_400, seconds: SIMULATED_SECONDS, cpuSeconds };
  const least = leastFleet(load);
  console.log(
    `\n${PER_DAY.toExponential()} addresses a day, ${Math.round(load.perSecond)}/s in the busiest hour`,
  );
  console.table([0.5, 0.9, 1, 1.25].map((factor) => rowOf(scaled(least, factor), load)));
  const mean = PER_DAY / 86_400;
  console.table({
    'write-ahead log, MB/s on average': ((mean * walBytes) / 1e6).toFixed(1),
    'write-ahead log, MB/s at the peak': ((mean * PEAK * walBytes) / 1e6).toFixed(1),
    'stored rows of 30 days, TB': ((PER_DAY * 30 * storedBytes) / 1e12).toFixed(1),
  });
}

/** The smallest fleet by the limits of each resource; the simulation shows whether it is sufficient. */
function leastFleet({ perSecond, cpuSeconds }: Load): Fleet {
  const asked = PROVIDERS.map((provider) => perSecond * provider.share * (1 + provider.refusals));
  const egresses = PROVIDERS.flatMap((provider, n) => {
    const daily = provider.perEgressAndDay;
    const { sessions } = provider;
    const byConnections =
      sessions === null ? 0 : (asked[n]! * secondsOfConnection(provider)) / (sessions * MOST_BUSY);
    return [byConnections, daily === null ? 0 : (asked[n]! / PEAK) * (86_400 / daily)];
  });
  const all = asked.reduce((sum, value) => sum + value, 0);
  return { egresses: Math.ceil(Math.max(...egresses)), workers: Math.ceil((all * cpuSeconds) / MOST_BUSY) };
}

function scaled({ egresses, workers }: Fleet, factor: number): Fleet {
  return { egresses: Math.ceil(egresses * factor), workers: Math.ceil(workers * factor) };
}

function rowOf(fleet: Fleet, load: Load) {
  const { perSecond, p99Seconds, busy, overDaily } = simulate(PROVIDERS, fleet, load);
  const [name, most] = Object.entries(busy).reduce((a, b) => (b[1] > a[1] ? b : a));
  // Whether the mean of a day exceeds a daily limit, not the busiest hour.
  const over = Object.entries(overDaily).filter(([provider]) => exceedsDaily(provider, fleet));
  return {
    ...fleet,
    'addresses/s': Math.round(perSecond),
    'p99 s': p99Seconds.toFixed(2),
    busiest: `${name} ${(most * 100).toFixed(0)} %`,
    'over the daily limit': over.map(([provider]) => provider).join(', ') || 'none',
  };
}

function exceedsDaily(name: string, { egresses }: Fleet): boolean {
  const provider = PROVIDERS.find((candidate) => candidate.name === name);
  if (provider === undefined || provider.perEgressAndDay === null) return false;
  return (PER_DAY * provider.share * (1 + provider.refusals)) / egresses > provider.perEgressAndDay;
}

async function processorTimePerAddress(): Promise<number> {
  const addresses = addressesOf(WORLD).map(({ email }) => email);
  const world = fork(join(import.meta.dirname, 'engine/world.ts'), [JSON.stringify(WORLD)], {
    execArgv: [...WITH_TYPESCRIPT],
  });
  const [place] = (await once(world, 'message')) as [WorldPlace];
  const engine = fork(join(import.meta.dirname, 'engine/contestant.mjs'), ['rcpt', JSON.stringify(place)], {
    execArgv: [],
  });
  await once(engine, 'message');
  engine.send({ emails: addresses, concurrency: 1_000 });
  const [{ cpuMs }] = (await once(engine, 'message')) as [{ cpuMs: number }];
  engine.disconnect();
  world.disconnect();
  return cpuMs / addresses.length;
}

/** The cost of a list row without the engine: a list of test addresses with one worker. */
async function costOfRow() {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  await onServer(server.administratorUrl, 'ALTER ROLE rcpt CREATEDB');
  process.env.RCPT_TEST_DATABASE = server.url;
  process.env.RCPT_TEST_LOG = '/dev/null';
  await makeOriginal(server.url);
  const fleet = await BulkFleet.start('PostgreSQL', 1);
  const worker = await fleet.workers[0]!.ready();
  try {
    const { test_key: key } = await fleet.anAccount('unlimited');
    const before = await usage(fleet.database);
    const cpuBefore = await cpuSecondsOf(worker);
    const id = await fleet.submit(
      Array.from({ length: ROWS }, (_, n) => `person${n}@domain${n % 1_000}.example.com`),
      key,
    );
    const isFinished = async () =>
      (await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key)).finished_at !== null;
    while (!(await isFinished())) await pause(100);
    const after = await usage(fleet.database);
    return {
      cpuMs: ((await cpuSecondsOf(worker)) - cpuBefore) * (1_000 / ROWS),
      walBytes: (after.wal - before.wal) / ROWS,
      storedBytes: (after.size - before.size) / ROWS,
    };
  } finally {
    await fleet.stop();
    await server.close();
    await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function usage(database: DataSource): Promise<{ wal: number; size: number }> {
  const [row] = await database.query<{ wal: string; size: string }[]>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal, pg_database_size(current_database()) AS size`,
  );
  return { wal: Number(row?.wal), size: Number(row?.size) };
}

async function cpuSecondsOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
}

await main();
