import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { hasRedis, RedisServer } from './redis-server.js';
import { TcpRelay } from '../database/tcp-relay.js';

/** A queue store with fault injection. */
export interface QueueStore {
  url: string;
  start(): Promise<void>;
  drop(): Promise<void>;
  /** Stops and resumes the connection to the store. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  clear(): Promise<void>;
  /** Corrupts the data of a waiting job. */
  poison(queue: string, id: string): Promise<void>;
  /** All stored data as text. */
  dump(): Promise<string>;
  /** Number of connections of queues. */
  connections(): Promise<number>;
}

const DEADLOCK = '40P01';

class PostgresStore implements QueueStore {
  url = '';
  private database!: Awaited<ReturnType<typeof aFreshDatabase>>;
  private relay!: TcpRelay;
  private dataSource!: DataSource;

  async start(): Promise<void> {
    this.database = await aFreshDatabase();
    this.dataSource = await createDataSource(this.database.url, []).initialize();
    await migrate(this.dataSource);
    ({ relay: this.relay, url: this.url } = await TcpRelay.to(this.database.url));
  }
  async drop(): Promise<void> {
    await this.relay.close();
    await this.dataSource.destroy();
    await this.database.drop();
  }
  stop = () => this.relay.close();
  resume = () => this.relay.open();
  async clear(): Promise<void> {
    const truncate = () => this.dataSource.query('TRUNCATE bullmq.job, bullmq.event, bullmq.meta CASCADE');
    // A worker locks the tables in another order. In a deadlock PostgreSQL ends one of the statements.
    await truncate().catch((error: unknown) =>
      (error as { code?: string }).code === DEADLOCK ? truncate() : Promise.reject(error as Error),
    );
  }
  async poison(queue: string, id: string): Promise<void> {
    const args = [queue, id];
    await this.dataSource.query(
      `UPDATE bullmq.job SET data = '["no", {}]' WHERE queue = $1 AND id = $2`,
      args,
    );
  }
  async dump(): Promise<string> {
    const tables = await this.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'bullmq'`,
    );
    const rows = tables.map(({ name }) => this.dataSource.query(`SELECT * FROM bullmq."${name}"`));
    return JSON.stringify(await Promise.all(rows));
  }
  async connections(): Promise<number> {
    const [found] = await this.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'rcpt'`,
    );
    return found?.n ?? 0;
  }
}

export class RedisStore implements QueueStore {
  url = '';
  private server!: RedisServer;
  private client!: Redis;

  async start(): Promise<void> {
    this.server = await RedisServer.onAFreePort();
    await this.server.start();
    this.url = this.server.url;
    this.client = new Redis(this.url, { maxRetriesPerRequest: null, disconnectTimeout: 100 });
    this.client.on('error', () => undefined);
  }
  async drop(): Promise<void> {
    this.client.disconnect();
    await this.server.kill();
  }
  stop = () => this.server.kill();
  resume = () => this.server.start();
  async clear(): Promise<void> {
    await this.client.flushall();
  }
  async poison(queue: string, id: string, data = '["no", {}]'): Promise<void> {
    await this.client.hset(`bull:${queue}:${id}`, 'data', data);
  }
  async dump(): Promise<string> {
    const keys = await this.client.keys('*');
    const all = keys.map(async (key) => {
      const type = await this.client.type(key);
      if (type === 'hash') return [key, await this.client.hgetall(key)];
      if (type === 'stream') return [key, await this.client.xrange(key, '-', '+')];
      return [key];
    });
    return JSON.stringify(await Promise.all(all));
  }
  async connections(): Promise<number> {
    return (
      String(await this.client.client('LIST'))
        .trim()
        .split('\n').length - 1
    );
  }
}

export const QUEUE_STORES: [name: string, store: QueueStore][] = [
  ['on PostgreSQL', new PostgresStore()],
  ...(hasRedis ? [['on Redis', new RedisStore()] as [string, QueueStore]] : []),
];
