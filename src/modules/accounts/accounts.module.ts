import { Module } from '@nestjs/common';
import { Config, ConfigError } from '../../platform/config/config.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { TiersService } from '../tiers/tiers.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { JoiningController } from './joining.controller.js';
import { SignupPolicy } from './domain/signup-policy.js';
import { SignupGuard } from './signup.guard.js';

@Module({
  imports: [TiersModule, TeamsModule, ApiKeysModule],
  controllers: [AccountsController, JoiningController],
  providers: [
    AccountsService,
    SignupGuard,
    { provide: SignupPolicy, useFactory: signupPolicy, inject: [Config, TiersService] },
  ],
  exports: [AccountsService],
})
export class AccountsModule {}

function signupPolicy({ signup, defaultTier }: Config, tiers: TiersService): SignupPolicy {
  const names = tiers.names();
  if (!names.includes(defaultTier)) throw new ConfigError(`DEFAULT_TIER must be one of ${names.join(', ')}`);
  return new SignupPolicy(signup.open, defaultTier);
}
