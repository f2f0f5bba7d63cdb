import { Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { readTiersFile } from './adapters/tiers-file.js';
import { refuseMissingTiers } from './adapters/tiers-in-use.js';
import { DEFAULT_TIERS } from './domain/tier.js';
import { TiersService } from './tiers.service.js';

@Module({
  providers: [
    {
      provide: TiersService,
      useFactory: async ({ tiersFile }: Config) =>
        new TiersService(tiersFile === null ? DEFAULT_TIERS : await readTiersFile(tiersFile)),
      inject: [Config],
    },
  ],
  exports: [TiersService],
})
export class TiersModule implements OnModuleInit {
  constructor(
    private readonly tiers: TiersService,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws ConfigError when a team has a tier that the table lacks. */
  async onModuleInit(): Promise<void> {
    // Where no database is open there are no teams.
    if (this.dataSource.isInitialized) await refuseMissingTiers(this.dataSource, this.tiers.names());
  }
}
