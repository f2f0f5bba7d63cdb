import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { PostgresApiKeyRepository } from './adapters/postgres-api-key.repository.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ClientKeysService } from './client-keys.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';
import { KeyUseService } from './key-use.service.js';

@Module({
  imports: [TeamsModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ClientKeysService,
    KeyUseService,
    { provide: ApiKeyRepository, useClass: PostgresApiKeyRepository },
  ],
  exports: [ApiKeysService, ClientKeysService, KeyUseService],
})
export class ApiKeysModule {}
