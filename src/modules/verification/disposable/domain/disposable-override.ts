import { newId } from '../../../../kernel/ids.js';
import type { TeamId, UserId } from '../../../../kernel/principal.js';

export const OVERRIDE_VERDICTS = ['disposable', 'not_disposable'] as const;
export type OverrideVerdict = (typeof OVERRIDE_VERDICTS)[number];

/** The operator's decision. */
export const OVERRIDE_STATUSES = ['pending', 'merged', 'rejected'] as const;
export type OverrideStatus = (typeof OVERRIDE_STATUSES)[number];

/** A team's or operator's decision about a domain and its subdomains, against the lists. */
export class DisposableOverride {
  readonly id: string = newId('dsp');
  /** When the operator merged it for all teams; null: not merged. */
  mergedAt: Date | null = null;
  /** When the operator rejected it; null: not rejected. */
  rejectedAt: Date | null = null;
  /** The mail server by which the engine found it. */
  mxHost: string | null = null;
  timesSeen = 0;
  lastSeenAt: Date | null = null;

  constructor(
    /** null: the operator's own, in effect once merged, or a candidate of the engine. */
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

export type OverrideInput = Pick<DisposableOverride, 'domain' | 'verdict' | 'note'>;

/** An override of the operator, in effect for every team. */
export function operatorsOverride({ domain, verdict, note }: OverrideInput, now: Date): DisposableOverride {
  const override = new DisposableOverride(null, domain, verdict, note, null, now);
  override.mergedAt = now;
  return override;
}

/** An unlisted domain whose mail servers belong to a listed provider. */
export interface DisposableCandidate {
  /** A-label, lower case, no final dot. */
  domain: string;
  /** Its mail server. */
  mxHost: string;
  /** Since the last write. */
  times: number;
  lastSeenAt: Date;
}
