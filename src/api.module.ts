import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './modules/access/access.module.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { BlocklistModule } from './modules/blocklist/blocklist.module.js';
import { BulkModule } from './modules/bulk/bulk.module.js';
import { DisposableModule } from './modules/disposable/disposable.module.js';
import { TeamsModule } from './modules/teams/teams.module.js';
import { UsageModule } from './modules/usage/usage.module.js';
import { VerificationModule } from './modules/verification/verification.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { MetricsModule } from './platform/telemetry/metrics.module.js';
import { storedPlatformModule, type StoredPlatform } from './platform/stored-platform.js';

/** Table of contents of HTTP. What every route goes through stands in `platform/http/http-server.ts`. */
@Module({
  imports: [
    // First: the router looks through the routes in this order, and the speed of this one is promised.
    VerificationModule,
    AccessModule,
    AccountsModule,
    TeamsModule,
    UsageModule,
    BulkModule,
    BlocklistModule,
    DisposableModule,
    WebhooksModule,
    BillingModule,
    HealthModule,
  ],
})
export class ApiModule {
  static on(platform: StoredPlatform): DynamicModule {
    return {
      module: ApiModule,
      imports: [storedPlatformModule(platform), ...MetricsModule.beside(platform.config)],
    };
  }
}
