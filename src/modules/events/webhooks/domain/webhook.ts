import type { EventName } from '../../../../kernel/events.js';
import { newId } from '../../../../kernel/ids.js';
import type { Mode, TeamId } from '../../../../kernel/principal.js';
import { newSecret, rotated, type SigningSecret } from './signing-secret.js';
import { DAY_MS } from '../../../../kernel/durations.js';

export type WebhookId = string;

/** Events that teams can subscribe to: all except those that only modules use. */
export type EventType = Exclude<EventName, 'team.deleted'>;

/**
 * `owner`: by a member of the team; `gone`: the receiver responded with 410; `failing`: all attempts failed
 * for days.
 */
export const DISABLED_REASONS = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Of the URL of a receiver. */
export const RECEIVER_WORDS = {
  example: 'https://example.com/hooks',
  credentials: 'The signature authenticates the sender.',
};

/** A webhook is disabled after failing for this long: sooner if its URL has never worked, but not before the last attempt of a delivery. */
const MAX_FAILING_MS = { proven: 5 * DAY_MS, unproven: 2 * DAY_MS };
/** Deliveries of a webhook that wait, and those that have ended. Each API call of a team can add some. */
export const MAX_DELIVERIES = 5_000;

/** Changes; omitted fields stay. */
export interface WebhookChanges {
  url?: string | undefined;
  /** null: all. */
  events?: readonly EventType[] | null | undefined;
  description?: string | null | undefined;
  enabled?: boolean | undefined;
}

export class Webhook {
  readonly id: WebhookId = newId('whk');
  disabledReason: DisabledReason | null = null;
  /** The newest first. */
  secrets: SigningSecret[] = [newSecret()];
  /** When the first of the consecutive failed attempts began; null: the last one succeeded. */
  failingSince: Date | null = null;

  /** Whether a delivery to its URL has succeeded. */
  hasSucceeded = false;

  constructor(
    readonly teamId: TeamId,
    /** Receives events of live keys, or of test keys. */
    readonly mode: Mode,
    public url: string,
    /** null: all. */
    public events: readonly EventType[] | null,
    public description: string | null,
    readonly createdAt: Date,
  ) {}

  get isEnabled(): boolean {
    return this.disabledReason === null;
  }

  /** @returns the new secret; the previous ones sign for another day. */
  rotateSecret(now: Date): string {
    const fresh = newSecret();
    this.secrets = rotated(this.secrets, fresh, now);
    return fresh.text;
  }

  /** A new URL, or enabling it again, resets the failures. */
  change({
    url = this.url,
    events = this.events,
    description = this.description,
    enabled,
  }: WebhookChanges): void {
    if (url !== this.url || (enabled === true && !this.isEnabled)) this.failingSince = null;
    if (url !== this.url) this.hasSucceeded = false;
    this.url = url;
    this.events = events;
    this.description = description;
    if (enabled === true) this.disabledReason = null;
    if (enabled === false) this.disabledReason ??= 'owner';
  }

  /** The result of an attempt to send to it. */
  attempted(at: Date, succeeded: boolean): void {
    this.failingSince = succeeded ? null : (this.failingSince ?? at);
    this.hasSucceeded ||= succeeded;
  }

  /** Whether it has failed for so long that it should be disabled. @param isLast the delivery has failed for good. */
  isFailingTooLong(now: Date, isLast: boolean): boolean {
    if (this.failingSince === null || (this.hasSucceeded && !isLast)) return false;
    const max = this.hasSucceeded ? MAX_FAILING_MS.proven : MAX_FAILING_MS.unproven;
    return now.getTime() - this.failingSince.getTime() >= max;
  }
}
