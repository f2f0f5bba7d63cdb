import { Redis } from 'ioredis';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../../platform/config/config.js';
import { createDataSource } from '../../../../platform/database/data-source.js';
import { EmbeddedPostgres } from '../../../../platform/database/embedded/embedded-postgres.js';
import { INSTALLATION } from '../../../../platform/installation/installation.js';
import { storeError } from '../../../../platform/net/store-error.js';
import { isMigrated } from '../../../../platform/database/migrate.js';
import {
  fail,
  notApplicable,
  pass,
  skipped,
  warn,
  type Check,
  type CheckResult,
  type OpenedDatabase,
} from './check.js';

/** The database, opened once for all checks; nothing is created or changed. */
export class Database {
  private opening: Promise<OpenedDatabase> | null = null;
  private embedded: EmbeddedPostgres | null = null;

  constructor(private readonly config: Config) {}

  /** Never rejects. */
  opened(): Promise<OpenedDatabase> {
    return (this.opening ??= this.open().catch((error: Error) => ({ error: messageOf(error) })));
  }

  async close(): Promise<void> {
    if (this.opening === null) return;
    const opened = await this.opening;
    if ('dataSource' in opened) await opened.dataSource.destroy();
    await this.embedded?.close();
  }

  private async open(): Promise<OpenedDatabase> {
    const { databaseUrl, dataDir } = this.config;
    if (databaseUrl === null && !existsSync(join(dataDir, 'postgres'))) return { absent: true };
    if (databaseUrl === null) this.embedded = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
    const dataSource = createDataSource(databaseUrl ?? this.embedded?.url ?? '', [], 1);
    await dataSource.initialize();
    return { dataSource };
  }
}

/** The system's error code, if any. Messages may contain the connection string and its password. */
function messageOf(error: Error & { code?: string }): string {
  return error.code ?? error.message.split('\n', 1)[0]!.slice(0, 200);
}

const MIN_VERSION = 14;
const NOT_CREATED = notApplicable('the embedded database is created at the first start');

export const DATABASE: Check = {
  check: 'database',
  why: 'without it nothing can be verified through the API, and no process starts',
  network: false,
  run: async ({ database, config }) => {
    const opened = await database();
    if ('absent' in opened) return NOT_CREATED;
    if ('error' in opened)
      return fail(
        `the database cannot be used: ${opened.error}`,
        config.databaseUrl === null
          ? 'read the message; with a copy of DATA_DIR the service can run on another machine'
          : 'correct DATABASE_URL, or let PostgreSQL accept the connection (listen_addresses, pg_hba.conf, a firewall)',
      );
    const { dataSource } = opened;
    const [row] = await dataSource.query<{ server_version: string }[]>('SHOW server_version');
    const version = row?.server_version ?? 'of an unknown version';
    if (parseInt(version, 10) < MIN_VERSION)
      return fail(`PostgreSQL is ${version}`, `use PostgreSQL ${MIN_VERSION} or later`);
    if (!(await isMigrated(dataSource)))
      return warn(
        `PostgreSQL ${version}, and migrations are missing`,
        `run \`${INSTALLATION.command} migrate\`, or start an API process, which also runs them`,
      );
    return pass(`PostgreSQL ${version}, up to date`);
  },
};

const WARN_SECONDS = 2;
const FAIL_SECONDS = 60;
const KEEP_TIME =
  'synchronize the system clock (systemd-timesyncd, chrony, or the clock of the host for a virtual machine)';

export const DATABASE_CLOCK: Check = {
  check: 'database_clock',
  why: 'the day of a quota is that of the database; the expiry of keys and the deadlines of jobs use the clock of this machine',
  network: false,
  run: async ({ database, clock }) => {
    const opened = await database();
    if ('absent' in opened) return NOT_CREATED;
    if ('error' in opened) return skipped('the database does not respond');
    const before = clock.now().getTime();
    const [row] = await opened.dataSource.query<{ ms: number }[]>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const aheadMs = (row?.ms ?? 0) - (before + clock.now().getTime()) / 2;
    const off = Math.abs(aheadMs) / 1000;
    const found = `${off.toFixed(off < 10 ? 1 : 0)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database`;
    if (off >= FAIL_SECONDS) return fail(`the clock is ${found}`, KEEP_TIME);
    if (off >= WARN_SECONDS) return warn(`the clock is ${found}`, KEEP_TIME);
    return pass('the clock agrees with the database');
  },
};

const REDIS_MIN_VERSION = 6.2;
const REDIS_MS = 3_000;

export const QUEUE: Check = {
  check: 'queue',
  why: 'it starts work immediately; without it, or if the store evicts jobs, work waits for a sweep',
  network: false,
  run: async ({ config, database }) => {
    if (config.redisUrl !== null) return ofRedis(config.redisUrl);
    const opened = await database();
    if ('error' in opened) return skipped('the queue is in the database, which does not respond');
    return pass('the queue is in the database');
  },
};

async function ofRedis(url: string): Promise<CheckResult> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REDIS_MS,
    commandTimeout: REDIS_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let failure: Error | null = null;
  redis.on('error', (error: Error) => (failure = error));
  try {
    await redis.connect();
    const info = await redis.info();
    const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '';
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
    if (parseFloat(version) < REDIS_MIN_VERSION)
      return warn(`Redis is ${version}`, `use Redis ${REDIS_MIN_VERSION} or later`);
    if (policy !== 'noeviction')
      return warn(`Redis ${version} may evict jobs (${policy})`, 'set maxmemory-policy to noeviction');
    return pass(`Redis ${version}`);
  } catch (error) {
    const { code, host } = storeError(failure ?? (error as Error), url);
    return fail(
      `Redis at ${host} cannot be used: ${code}`,
      'start Redis, or correct REDIS_URL; without it the queue is in the database',
    );
  } finally {
    redis.disconnect();
  }
}
