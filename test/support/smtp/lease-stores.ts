import type { DataSource } from 'typeorm';
import { PostgresLeaseStore } from '../../../src/modules/verification/adapters/postgres-lease-store.js';
import { PostgresFactStore } from '../../../src/modules/verification/adapters/postgres-fact-store.js';
import type { LeaseStore, LeaseTimes } from '../../../src/engine/limits/lease-store.js';
import type { FactStore } from '../../../src/engine/limits/shared-state.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { TcpRelay } from '../database/tcp-relay.js';

/** The stores that the processes of an installation share, as each connects to them. */
export class LeaseStores {
  url = '';
  private database!: Awaited<ReturnType<typeof aFreshDatabase>>;
  private relay!: TcpRelay;
  private sources: DataSource[] = [];
  private count = 0;

  async start(): Promise<void> {
    this.database = await aFreshDatabase();
    ({ relay: this.relay, url: this.url } = await TcpRelay.to(this.database.url));
  }
  /** The store as a new process sees it. */
  async connect(times?: LeaseTimes): Promise<LeaseStore> {
    return new PostgresLeaseStore(await this.work(), times);
  }
  async connectFacts(): Promise<FactStore> {
    return new PostgresFactStore(await this.work());
  }
  /** All stored facts as text. */
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
  /** Makes the store unavailable. */
  lose = () => this.relay.close();
  resume = () => this.relay.open();
  /** Statements that were received since the start. */
  statements = async () => this.count;
  async drop(): Promise<void> {
    await Promise.all(this.sources.splice(0).map((source) => source.destroy()));
    await this.relay.close();
    await this.database.drop();
  }
}
