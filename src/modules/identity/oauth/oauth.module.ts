import { Module } from '@nestjs/common';
import { TargetsModule } from '../../../platform/targets/targets.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ClientKeysService } from '../api-keys/client-keys.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { ClientDocuments } from './adapters/client-documents.js';
import { KnownClients } from './adapters/known-clients.js';
import { OidcAuthorizationServer } from './adapters/oidc-authorization-server.js';
import { PostgresOAuthRecordRepository } from './adapters/postgres-oauth-record.repository.js';
import { ConsentController } from './consent.controller.js';
import { ConsentService } from './consent.service.js';
import { AuthorizationServer, GrantKeys } from './domain/authorization-server.js';
import { OAuthRecordRepository } from './domain/oauth-record.repository.js';
import { OAuthController } from './oauth.controller.js';

@Module({
  imports: [TargetsModule, ApiKeysModule],
  controllers: [OAuthController, ConsentController],
  providers: [
    AccessTokensService,
    ConsentService,
    ClientDocuments,
    KnownClients,
    { provide: GrantKeys, useExisting: ClientKeysService },
    { provide: AuthorizationServer, useClass: OidcAuthorizationServer },
    { provide: OAuthRecordRepository, useClass: PostgresOAuthRecordRepository },
  ],
  exports: [AccessTokensService],
})
export class OAuthModule {}
