import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, HttpAdapterHost } from '@nestjs/core';
import { Clock } from '../../../kernel/clock.js';
import { HealthRegistry } from '../../../kernel/service-state/health-registry.js';
import { Config } from '../../../platform/config/config.js';
import { AuthenticatedBodyGuard } from '../../../platform/http/body/body.guard.js';
import { IdempotencyGuard } from '../../../platform/http/idempotency/idempotency.guard.js';
import { UnreadGuard } from '../../../platform/http/unread.guard.js';
import { Log } from '../../../platform/telemetry/log.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { PublishableKeysModule } from '../publishable-keys/publishable-keys.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { MemoryRateLimiter } from './adapters/memory-rate-limiter.js';
import { FallbackRateLimiter } from './adapters/fallback-rate-limiter.js';
import { BearerGuard } from './bearer.guard.js';
import { RateLimiter } from './domain/rate-limiter.js';
import { PublishableGuard } from './publishable.guard.js';
import { QuotaGuard, QuotaInterceptor } from './quota.guard.js';
import { RateGuard } from './rate.guard.js';
import { RoleGuard } from './role.guard.js';
import { TeamLimitsService } from './team-limits.service.js';
import { TierGuard } from './tier.guard.js';

/**
 * The order of the checks: 401, 403, 429 (rate, unread responses), idempotent replay, 402, 429 (daily quota), 400/413/415.
 * Only the last one reads a body, except for requests whose `Idempotency-Key` is in use.
 */
const CHECKS = [
  BearerGuard,
  RoleGuard,
  PublishableGuard,
  RateGuard,
  UnreadGuard,
  IdempotencyGuard,
  TierGuard,
  QuotaGuard,
  AuthenticatedBodyGuard,
];

@Module({
  imports: [ApiKeysModule, OAuthModule, PublishableKeysModule, TiersModule, UsageModule],
  providers: [
    ...CHECKS.map((guard) => ({ provide: APP_GUARD, useClass: guard })),
    { provide: APP_INTERCEPTOR, useClass: QuotaInterceptor },
    TeamLimitsService,
    {
      provide: RateLimiter,
      // Shared buckets in Redis if it is configured, otherwise buckets of this process. The client of Redis is loaded only if needed.
      useFactory: async (
        { redisUrl }: Config,
        clock: Clock,
        health: HealthRegistry,
        log: Log,
      ): Promise<RateLimiter> => {
        const own = new MemoryRateLimiter(clock);
        if (redisUrl === null) return own;
        const { RedisRateLimiter } = await import('./adapters/redis-rate-limiter.js');
        return new FallbackRateLimiter(new RedisRateLimiter(redisUrl), own, clock, health, log);
      },
      inject: [Config, Clock, HealthRegistry, Log],
    },
  ],
  exports: [TeamLimitsService],
})
export class AccessModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly http: HttpAdapterHost,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // The command line loads this module without an HTTP server, and needs no connection.
    if (this.http.httpAdapter) await this.limiter.open();
  }

  /** After the last request was answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
