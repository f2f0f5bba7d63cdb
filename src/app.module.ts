import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './modules/access/access.module.js';
import { AccountsWorkerModule } from './modules/accounts/accounts-worker.module.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { ApiKeysWorkerModule } from './modules/api-keys/api-keys-worker.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { BillingWorkerModule } from './modules/billing/billing-worker.module.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { BlocklistModule } from './modules/blocklist/blocklist.module.js';
import { BulkWorkerModule } from './modules/bulk/bulk-worker.module.js';
import { BulkModule } from './modules/bulk/bulk.module.js';
import { DisposableModule } from './modules/disposable/disposable.module.js';
import { FailedRequestsModule } from './modules/failed-requests/failed-requests.module.js';
import { McpModule } from './modules/mcp/mcp.module.js';
import { OAuthWorkerModule } from './modules/oauth/oauth-worker.module.js';
import { OAuthModule } from './modules/oauth/oauth.module.js';
import { OutcomeIntakeWorkerModule } from './modules/outcome-intake/outcome-intake-worker.module.js';
import { OutcomeIntakeModule } from './modules/outcome-intake/outcome-intake.module.js';
import { OutcomesWorkerModule } from './modules/outcomes/outcomes-worker.module.js';
import { OutcomesModule } from './modules/outcomes/outcomes.module.js';
import { PolicyPreviewModule } from './modules/policy-preview/policy-preview.module.js';
import { PolicyModule } from './modules/policy/policy.module.js';
import { ProofsWorkerModule } from './modules/proofs/proofs-worker.module.js';
import { ProofsModule } from './modules/proofs/proofs.module.js';
import { PublishableKeysWorkerModule } from './modules/publishable-keys/publishable-keys-worker.module.js';
import { RechecksWorkerModule } from './modules/rechecks/rechecks-worker.module.js';
import { SchedulesWorkerModule } from './modules/schedules/schedules-worker.module.js';
import { SchedulesModule } from './modules/schedules/schedules.module.js';
import { SCHEMAS } from './modules/schema.js';
import { SelfChecksWorkerModule } from './modules/self-checks/self-checks-worker.module.js';
import { SystemModule } from './modules/system/system.module.js';
import { TeamsModule } from './modules/teams/teams.module.js';
import { UsageWorkerModule } from './modules/usage/usage-worker.module.js';
import { UsageModule } from './modules/usage/usage.module.js';
import { VerificationWorkerModule } from './modules/verification/verification-worker.module.js';
import { VerificationModule } from './modules/verification/verification.module.js';
import { WebhooksWorkerModule } from './modules/webhooks/webhooks-worker.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { ProcessRoles } from './platform/config/process-roles.js';
import { DatabaseWorkerModule } from './platform/database/database-worker.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { MailWorkerModule } from './platform/mail/mail-worker.module.js';
import { MailModule } from './platform/mail/mail.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { QueueModule, QueueWorkerModule } from './platform/queue/queue.module.js';
import { TelemetryModule } from './platform/telemetry/telemetry.module.js';
import { TimeModule } from './platform/time/time.module.js';

const API_MODULES = [
  AccessModule,
  VerificationModule,
  ProofsModule,
  AccountsModule,
  TeamsModule,
  UsageModule,
  BulkModule,
  SchedulesModule,
  BlocklistModule,
  DisposableModule,
  PolicyModule,
  PolicyPreviewModule,
  OutcomesModule,
  OutcomeIntakeModule,
  WebhooksModule,
  BillingModule,
  AuditModule,
  FailedRequestsModule,
  McpModule,
  OAuthModule,
  SystemModule,
];

/** Modules of the worker role: queue consumers, scheduled tasks and event subscribers. */
const WORKER_MODULES = [
  DatabaseWorkerModule,
  QueueWorkerModule,
  ApiKeysWorkerModule,
  PublishableKeysWorkerModule,
  MailWorkerModule,
  AccountsWorkerModule,
  OAuthWorkerModule,
  UsageWorkerModule,
  VerificationWorkerModule,
  ProofsWorkerModule,
  BulkWorkerModule,
  SchedulesWorkerModule,
  RechecksWorkerModule,
  OutcomesWorkerModule,
  OutcomeIntakeWorkerModule,
  WebhooksWorkerModule,
  BillingWorkerModule,
  SelfChecksWorkerModule,
];

/** The root module: everything that a process with these roles runs. */
@Module({})
export class AppModule {
  static forRoles(roles: ProcessRoles): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoles(roles),
        TimeModule,
        TelemetryModule.forRoot(),
        DatabaseModule.forRoot(SCHEMAS, roles.api ? 'run' : 'wait'),
        QueueModule.forRoot(),
        MailModule,
        HttpModule,
        HealthModule,
        MetricsModule,
        ...(roles.api ? API_MODULES : []),
        ...(roles.worker ? WORKER_MODULES : []),
      ],
    };
  }
}
