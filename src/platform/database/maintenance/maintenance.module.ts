import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntitySchema } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { Log } from '../../telemetry/log.js';
import { DatabaseBackup } from '../archive/database-backup.js';
import { DatabaseRestore } from '../archive/database-restore.js';
import { DatabaseCheck } from '../checks/database-check.js';
import { openDataSource } from '../connected-data-source.js';
import { EmbeddedDatabase } from '../embedded/embedded-database.js';

/** The same database as `DatabaseModule`, as it is: nothing is migrated, no key is made and none is checked. */
@Module({})
export class MaintenanceModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly embedded: EmbeddedDatabase,
  ) {}

  static forRoot(entities: EntitySchema[]): DynamicModule {
    const providers = [
      EmbeddedDatabase,
      {
        provide: DataSource,
        useFactory: (embedded: EmbeddedDatabase, clock: Clock, log: Log) =>
          openDataSource({ embedded, clock, log, entities }),
        inject: [EmbeddedDatabase, Clock, Log],
      },
      DatabaseBackup,
      DatabaseRestore,
      DatabaseCheck,
    ];
    return {
      module: MaintenanceModule,
      providers,
      exports: [DatabaseBackup, DatabaseRestore, DatabaseCheck],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.embedded.close();
  }
}
