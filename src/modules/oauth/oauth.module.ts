import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { AddressPolicy } from '../../platform/net/address-policy.js';
import { DirectDialler } from '../../platform/net/dialler.js';
import { HostAddresses } from '../../platform/net/host-addresses.js';
import { SafeFetch } from '../../platform/net/safe-fetch.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ClientKeysService } from '../api-keys/client-keys.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { ClientDocuments } from './adapters/client-documents.js';
import { OidcAuthorizationServer } from './adapters/oidc-authorization-server.js';
import { PostgresOAuthRecordRepository } from './adapters/postgres-oauth-record.repository.js';
import { ConsentController } from './consent.controller.js';
import { ConsentService } from './consent.service.js';
import { AuthorizationServer, GrantKeys } from './domain/authorization-server.js';
import { OAuthRecordRepository } from './domain/oauth-record.repository.js';
import { OAuthController } from './oauth.controller.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [OAuthController, ConsentController],
  providers: [
    AccessTokensService,
    ConsentService,
    ClientDocuments,
    { provide: GrantKeys, useExisting: ClientKeysService },
    { provide: AuthorizationServer, useClass: OidcAuthorizationServer },
    { provide: OAuthRecordRepository, useClass: PostgresOAuthRecordRepository },
    {
      provide: SafeFetch,
      // It takes plain values. The ranges are those that webhooks may be sent to.
      useFactory: ({ dns, webhooks }: Config) =>
        new SafeFetch({
          policy: new AddressPolicy(webhooks.allowCidrs),
          hosts: new HostAddresses(dns.servers, dns.timeoutMs),
          dialler: new DirectDialler(),
        }),
      inject: [Config],
    },
  ],
  exports: [AccessTokensService],
})
export class OAuthModule {}
