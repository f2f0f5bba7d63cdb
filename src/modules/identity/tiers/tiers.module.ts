import { Module } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { readTiersFile } from './adapters/tiers-file.js';
import { DEFAULT_TIERS } from './domain/tier.js';
import { TiersService } from './tiers.service.js';

@Module({
  providers: [
    {
      provide: TiersService,
      // The table is read from a file.
      useFactory: async ({ tiersFile }: Config) =>
        new TiersService(tiersFile === null ? DEFAULT_TIERS : await readTiersFile(tiersFile)),
      inject: [Config],
    },
  ],
  exports: [TiersService],
})
export class TiersModule {}
