import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsWorkerModule } from './modules/accounts/accounts/accounts-worker.module.js';
import { AccountsModule } from './modules/accounts/accounts/accounts.module.js';
import { BillingWorkerModule } from './modules/billing/billing/billing-worker.module.js';
import { BillingModule } from './modules/billing/billing/billing.module.js';
import { OutcomeIntakeWorkerModule } from './modules/events/outcome-intake/outcome-intake-worker.module.js';
import { OutcomeIntakeModule } from './modules/events/outcome-intake/outcome-intake.module.js';
import { WebhooksWorkerModule } from './modules/events/webhooks/webhooks-worker.module.js';
import { WebhooksModule } from './modules/events/webhooks/webhooks.module.js';
import { AccessModule } from './modules/identity/access/access.module.js';
import { ApiKeysWorkerModule } from './modules/identity/api-keys/api-keys-worker.module.js';
import { AuditModule } from './modules/identity/audit/audit.module.js';
import { FailedRequestsModule } from './modules/identity/failed-requests/failed-requests.module.js';
import { OAuthWorkerModule } from './modules/identity/oauth/oauth-worker.module.js';
import { OAuthModule } from './modules/identity/oauth/oauth.module.js';
import { PublishableKeysWorkerModule } from './modules/identity/publishable-keys/publishable-keys-worker.module.js';
import { TeamsModule } from './modules/identity/teams/teams.module.js';
import { UsageWorkerModule } from './modules/identity/usage/usage-worker.module.js';
import { UsageModule } from './modules/identity/usage/usage.module.js';
import { BulkWorkerModule } from './modules/lists/bulk/bulk-worker.module.js';
import { BulkModule } from './modules/lists/bulk/bulk.module.js';
import { PolicyPreviewModule } from './modules/lists/policy-preview/policy-preview.module.js';
import { RechecksWorkerModule } from './modules/lists/rechecks/rechecks-worker.module.js';
import { SchedulesWorkerModule } from './modules/lists/schedules/schedules-worker.module.js';
import { SchedulesModule } from './modules/lists/schedules/schedules.module.js';
import { SelfChecksWorkerModule } from './modules/operation/self-checks/self-checks-worker.module.js';
import { SystemModule } from './modules/operation/system/system.module.js';
import { McpModule } from './modules/protocols/mcp/mcp.module.js';
import { ReacherModule } from './modules/protocols/reacher/reacher.module.js';
import { SCHEMAS } from './modules/schema.js';
import { BlocklistModule } from './modules/verification/blocklist/blocklist.module.js';
import { DisposableModule } from './modules/verification/disposable/disposable.module.js';
import { MailServersWorkerModule } from './modules/verification/mail-servers/mail-servers-worker.module.js';
import { OutcomesWorkerModule } from './modules/verification/outcomes/outcomes-worker.module.js';
import { OutcomesModule } from './modules/verification/outcomes/outcomes.module.js';
import { PolicyModule } from './modules/verification/policy/policy.module.js';
import { ProofsWorkerModule } from './modules/verification/proofs/proofs-worker.module.js';
import { ProofsModule } from './modules/verification/proofs/proofs.module.js';
import { VerificationWorkerModule } from './modules/verification/verification/verification-worker.module.js';
import { VerificationModule } from './modules/verification/verification/verification.module.js';
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

/**
 * What the service offers, in groups that are read in this order: modules with routes, and what only a worker has of
 * them (queue consumers, scheduled tasks and event subscribers). ARCHITECTURE.md has a sentence for each module.
 */
const GROUPS = {
  identity: {
    api: [AccessModule, TeamsModule, UsageModule, OAuthModule, AuditModule, FailedRequestsModule],
    worker: [ApiKeysWorkerModule, PublishableKeysWorkerModule, OAuthWorkerModule, UsageWorkerModule],
  },
  verification: {
    api: [VerificationModule, ProofsModule, BlocklistModule, DisposableModule, PolicyModule, OutcomesModule],
    worker: [MailServersWorkerModule, VerificationWorkerModule, ProofsWorkerModule, OutcomesWorkerModule],
  },
  lists: {
    api: [BulkModule, SchedulesModule, PolicyPreviewModule],
    worker: [BulkWorkerModule, SchedulesWorkerModule, RechecksWorkerModule],
  },
  events: {
    api: [OutcomeIntakeModule, WebhooksModule],
    worker: [OutcomeIntakeWorkerModule, WebhooksWorkerModule],
  },
  billing: { api: [BillingModule], worker: [BillingWorkerModule] },
  operation: { api: [SystemModule], worker: [SelfChecksWorkerModule] },
  protocols: { api: [McpModule, ReacherModule], worker: [] },
  accounts: { api: [AccountsModule], worker: [AccountsWorkerModule] },
};

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
        ...(roles.worker ? [DatabaseWorkerModule, QueueWorkerModule, MailWorkerModule] : []),
        ...Object.values(GROUPS).flatMap(({ api, worker }) => [
          ...(roles.api ? api : []),
          ...(roles.worker ? worker : []),
        ]),
      ],
    };
  }
}
