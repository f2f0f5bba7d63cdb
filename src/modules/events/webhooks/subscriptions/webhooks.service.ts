import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { Events } from '../../../../kernel/events.js';
import { InvalidRequest, LimitReached, LiveKeyRequired, NotFound } from '../../../../kernel/errors.js';
import type { Principal, TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { targetError, TargetPolicy } from '../../../../kernel/target.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { TiersService } from '../../../identity/tiers/tiers.service.js';
import { DeliveryRepository } from '../domain/delivery.repository.js';
import { RECEIVER_WORDS, Webhook, type WebhookChanges, type WebhookId } from '../domain/webhook.js';
import { WebhookRepository } from '../domain/webhook.repository.js';

/** Without a mode it has that of the request's key. */
export type WebhookInput = Pick<Webhook, 'url' | 'events' | 'description'> & Partial<Pick<Webhook, 'mode'>>;

/** A webhook. Its secret is shown only here. */
export interface IssuedWebhook {
  webhook: Webhook;
  secret: string;
}

const MAX_WEBHOOKS = 20;

/** The webhooks of a team. Every member may manage them; a test key those of its mode. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly teams: TeamsService,
    private readonly tiers: TiersService,
    private readonly policy: TargetPolicy,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidRequest, LiveKeyRequired, LimitReached; UpgradeRequired for a suspended team */
  create(caller: Principal, { url, events, description, mode }: WebhookInput): Promise<IssuedWebhook> {
    return this.work.run(async () => {
      const { teamId } = caller;
      this.tiers.requireNotSuspended(caller.tier);
      const webhook = new Webhook(teamId, mode ?? caller.mode, url, events, description, this.clock.now());
      mayManage(caller, webhook);
      this.check(url);
      await this.teams.lock(teamId);
      if ((await this.webhooks.count(teamId)) >= MAX_WEBHOOKS)
        throw new LimitReached('webhooks', MAX_WEBHOOKS);
      await this.webhooks.add(webhook);
      await this.record('webhook.created', webhook, { mode: webhook.mode, events });
      return { webhook, secret: webhook.secrets[0]?.text ?? '' };
    });
  }

  list(teamId: TeamId, page: PageRequest): Promise<Page<Webhook>> {
    return this.webhooks.list(teamId, page);
  }

  /** @throws NotFound */
  async get(caller: Principal, id: WebhookId): Promise<Webhook> {
    return inTeam(await this.webhooks.find(id), caller.teamId);
  }

  /** @throws NotFound, LiveKeyRequired, InvalidRequest */
  change(caller: Principal, id: WebhookId, changes: WebhookChanges): Promise<Webhook> {
    return this.work.run(async () => {
      const webhook = await this.lockForChange(caller, id);
      const { events, isEnabled: wasEnabled } = webhook;
      if (changes.url !== undefined) this.check(changes.url);
      webhook.change(changes);
      await this.webhooks.save(webhook);
      await this.record('webhook.updated', webhook, {
        changed: Object.keys(changes),
        // URL and description are free text, and a URL may contain a secret.
        ...(changes.events !== undefined && { events: { from: events, to: webhook.events } }),
        ...(changes.enabled !== undefined && { enabled: { from: wasEnabled, to: webhook.isEnabled } }),
      });
      if (wasEnabled && !webhook.isEnabled) await this.stopDeliveries(webhook);
      return webhook;
    });
  }

  /** @throws NotFound, LiveKeyRequired */
  remove(caller: Principal, id: WebhookId): Promise<void> {
    return this.work.run(async () => {
      const webhook = await this.lockForChange(caller, id);
      await this.webhooks.delete(id);
      await this.record('webhook.deleted', webhook, { mode: webhook.mode });
    });
  }

  /** The old secret also signs for a day. @throws NotFound, LiveKeyRequired */
  rotateSecret(caller: Principal, id: WebhookId): Promise<IssuedWebhook> {
    return this.work.run(async () => {
      const webhook = await this.lockForChange(caller, id);
      const secret = webhook.rotateSecret(this.clock.now());
      await this.webhooks.saveSecrets(webhook);
      await this.record('webhook.secret_rotated', webhook, {});
      return { webhook, secret };
    });
  }

  /** Locks it for a change by this caller. @throws NotFound, LiveKeyRequired */
  async lockForChange(caller: Principal, id: WebhookId): Promise<Webhook> {
    const webhook = inTeam(await this.webhooks.findForUpdate(id), caller.teamId);
    mayManage(caller, webhook);
    return webhook;
  }

  /** Disables a webhook whose receiver does not take its deliveries, within the open unit of work. */
  async disableFailing(id: WebhookId): Promise<void> {
    const webhook = await this.webhooks.findForUpdate(id);
    if (!webhook?.isEnabled) return;
    webhook.disabledReason = 'failing';
    await this.webhooks.save(webhook);
    await this.stopDeliveries(webhook);
  }

  /** Fails its pending deliveries and publishes the event, within the open unit of work. */
  async stopDeliveries(webhook: Webhook): Promise<void> {
    const { id, teamId, mode, disabledReason: reason } = webhook;
    await this.deliveries.failPending(id);
    await this.events.publish({ type: 'webhook.disabled', teamId, data: { webhook_id: id, mode, reason } });
    await this.record('webhook.disabled', webhook, { reason });
  }

  private check(url: string): void {
    const message = targetError(url, this.policy, RECEIVER_WORDS);
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
