import type { DataSource } from 'typeorm';
import { PostgresLimitsStore } from '../../../src/modules/verification/adapters/postgres-limits-store.js';
import type { LimitsStore, PermitTimes } from '../../../src/engine/limits/limits-store.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { TcpRelay } from '../database/tcp-relay.js';

/** The store that the processes of an installation share, as each connects to it. */
export class SharedDatabase {
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
  async connect(times?: PermitTimes): Promise<LimitsStore> {
    return new PostgresLimitsStore(await this.work(), times);
  }
  /** All stored entries as text. */
  async dumpState(): Promise<string> {
    return JSON.stringify(await this.sources[0]?.query('SELECT * FROM smtp_shared_state'));
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
