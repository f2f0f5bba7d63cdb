import { newId } from '../../../kernel/ids.js';
import type { Mode, TeamId } from '../../../kernel/principal.js';
import type { EventType } from './event-types.js';
import { newSecret, rotated, type SigningSecret } from './signing-secret.js';

export type WebhookId = string;

/** `owner`: somebody of the team; `gone`: the receiver said 410; `failing`: nothing arrived for days. */
export const DISABLED_REASONS = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** After so long with nothing but failures nobody is thought to be there. */
const MOST_FAILING_MS = 5 * 24 * 3_600_000;

/** What may be changed; what is left out stays. */
export interface WebhookChanges {
  url?: string | undefined;
  /** null: all. */
  events?: readonly EventType[] | null | undefined;
  description?: string | null | undefined;
  enabled?: boolean | undefined;
}

/** Where a team wants to hear of what happens. */
export class Webhook {
  readonly id: WebhookId = newId('whk');
  disabledReason: DisabledReason | null = null;
  /** The newest first. */
  secrets: SigningSecret[] = [newSecret()];
  /** When the first of an unbroken row of attempts failed; null: the last one arrived. */
  failingSince: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    /** Hears of what was done with live keys, or with test keys. */
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

  /** @returns the new secret; the ones before sign on for a day. */
  rotateSecret(now: Date): string {
    const fresh = newSecret();
    this.secrets = rotated(this.secrets, fresh, now);
    return fresh.text;
  }

  /** Another receiver, or one that is enabled anew, has not failed yet. */
  change({
    url = this.url,
    events = this.events,
    description = this.description,
    enabled,
  }: WebhookChanges): void {
    if (url !== this.url || (enabled === true && !this.isEnabled)) this.failingSince = null;
    this.url = url;
    this.events = events;
    this.description = description;
    if (enabled === true) this.disabledReason = null;
    if (enabled === false) this.disabledReason ??= 'owner';
  }

  recordSuccess(): void {
    this.failingSince = null;
  }

  /** @param at when the attempt that failed began. */
  recordFailure(at: Date): void {
    this.failingSince ??= at;
  }

  /** Whether nothing has arrived for so long that it should no longer be tried. */
  isGivenUp(now: Date): boolean {
    return this.failingSince !== null && now.getTime() - this.failingSince.getTime() >= MOST_FAILING_MS;
  }
}
