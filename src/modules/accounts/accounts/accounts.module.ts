import { Module } from '@nestjs/common';
import { Config, ConfigError } from '../../../platform/config/config.js';
import { ApiKeysModule } from '../../identity/api-keys/api-keys.module.js';
import { BillingModule } from '../../billing/billing/billing.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { OpenIdIdentityProvider } from './adapters/openid-identity-provider.js';
import { PostgresSignInLinkRepository } from './adapters/postgres-sign-in-link.repository.js';
import { PostgresSignupConfirmationRepository } from './adapters/postgres-signup-confirmation.repository.js';
import { IdentityProvider } from './domain/identity-provider.js';
import { SignInLinkRepository } from './domain/sign-in-link.repository.js';
import { SignupConfirmationRepository } from './domain/signup-confirmation.repository.js';
import { InviteAcceptanceController } from './invites/invite-acceptance.controller.js';
import { JoiningService } from './invites/joining.service.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { SignInAttemptCookie } from './oidc/sign-in-attempt.cookie.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignupController } from './sign-up/signup.controller.js';
import { SignupService } from './sign-up/signup.service.js';

@Module({
  imports: [TiersModule, TeamsModule, ApiKeysModule, BillingModule],
  controllers: [
    AccountsController,
    InviteAcceptanceController,
    SignupController,
    SignInController,
    OidcController,
  ],
  providers: [
    AccountsService,
    JoiningService,
    SignupService,
    SignInService,
    OidcSignInService,
    SignInAttemptCookie,
    { provide: IdentityProvider, useClass: OpenIdIdentityProvider },
    { provide: SignupConfirmationRepository, useClass: PostgresSignupConfirmationRepository },
    { provide: SignInLinkRepository, useClass: PostgresSignInLinkRepository },
  ],
  exports: [AccountsService, SignInService],
})
export class AccountsModule {
  constructor({ defaultTier }: Config, tiers: TiersService) {
    const names = tiers.names();
    if (!names.includes(defaultTier))
      throw new ConfigError(`DEFAULT_TIER must be one of ${names.join(', ')}`);
  }
}
