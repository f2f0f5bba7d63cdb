import {
  Global,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { FailedRequests } from '../../kernel/failed-requests.js';
import { Events } from '../../kernel/events.js';
import { Meter } from '../../kernel/meter.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Config } from '../config/config.js';
import { ProcessRoles } from '../config/process-roles.js';
import { secretKeysOf } from './secret-key-file.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { Log } from '../telemetry/log.js';
import { connectedDataSource, type MigrationPolicy } from './connected-data-source.js';
import { connectionsOf } from './data-source.js';
import { DatabaseStorage } from './database-storage.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { Erasures } from './erasure/erasures.js';
import { Retention } from './erasure/retention.js';
import { PostgresFailedRequests } from './failed-requests/postgres-failed-requests.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { Outbox } from './outbox/outbox.js';
import { PostgresAuditLog } from './audit/postgres-audit-log.js';
import { StoredPause } from './pause/stored-pause.js';
import { SecretKeyRotation } from './secret-key-rotation.js';
import { PostgresUnitOfWork } from './transactions/postgres-unit-of-work.js';

/** PostgreSQL: the server of `DATABASE_URL`, or the embedded one if it is not set. */
@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly embedded: EmbeddedDatabase,
    private readonly outbox: Outbox,
    private readonly meter: Meter,
  ) {}

  /** @param entities all tables that TypeORM maps. */
  static forRoot(entities: EntitySchema[], migrations: MigrationPolicy): DynamicModule {
    const providers = [
      EmbeddedDatabase,
      {
        provide: DataSource,
        useFactory: (
          embedded: EmbeddedDatabase,
          secrets: SecretKeys,
          roles: ProcessRoles,
          clock: Clock,
          log: Log,
        ) =>
          connectedDataSource({
            embedded,
            secrets,
            connections: connectionsOf(roles),
            clock,
            log,
            entities,
            migrations,
          }),
        inject: [EmbeddedDatabase, SecretKeys, ProcessRoles, Clock, Log],
      },
      {
        provide: SecretKeys,
        useFactory: async (config: Config) => new SecretKeys(await secretKeysOf(config)),
        inject: [Config],
      },
      PostgresUnitOfWork,
      { provide: UnitOfWork, useExisting: PostgresUnitOfWork },
      Outbox,
      { provide: Events, useExisting: Outbox },
      IdempotencyStore,
      { provide: AuditLog, useClass: PostgresAuditLog },
      { provide: FailedRequests, useClass: PostgresFailedRequests },
      DatabaseStorage,
      Erasures,
      Retention,
      SecretKeyRotation,
      StoredPause,
    ];
    const exports = providers.map((provider) => ('provide' in provider ? provider.provide : provider));
    return { module: DatabaseModule, providers, exports };
  }

  onModuleInit(): void {
    this.meter.gauge('rcpt_db_pool_connections', () => {
      const { totalCount, idleCount, waitingCount } = (this.dataSource.driver as unknown as { master: Pool })
        .master;
      const states = { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
      return Object.entries(states).map(([state, value]) => ({ labels: [state], value }));
    });
    this.meter.gauge('rcpt_outbox_lag_seconds', async () => [
      { labels: [], value: await this.outbox.lagSeconds() },
    ]);
  }

  /** Nest shuts down global modules last, after all modules that use the database. */
  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.embedded.close();
  }
}
