import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Clock } from '../../../../kernel/clock.js';
import { Meter } from '../../../../kernel/meter.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import type { LeasedDelivery, Outcome } from '../domain/delivery.js';
import { DeliveryRepository } from '../domain/delivery.repository.js';
import { isGone, stepAfter } from '../domain/schedule.js';
import { signedHeaders, signing } from '../domain/signing-secret.js';
import { WebhookRepository } from '../domain/webhook.repository.js';
import { WebhooksService } from '../subscriptions/webhooks.service.js';
import { WebhookSender } from '../domain/webhook-sender.js';

const CHANCES = 1_000_000;

/**
 * Sends due deliveries. When a worker dies, its lease expires and the delivery is sent again under the
 * same id.
 */
@Injectable()
export class WebhookSendingService {
  constructor(
    readonly deliveries: DeliveryRepository,
    private readonly webhooks: WebhookRepository,
    private readonly webhooksService: WebhooksService,
    private readonly sender: WebhookSender,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /** @param data of the event; null: it was erased. */
  async send(claimed: LeasedDelivery, data: object | null): Promise<void> {
    const at = this.clock.now();
    const outcome = await this.post(claimed, at, data);
    this.meter.count('rcpt_webhook_attempts_total', outcome.error ?? 'succeeded');
    await this.work.run(() => this.record(claimed, at, outcome));
  }

  private async post(claimed: LeasedDelivery, at: Date, data: object | null): Promise<Outcome> {
    const { eventId, url, secrets } = claimed;
    if (data === null) return unsent('content_erased');
    if (signing(secrets, at).length === 0) return unsent('secret_unreadable');
    const body = JSON.stringify({ type: claimed.type, timestamp: claimed.occurredAt.toISOString(), data });
    return this.sender.post(url, signedHeaders(eventId, at, body, secrets), body);
  }

  private async record(claimed: LeasedDelivery, at: Date, outcome: Outcome): Promise<void> {
    const webhook = await this.webhooks.findForUpdate(claimed.webhookId);
    if (webhook === null) return;
    const now = this.clock.now();
    const step = stepAfter(claimed.tries + 1, outcome, now, randomInt(CHANCES) / CHANCES);
    const { statusCode, durationMs, error, excerpt } = outcome;
    const attempt = { at: at.toISOString(), statusCode, durationMs, error, excerpt };
    if (!(await this.deliveries.addAttempt(claimed, attempt, step))) return;
    // The result says nothing about a receiver whose URL has changed since, or to which nothing was
    // sent.
    if (claimed.url !== webhook.url || isInternalError(outcome)) return;
    // The common case: nothing to update.
    if (error === null && webhook.failingSince === null && webhook.hasSucceeded) return;
    webhook.attempted(at, error === null);
    const isFailing = webhook.isFailingTooLong(now, step.status === 'failed');
    const wasEnabled = webhook.isEnabled;
    if (isGone(outcome)) webhook.disabledReason ??= 'gone';
    else if (isFailing) webhook.disabledReason ??= 'failing';
    await this.webhooks.save(webhook);
    if (wasEnabled && !webhook.isEnabled) await this.webhooksService.stopDeliveries(webhook);
  }
}

function unsent(error: 'content_erased' | 'secret_unreadable'): Outcome {
  return { statusCode: null, durationMs: 0, error, excerpt: null, retryAfter: null };
}

function isInternalError({ error }: Outcome): boolean {
  return error === 'content_erased' || error === 'secret_unreadable';
}
