import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { Meter } from '../../kernel/meter.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { LeasedDelivery, Outcome } from './domain/delivery.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { isGone, stepAfter } from './domain/schedule.js';
import { signedHeaders, signing } from './domain/signing-secret.js';
import type { DisabledReason, Webhook } from './domain/webhook.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookSender } from './domain/webhook-sender.js';
import { WebhooksService } from './webhooks.service.js';

/** The verdict that a `verification.completed` tells of, in the API's shape; null when it was erased. */
export type FindVerdict = (checkId: string) => Promise<object | null>;

const CHANCES = 1_000_000;

/** Sends what is due. A worker that dies on the way leaves a lease that ends: then it is sent again, under the same id. */
@Injectable()
export class WebhookSendingService {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly webhooks: WebhookRepository,
    private readonly managing: WebhooksService,
    private readonly sender: WebhookSender,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /** @returns false: nothing is due, or whatever is due has to wait for its webhook. */
  async sendNext(verdictOf: FindVerdict): Promise<boolean> {
    const held = await this.work.run(() => this.deliveries.claim(this.clock.now()));
    if (held === null) return false;
    const at = this.clock.now();
    const outcome = await this.send(held, at, verdictOf);
    this.meter.count('rcpt_webhook_attempts_total', outcome.error ?? 'arrived');
    await this.work.run(() => this.record(held, at, outcome));
    return true;
  }

  private async send(held: LeasedDelivery, at: Date, verdictOf: FindVerdict): Promise<Outcome> {
    const { eventId, url, secrets } = held;
    const data = await dataOf(held, verdictOf);
    if (data === null) return unsent('content_erased');
    if (signing(secrets, at).length === 0) return unsent('secret_unreadable');
    const body = JSON.stringify({ type: held.type, timestamp: held.occurredAt.toISOString(), data });
    return this.sender.post(url, signedHeaders(eventId, at, body, secrets), body);
  }

  private async record(held: LeasedDelivery, at: Date, outcome: Outcome): Promise<void> {
    const webhook = await this.webhooks.lockForUpdate(held.webhookId);
    if (webhook === null) return;
    const now = this.clock.now();
    const step = stepAfter(held.tries + 1, outcome, now, randomInt(CHANCES) / CHANCES);
    const { statusCode, durationMs, error, excerpt } = outcome;
    if (!(await this.deliveries.record(held, { at, statusCode, durationMs, error, excerpt }, step))) return;
    // It says nothing about a receiver that was named since, or of one that nothing was sent to.
    if (held.url !== webhook.url || isOurFault(outcome)) return;
    // As nearly always.
    if (error === null && webhook.failingSince === null) return;
    if (error === null) webhook.recordSuccess();
    else webhook.recordFailure(at);
    const givenUp = step.status === 'failed' && webhook.isGivenUp(now);
    const reason = isGone(outcome) ? 'gone' : givenUp ? 'failing' : null;
    await this.noteHealth(webhook, reason);
  }

  private async noteHealth(webhook: Webhook, reason: DisabledReason | null): Promise<void> {
    const ends = webhook.isEnabled && reason !== null;
    if (ends) webhook.disabledReason = reason;
    await this.webhooks.save(webhook);
    if (ends) await this.managing.silence(webhook);
  }
}

/** What an event tells; its verdict is looked up at every attempt, so that an erased one is not told. */
async function dataOf({ type, data }: LeasedDelivery, verdictOf: FindVerdict): Promise<object | null> {
  if (type !== 'verification.completed') return data;
  const verdict = await verdictOf(String(data.check_id));
  return verdict && { ...data, verdict };
}

function unsent(error: 'content_erased' | 'secret_unreadable'): Outcome {
  return { statusCode: null, durationMs: 0, error, excerpt: null, retryAfter: null };
}

function isOurFault({ error }: Outcome): boolean {
  return error === 'content_erased' || error === 'secret_unreadable';
}
