import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { BearerGuard } from './bearer.guard.js';
import { RoleGuard } from './role.guard.js';
import { TierGuard } from './tier.guard.js';

/** The order of the checks: 401, 403, 402. They read no body. */
const GUARDS = [BearerGuard, RoleGuard, TierGuard];

@Module({
  imports: [ApiKeysModule, TiersModule],
  providers: GUARDS.map((guard) => ({ provide: APP_GUARD, useClass: guard })),
})
export class AccessModule {}
