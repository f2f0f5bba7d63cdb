import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import type { BulkJobResponse } from '../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { BulkFleet, QUEUE_BACKENDS, type QueueBackendName } from '../../test/support/processes/bulk-fleet.js';
import { WITH_TYPESCRIPT } from '../../test/support/processes/with-typescript.js';
import { hasRedis } from '../../test/support/queue/redis-server.js';
import { withDatabase } from '../embedded-database.js';
import { addressesOf, type WorldOptions, type WorldPlace } from '../engine/world.js';
import { messageFrom } from '../messages.js';

/**
 * Counts what a list costs the stores that all processes share, for each verified row, with several workers: the
 * transactions and connections of PostgreSQL, the rows that it wrote by table, and the commands of Redis. These are
 * counts, which other load on the machine does not change; the part that idle processes cost in a second is counted
 * before and taken off.
 *
 *     npm run build && npm run ts -- bench/bulk/statements.ts [--workers 1,4,16] [--store Redis] [--domains 50] [--domain 100]
 *
 * The servers are those of `bench/engine.ts` with PIPELINING, 50 ms for a reply and five sessions; `--domains` is
 * their number, `--domain` the addresses at each.
 */
const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,4,16' },
    store: { type: 'string' },
    domains: { type: 'string', default: '50' },
    domain: { type: 'string', default: '100' },
  },
});
const WORLD: WorldOptions = {
  domains: Number(options.domains),
  addressesPerDomain: Number(options.domain),
  latencyMs: 50,
  pipelining: true,
  maxConnections: 5,
};
const IDLE_MS = 10_000;
/** A process of PostgreSQL reports its counters when it is idle, at most once a second. */
const REPORT_MS = 2_000;
const PATIENCE_MS = 300_000;

interface Counts {
  atMs: number;
  transactions: number;
  redisCommands: number;
  written: ReadonlyMap<string, number>;
}

async function countsOf({ database, redis }: BulkFleet): Promise<Counts> {
  await pause(REPORT_MS);
  const [sums] = await database.query<{ transactions: number }[]>(
    `SELECT (xact_commit + xact_rollback)::integer AS transactions
       FROM pg_stat_database WHERE datname = current_database()`,
  );
  const tables = await database.query<{ name: string; rows: number }[]>(
    'SELECT relname AS name, (n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows FROM pg_stat_user_tables',
  );
  return {
    atMs: performance.now(),
    transactions: sums!.transactions,
    redisCommands: redis === null ? 0 : await commandsOf(redis.url),
    written: new Map(tables.map(({ name, rows }) => [name, rows])),
  };
}

async function commandsOf(url: string): Promise<number> {
  const client = new Redis(url);
  const info = await client.info('commandstats');
  client.disconnect();
  return [...info.matchAll(/calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

async function measure(store: QueueBackendName, workers: number) {
  const world = fork(join(import.meta.dirname, '../engine/world.ts'), [JSON.stringify(WORLD)], {
    execArgv: [...WITH_TYPESCRIPT],
  });
  const { dnsServer, smtpPort } = await messageFrom<WorldPlace>(world);
  const env = {
    DNS_SERVERS: dnsServer,
    DNS_TIMEOUT_MS: '5000',
    SMTP_PORT: String(smtpPort),
    SMTP_HELO_NAME: 'verify.example.org',
    MX_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const fleet = await BulkFleet.start(store, workers, env, true);
  try {
    const { live_key: key } = await fleet.anAccount('unlimited');
    const emails = addressesOf(WORLD).map(({ email }) => email);
    const first = await countsOf(fleet);
    await pause(IDLE_MS);
    const before = await countsOf(fleet);
    const id = await fleet.submit(emails, key);
    let connections = 0;
    const isDone = async () => {
      const [{ count } = { count: 0 }] = await fleet.database.query<{ count: number }[]>(
        "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
      );
      connections = Math.max(connections, count);
      await pause(450);
      const { processed } = await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key);
      return processed === emails.length || performance.now() - before.atMs > PATIENCE_MS;
    };
    await fleet.until(isDone);
    const after = await countsOf(fleet);
    return lineOf({ store, workers, rows: emails.length, connections }, first, before, after);
  } finally {
    await fleet.stop();
    world.disconnect();
  }
}

function lineOf(
  {
    store,
    workers,
    rows,
    connections,
  }: Record<'workers' | 'rows' | 'connections', number> & { store: string },
  first: Counts,
  before: Counts,
  after: Counts,
) {
  const seconds = (after.atMs - before.atMs) / 1_000;
  const idleSeconds = (before.atMs - first.atMs) / 1_000;
  const idle = (of: (counts: Counts) => number) => (of(before) - of(first)) / idleSeconds;
  const perThousand = (of: (counts: Counts) => number) =>
    Math.round(((of(after) - of(before) - idle(of) * seconds) / rows) * 1_000);
  const written = [...after.written.keys()]
    .map((name) => [name, perThousand((counts) => counts.written.get(name) ?? 0)] as const)
    .filter(([, count]) => count > 5)
    .sort(([, one], [, other]) => other - one);
  return {
    store,
    workers,
    rows,
    seconds: Math.round(seconds),
    'transactions per 1,000 rows': perThousand(({ transactions }) => transactions),
    'idle transactions/s': idle(({ transactions }) => transactions).toFixed(1),
    'Redis commands per 1,000 rows': perThousand(({ redisCommands }) => redisCommands),
    'idle Redis commands/s': idle(({ redisCommands }) => redisCommands).toFixed(1),
    'connections of PostgreSQL': connections,
    'rows written per 1,000 rows': written.map(([name, count]) => `${name} ${count}`).join(', '),
  };
}

await withDatabase(async () => {
  for (const store of QUEUE_BACKENDS.filter((backend) => backend === (options.store ?? backend))) {
    if (store === 'Redis' && !hasRedis) continue;
    for (const workers of options.workers.split(',').map(Number)) console.log(await measure(store, workers));
  }
});
