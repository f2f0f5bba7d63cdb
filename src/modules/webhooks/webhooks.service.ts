import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import type { Mode, Principal, TeamId } from '../../kernel/principal.js';
import { LimitReached } from '../../kernel/limit-reached.js';
import { LiveKeyRequired } from '../../kernel/live-key-required.js';
import { NotFound } from '../../kernel/not-found.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import type { EventType } from './domain/event-types.js';
import { faultOfTarget, TargetPolicy } from './domain/target.js';
import { Webhook, type WebhookChanges, type WebhookId } from './domain/webhook.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { webhookDisabled } from './domain/webhooks.events.js';

/** What a caller asks for. */
export interface WebhookInput {
  url: string;
  /** null: all. */
  events: readonly EventType[] | null;
  description: string | null;
  /** null: that of the key that was shown. */
  mode: Mode | null;
}

/** A webhook, with the only sight of its secret there will ever be. */
export interface IssuedWebhook {
  webhook: Webhook;
  secret: string;
}

const MOST_WEBHOOKS = 20;

/** Where a team wants to hear of what happens. Everybody in it may decide; a test key about webhooks of its mode. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly policy: TargetPolicy,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidRequest, LiveKeyRequired, LimitReached */
  create(caller: Principal, { url, events, description, mode }: WebhookInput): Promise<IssuedWebhook> {
    return this.work.run(async () => {
      const { teamId } = caller;
      const webhook = new Webhook(teamId, mode ?? caller.mode, url, events, description, this.clock.now());
      mayManage(caller, webhook);
      this.check(url);
      await this.webhooks.acquireLock(teamId);
      if ((await this.webhooks.count(teamId)) >= MOST_WEBHOOKS)
        throw new LimitReached('webhooks', MOST_WEBHOOKS);
      await this.webhooks.add(webhook);
      await this.record('webhook.created', webhook, { mode: webhook.mode, events });
      return { webhook, secret: webhook.secrets[0]?.text ?? '' };
    });
  }

  list(teamId: TeamId, page: PageRequest): Promise<Page<Webhook>> {
    return this.webhooks.findByTeam(teamId, page);
  }

  /** @throws NotFound */
  async get(caller: Principal, id: WebhookId): Promise<Webhook> {
    return inTeam(await this.webhooks.get(id), caller.teamId);
  }

  /** @throws NotFound, LiveKeyRequired, InvalidRequest */
  change(caller: Principal, id: WebhookId, changes: WebhookChanges): Promise<Webhook> {
    return this.work.run(async () => {
      const webhook = await this.toManage(caller, id);
      const wasEnabled = webhook.isEnabled;
      if (changes.url !== undefined) this.check(changes.url);
      webhook.change(changes);
      await this.webhooks.save(webhook);
      await this.record('webhook.updated', webhook, { changed: Object.keys(changes) });
      if (wasEnabled && !webhook.isEnabled) await this.silence(webhook);
      return webhook;
    });
  }

  /** @throws NotFound, LiveKeyRequired */
  remove(caller: Principal, id: WebhookId): Promise<void> {
    return this.work.run(async () => {
      const webhook = await this.toManage(caller, id);
      await this.webhooks.remove(id);
      await this.record('webhook.deleted', webhook, { mode: webhook.mode });
    });
  }

  /** The old secret signs too for a day. @throws NotFound, LiveKeyRequired */
  rotateSecret(caller: Principal, id: WebhookId): Promise<IssuedWebhook> {
    return this.work.run(async () => {
      const webhook = await this.toManage(caller, id);
      const secret = webhook.rotateSecret(this.clock.now());
      await this.webhooks.saveSecrets(webhook);
      await this.record('webhook.secret_rotated', webhook, {});
      return { webhook, secret };
    });
  }

  /** Held, for a change by this caller. @throws NotFound, LiveKeyRequired */
  async toManage(caller: Principal, id: WebhookId): Promise<Webhook> {
    const webhook = inTeam(await this.webhooks.lockForUpdate(id), caller.teamId);
    mayManage(caller, webhook);
    return webhook;
  }

  /** What was to be sent there is not sent any more, and the team's others hear of it; part of the open unit of work. */
  async silence(webhook: Webhook): Promise<void> {
    await this.deliveries.failPending(webhook.id);
    await this.events.publish(webhookDisabled(webhook));
    await this.record('webhook.disabled', webhook, { reason: webhook.disabledReason });
  }

  private check(url: string): void {
    const message = faultOfTarget(url, this.policy);
    if (message !== null) throw new InvalidRequest([{ pointer: '/url', code: 'not_allowed', message }]);
  }

  private record(action: string, { id, teamId }: Webhook, details: Record<string, unknown>): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'webhook', id }, details });
  }
}

function inTeam(webhook: Webhook | null, teamId: TeamId): Webhook {
  if (webhook === null || webhook.teamId !== teamId) throw new NotFound('There is no such webhook.');
  return webhook;
}

function mayManage(caller: Principal, { mode }: Webhook): void {
  if (caller.mode === 'test' && mode !== 'test') throw new LiveKeyRequired();
}
