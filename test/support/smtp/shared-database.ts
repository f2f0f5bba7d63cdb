import type { DataSource } from 'typeorm';
import { PostgresPermitStore } from '../../../src/modules/verification/mail-servers/adapters/postgres-permit-store.js';
import { PostgresSharedStateStore } from '../../../src/modules/verification/mail-servers/adapters/postgres-shared-state-store.js';
import type { PermitStore, PermitTimes } from '../../../src/engine/limits/permit-store.js';
import type { SharedStateStore } from '../../../src/engine/limits/shared-state-store.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { TcpRelay } from '../database/tcp-relay.js';

/** The stores that the processes of an installation share, as each connects to them. */
export class SharedDatabase {
  url = '';
  /** Transactions, and statements outside of one, since the start. */
  requests = 0;
  /** Statements since the start. */
  statements = 0;
  private database!: Awaited<ReturnType<typeof aFreshDatabase>>;
  private relay!: TcpRelay;
  private sources: DataSource[] = [];

  async start(): Promise<void> {
    this.database = await aFreshDatabase();
    ({ relay: this.relay, url: this.url } = await TcpRelay.to(this.database.url));
  }
  /** The store of permits as a new process sees it. */
  async connect(times?: PermitTimes): Promise<PermitStore> {
    return new PostgresPermitStore(await this.work(), times);
  }
  /** The store of shared state as a new process sees it. */
  async connectState(): Promise<SharedStateStore> {
    return new PostgresSharedStateStore(await this.work());
  }
  /** All stored entries as text. */
  async dumpState(): Promise<string> {
    return JSON.stringify(await this.sources[0]?.query('SELECT * FROM smtp_shared_state'));
  }
  private async work(): Promise<PostgresUnitOfWork> {
    const source = await createDataSource(this.url, [], 2).initialize();
    this.sources.push(source);
    const create = source.createQueryRunner.bind(source);
    source.createQueryRunner = (...args) => {
      const runner = create(...args);
      const query = runner.query.bind(runner) as (...values: unknown[]) => Promise<never>;
      this.requests += 1;
      return Object.assign(runner, {
        query: (...values: unknown[]) => ((this.statements += 1), query(...values)),
      });
    };
    return new PostgresUnitOfWork(source);
  }
  /** Makes the store unavailable. */
  lose = () => this.relay.close();
  resume = () => this.relay.open();
  async drop(): Promise<void> {
    await Promise.all(this.sources.splice(0).map((source) => source.destroy()));
    await this.relay.close();
    await this.database.drop();
  }
}
