import { newId } from '../../../kernel/ids.js';
import type { TeamId, UserId } from '../../../kernel/principal.js';

export const OVERRIDE_VERDICTS = ['disposable', 'not_disposable'] as const;
export type OverrideVerdict = (typeof OVERRIDE_VERDICTS)[number];

/** What the operator made of it. */
export const OVERRIDE_STATUSES = ['pending', 'merged', 'rejected'] as const;
export type OverrideStatus = (typeof OVERRIDE_STATUSES)[number];

/** What a team, or the operator, says about a domain and its subdomains against what the lists say. */
export class DisposableOverride {
  readonly id: string = newId('dsp');
  /** When the operator took it over for all teams; null: not yet. */
  mergedAt: Date | null = null;
  /** When the operator decided not to; null: not yet, or merged. */
  rejectedAt: Date | null = null;
  /** The mail server that gave the domain away, where the engine noticed it. */
  mxHost: string | null = null;
  /** How often the engine noticed it. */
  timesSeen = 0;
  lastSeenAt: Date | null = null;

  constructor(
    /** null: the operator's own, in force once merged, or one that the engine noticed and nobody merged yet. */
    readonly teamId: TeamId | null,
    /** A-label, lower case, no final dot. */
    readonly domain: string,
    readonly verdict: OverrideVerdict,
    readonly note: string | null,
    readonly createdBy: UserId | null,
    readonly createdAt: Date,
  ) {}

  get status(): OverrideStatus {
    if (this.mergedAt !== null) return 'merged';
    return this.rejectedAt === null ? 'pending' : 'rejected';
  }
}

/** The operator's own word, in force for every team. */
export function operatorsOverride(
  { domain, verdict, note }: Pick<DisposableOverride, 'domain' | 'verdict' | 'note'>,
  now: Date,
): DisposableOverride {
  const override = new DisposableOverride(null, domain, verdict, note, null, now);
  override.mergedAt = now;
  return override;
}
