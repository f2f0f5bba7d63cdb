import { Module, type DynamicModule } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import type { RingHandler } from './kernel/job-queue.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { SignupConfirmationsService } from './modules/accounts/signup-confirmations.service.js';
import { ApiKeysModule } from './modules/api-keys/api-keys.module.js';
import { ApiKeysService } from './modules/api-keys/api-keys.service.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { SubscriptionsService } from './modules/billing/subscriptions.service.js';
import { CHUNKS_QUEUE } from './modules/bulk/bulk-bell.service.js';
import { BulkEndingService } from './modules/bulk/bulk-ending.service.js';
import { BulkRechecksService } from './modules/bulk/bulk-rechecks.service.js';
import { BulkUpkeepService } from './modules/bulk/bulk-upkeep.service.js';
import { BulkModule } from './modules/bulk/bulk.module.js';
import { BulkProcessor } from './modules/bulk/bulk.processor.js';
import { TeamsModule } from './modules/teams/teams.module.js';
import { UsageModule } from './modules/usage/usage.module.js';
import { UsageService } from './modules/usage/usage.service.js';
import { AddressFactsService } from './modules/verification/address-facts.service.js';
import { RecheckQueue, RECHECKS_QUEUE } from './modules/verification/recheck-queue.service.js';
import { RechecksProcessor } from './modules/verification/rechecks.processor.js';
import { RechecksService } from './modules/verification/rechecks.service.js';
import { VerificationModule } from './modules/verification/verification.module.js';
import { toResponse } from './modules/verification/verification.dto.js';
import { EVENT_TYPES } from './modules/webhooks/domain/event-types.js';
import { DELIVERIES_QUEUE } from './modules/webhooks/webhook-bell.service.js';
import { WebhookNewsService } from './modules/webhooks/webhook-news.service.js';
import { WebhookUpkeepService } from './modules/webhooks/webhook-upkeep.service.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { WebhooksProcessor } from './modules/webhooks/webhooks.processor.js';
import { AuditRetention } from './platform/database/audit-retention.js';
import { Erasures, type Erasers } from './platform/database/erasures.js';
import { IdempotencyMarks } from './platform/database/idempotency-marks.js';
import { Outbox, type Listener, type Listeners, type PublishedEvent } from './platform/database/outbox.js';
import { PostgresMailQueue } from './platform/mail/postgres-mail-queue.js';
import { describeFault, Log } from './platform/telemetry/log.js';
import { storedPlatformModule, type StoredPlatform } from './platform/stored-platform.js';
import type { Sweep } from './platform/time/sweeps.js';

type Services = Pick<ModuleRef, 'get'>;

/** A queue, and how many of its rings one process handles at a time. */
interface Work {
  queue: string;
  concurrency: number;
  handler: RingHandler;
}

/** Every queue that `work` consumes. */
export const QUEUES = [CHUNKS_QUEUE, RECHECKS_QUEUE, DELIVERIES_QUEUE];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Table of contents of everything asynchronous. */
@Module({
  imports: [
    AccountsModule,
    ApiKeysModule,
    BillingModule,
    BulkModule,
    TeamsModule,
    UsageModule,
    VerificationModule,
    WebhooksModule,
  ],
})
export class WorkerModule {
  static on(platform: StoredPlatform): DynamicModule {
    return { module: WorkerModule, imports: [storedPlatformModule(platform)] };
  }

  /** Who hears of what: event → listeners. */
  static listeners(services: Services): Listeners {
    const keys = services.get(ApiKeysService, { strict: false });
    const bulk = services.get(BulkEndingService, { strict: false });
    const subscriptions = services.get(SubscriptionsService, { strict: false });
    const news = services.get(WebhookNewsService, { strict: false });
    const listeners: Record<string, Listener[]> = {
      'team.deleted': [
        ({ teamId }) => bulk.vanishTeam(teamId),
        ({ teamId }) => subscriptions.vanishTeam(teamId),
      ],
      'member.removed': [
        ({ teamId, data, occurredAt }) => keys.revokeOfMember(teamId, data.user_id as string, occurredAt),
      ],
    };
    for (const type of EVENT_TYPES) (listeners[type] ??= []).push((event) => news.fanOut(event));
    return listeners;
  }

  /** What is done when it is rung for: queue → handler → concurrency. Nothing outside this file consumes. */
  static work(services: Services): Work[] {
    const bulk = services.get(BulkProcessor, { strict: false });
    const webhooks = services.get(WebhooksProcessor, { strict: false });
    const rechecks = services.get(RechecksService, { strict: false });
    const recheckJobs = services.get(RechecksProcessor, { strict: false });
    const rowsOfLists = services.get(BulkRechecksService, { strict: false });
    const verdictOf = async (checkId: string) => {
      const verdict = await rechecks.verdict(checkId);
      return verdict && toResponse(verdict);
    };
    return [
      { queue: CHUNKS_QUEUE, concurrency: 4, handler: (_, signal) => bulk.chunks(signal) },
      // Most of them wait for mail servers.
      {
        queue: RECHECKS_QUEUE,
        concurrency: 64,
        handler: (_, signal) => recheckJobs.recheck(rowsOfLists, signal),
      },
      // Most of them wait for receivers.
      {
        queue: DELIVERIES_QUEUE,
        concurrency: 64,
        handler: (_, signal) => webhooks.deliver(signal, verdictOf),
      },
    ];
  }

  /** What is deleted in batches after a team (`team_…`) or a webhook (`whk_…`): no foreign key does it. */
  static erasers(services: Services): Erasers {
    const facts = services.get(AddressFactsService, { strict: false });
    const rechecks = services.get(RechecksService, { strict: false });
    const marks = services.get(IdempotencyMarks, { strict: false });
    const webhooks = services.get(WebhookUpkeepService, { strict: false });
    return {
      team: [
        (team) => facts.deleteByTeam(team),
        (team) => rechecks.deleteByTeam(team),
        (team) => marks.deleteByTeam(team),
      ],
      whk: [(webhook) => webhooks.deleteByWebhook(webhook)],
    };
  }

  /** What is done again and again; each run may happen on any worker, and twice does no harm. */
  static sweeps(services: Services): Sweep[] {
    const facts = services.get(AddressFactsService, { strict: false });
    const rechecks = services.get(RechecksService, { strict: false });
    const recheckQueue = services.get(RecheckQueue, { strict: false });
    const mails = services.get(PostgresMailQueue, { strict: false });
    const confirmations = services.get(SignupConfirmationsService, { strict: false });
    const usage = services.get(UsageService, { strict: false });
    const marks = services.get(IdempotencyMarks, { strict: false });
    const bulk = services.get(BulkUpkeepService, { strict: false });
    const webhooks = services.get(WebhookUpkeepService, { strict: false });
    const subscriptions = services.get(SubscriptionsService, { strict: false });
    const outbox = services.get(Outbox, { strict: false });
    const auditLog = services.get(AuditRetention, { strict: false });
    const erasures = services.get(Erasures, { strict: false });
    const log = services.get(Log, { strict: false });
    return [
      { name: 'forget idempotency keys', everyMs: MINUTE_MS, run: () => marks.forgetOld() },
      { name: 'erase expired facts', everyMs: MINUTE_MS, run: () => facts.eraseExpired() },
      { name: 'enqueue rechecks', everyMs: 5 * SECOND_MS, run: () => recheckQueue.enqueueDue() },
      { name: 'erase verdicts of rechecks', everyMs: MINUTE_MS, run: () => rechecks.eraseDue() },
      { name: 'send mails', everyMs: 5 * SECOND_MS, run: () => mails.sendDue() },
      { name: 'erase sign-up links', everyMs: 15 * MINUTE_MS, run: () => confirmations.eraseExpired() },
      { name: 'close leases of the dead', everyMs: 15 * SECOND_MS, run: () => usage.closeExpired() },
      { name: 'ring for bulk work', everyMs: 5 * SECOND_MS, run: () => bulk.ringAgain() },
      { name: 'close overdue bulk jobs', everyMs: 30 * SECOND_MS, run: () => bulk.closeOverdue() },
      { name: 'erase bulk jobs', everyMs: MINUTE_MS, run: () => bulk.eraseDue() },
      { name: 'ring for webhook deliveries', everyMs: SECOND_MS, run: () => webhooks.ringDue() },
      { name: 'erase old webhook deliveries', everyMs: MINUTE_MS, run: () => webhooks.eraseOld() },
      { name: 'settle subscriptions', everyMs: SECOND_MS, run: () => subscriptions.settleDue() },
      { name: 'forget billing events', everyMs: 60 * MINUTE_MS, run: () => subscriptions.forgetEvents() },
      {
        name: 'tell the news',
        everyMs: SECOND_MS,
        run: () => outbox.relay(WorkerModule.listeners(services), untold(log)),
      },
      { name: 'delete dispatched events', everyMs: MINUTE_MS, run: () => outbox.deleteDispatched() },
      { name: 'delete old audit entries', everyMs: 15 * MINUTE_MS, run: () => auditLog.deleteOld() },
      { name: 'delete old usage', everyMs: 15 * MINUTE_MS, run: () => usage.deleteOld() },
      {
        name: 'erase what deleted teams and webhooks had',
        everyMs: 15 * SECOND_MS,
        run: () => erasures.run(WorkerModule.erasers(services)),
      },
    ];
  }
}

/** News that a listener could not take comes round again. */
function untold(log: Log): (event: PublishedEvent, error: unknown) => void {
  return ({ id, type }, error) =>
    log.error({ event_id: id, event: type, err: describeFault(error) }, 'event not told');
}
