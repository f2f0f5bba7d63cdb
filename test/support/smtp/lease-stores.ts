import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { PostgresLeaseStore } from '../../../src/modules/verification/adapters/postgres-lease-store.js';
import { PostgresFactStore } from '../../../src/modules/verification/adapters/postgres-fact-store.js';
import { RedisFactStore } from '../../../src/modules/verification/adapters/redis-fact-store.js';
import { RedisLeaseStore } from '../../../src/modules/verification/adapters/redis-lease-store.js';
import { RedisSharedClient } from '../../../src/modules/verification/adapters/redis-shared-client.js';
import type { LeaseStore, LeaseTimes } from '../../../src/engine/limits/lease-store.js';
import type { FactStore } from '../../../src/engine/limits/shared-facts.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { hasRedis, RedisServer } from '../queue/redis-server.js';
import { TcpRelay } from '../database/tcp-relay.js';

/** The stores that the processes of an installation share, as each connects to them. */
export interface LeaseStores {
  url: string;
  start(): Promise<void>;
  /** The store as a new process sees it. */
  connect(times?: LeaseTimes): Promise<LeaseStore>;
  connectFacts(): Promise<FactStore>;
  /** All stored facts as text. */
  dumpFacts(): Promise<string>;
  /** Makes the store unavailable; Redis loses its data. */
  lose(): Promise<void>;
  resume(): Promise<void>;
  /** Statements that were received since the start. */
  statements(): Promise<number>;
  drop(): Promise<void>;
}

export class PostgresLeaseStores implements LeaseStores {
  url = '';
  private database!: Awaited<ReturnType<typeof aFreshDatabase>>;
  private relay!: TcpRelay;
  private sources: DataSource[] = [];
  private count = 0;

  async start(): Promise<void> {
    this.database = await aFreshDatabase();
    ({ relay: this.relay, url: this.url } = await TcpRelay.to(this.database.url));
  }
  async connect(times?: LeaseTimes): Promise<LeaseStore> {
    return new PostgresLeaseStore(await this.work(), times);
  }
  async connectFacts(): Promise<FactStore> {
    return new PostgresFactStore(await this.work());
  }
  async dumpFacts(): Promise<string> {
    return JSON.stringify(await this.sources[0]?.query('SELECT * FROM smtp_facts'));
  }
  private async work(): Promise<PostgresUnitOfWork> {
    const source = await createDataSource(this.url, [], 2).initialize();
    this.sources.push(source);
    const query = source.manager.query.bind(source.manager);
    source.manager.query = (...args: Parameters<typeof query>) => ((this.count += 1), query(...args));
    return new PostgresUnitOfWork(source);
  }
  lose = () => this.relay.close();
  resume = () => this.relay.open();
  statements = async () => this.count;
  async drop(): Promise<void> {
    await Promise.all(this.sources.splice(0).map((source) => source.destroy()));
    await this.relay.close();
    await this.database.drop();
  }
}

export class RedisLeaseStores implements LeaseStores {
  url = '';
  private server!: RedisServer;
  private clients: RedisSharedClient[] = [];
  private admin!: Redis;

  async start(): Promise<void> {
    this.server = await RedisServer.onAFreePort();
    await this.server.start();
    this.url = this.server.url;
    this.admin = new Redis(this.url, { disconnectTimeout: 100 }).on('error', () => undefined);
    await this.grow();
  }
  async connect(times?: LeaseTimes): Promise<LeaseStore> {
    return new RedisLeaseStore(await this.client(), times);
  }
  async connectFacts(): Promise<FactStore> {
    return new RedisFactStore(await this.client());
  }
  async dumpFacts(): Promise<string> {
    return JSON.stringify(await this.admin.hgetall('rcpt:facts'));
  }
  private async client(): Promise<RedisSharedClient> {
    const client = new RedisSharedClient(this.url);
    this.clients.push(client);
    await client.open();
    return client;
  }
  lose = () => this.server.kill();
  resume = () => this.server.start();
  async statements(): Promise<number> {
    const stats = await this.admin.info('commandstats');
    const calls = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].map(([, n]) => Number(n));
    return calls.reduce((sum, n) => sum + n, 0);
  }
  /** The data began long ago. */
  async grow(): Promise<void> {
    await this.admin.set('rcpt:leases-born', '1');
  }
  async drop(): Promise<void> {
    for (const client of this.clients.splice(0)) client.close();
    this.admin.disconnect();
    await this.server.kill();
  }
}

export const LEASE_STORES: [name: string, create: () => LeaseStores][] = [
  ['PostgreSQL', () => new PostgresLeaseStores()],
  ...(hasRedis ? [['Redis', () => new RedisLeaseStores()] as [string, () => LeaseStores]] : []),
];
