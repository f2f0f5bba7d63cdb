import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../kernel/errors.js';
import { PUBLISHABLE_SHARE, type Principal, type TeamId } from '../../../kernel/principal.js';
import { TiersService } from '../tiers/tiers.service.js';
import { UsageService } from '../usage/usage.service.js';
import { rateFields, type Policy } from './domain/rate-fields.js';
import { RateLimiter, type Rate, type RateDecision } from './domain/rate-limiter.js';
import { DAY_SECONDS } from '../../../kernel/durations.js';

/** Of the events that providers of mail send to a team; they have no key, and do not count as its requests. */
const EVENTS: Rate = { perSecond: 1_000, burst: 20_000 };

/** One bucket per team for all its live keys, and one for its test keys. */
const bucketOf = ({ teamId, mode }: Principal) => `${teamId}:${mode}`;

/** Of all publishable keys of the team, which take from both. */
const shareBucketOf = (principal: Principal) => `${bucketOf(principal)}:publishable`;

/** At least one request, so that a rate without a burst does not disable publishable keys. */
function shareOf({ perSecond, burst }: Rate): Rate {
  const ofBurst = Math.max(1, Math.floor(burst * PUBLISHABLE_SHARE));
  return { perSecond: perSecond * PUBLISHABLE_SHARE, burst: ofBurst };
}

export interface Consumed {
  /** null: the tier has no rate limit. */
  decision: RateDecision | null;
  /** The fields that report the limits. */
  fields: Record<string, string>;
  /** For the fields after the call was charged; undefined: the call is not charged to a daily quota. */
  burst?: Policy | null;
}

/** The limits of a caller's team. Every response to a secret key reports them in its headers. */
@Injectable()
export class TeamLimitsService {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
    private readonly usage: UsageService,
  ) {}

  /**
   * Takes from the bucket, and reads the quota.
   *
   * @param cost 0: the request is refused and not counted.
   */
  async consume(principal: Principal, cost: 0 | 1): Promise<Consumed> {
    const { rate, perDay } = this.tiers.get(principal.tier);
    const decision = rate && (await this.limiter.consume(bucketOf(principal), rate, cost));
    const burst = rate && decision && burstPolicy(rate, decision);
    if (perDay === null || principal.mode === 'test') return { decision, fields: fieldsOf(burst, null) };
    await this.loadQuota(principal);
    return { decision, fields: this.fieldsAfter(principal, burst), burst };
  }

  /** The fields with the current quota. */
  fieldsAfter(principal: Principal, burst: Policy | null): Record<string, string> {
    const { perDay } = this.tiers.get(principal.tier);
    return fieldsOf(burst, perDay === null ? null : this.daily(principal, perDay));
  }

  /**
   * Takes from the bucket of the team's publishable keys and from that of the team, and reads the quota.
   * The headers of such a response are those of the client.
   *
   * @returns the first refusal, with nothing taken; null: allowed, or the tier has no rate limit.
   */
  async consumePublishable(principal: Principal): Promise<RateDecision | null> {
    const { rate, perDay } = this.tiers.get(principal.tier);
    if (rate !== null) {
      const ofShare = await this.limiter.consume(shareBucketOf(principal), shareOf(rate));
      if (!ofShare.allowed) return ofShare;
      const ofTeam = await this.limiter.consume(bucketOf(principal), rate);
      if (!ofTeam.allowed) {
        await this.limiter.giveBack(shareBucketOf(principal), shareOf(rate));
        return ofTeam;
      }
    }
    if (perDay !== null && principal.mode === 'live') await this.loadQuota(principal);
    return null;
  }

  /** After `consumePublishable`: the request is refused and does not count. */
  async giveBackPublishable(principal: Principal): Promise<void> {
    const { rate } = this.tiers.get(principal.tier);
    if (rate === null) return;
    await this.limiter.giveBack(shareBucketOf(principal), shareOf(rate));
    await this.limiter.giveBack(bucketOf(principal), rate);
  }

  /** Takes from the bucket of events of the team. @param cost at most 20,000. @throws RateLimited */
  async takeEvents(teamId: TeamId, cost: number): Promise<void> {
    const decision = await this.limiter.consume(`${teamId}:events`, EVENTS, cost);
    if (!decision.allowed) throw new RateLimited(decision.retryAfterSeconds);
  }

  /** Without the database the response has no current state of the quota. */
  private async loadQuota(principal: Principal): Promise<void> {
    await this.usage.load(principal).catch(() => undefined);
  }

  private daily(principal: Principal, quota: number): Policy {
    const known = this.usage.remaining(principal);
    const state = known && { remaining: known.remaining, resetAfterSeconds: known.resetsInSeconds };
    return { name: 'daily', quota, windowSeconds: DAY_SECONDS, state };
  }
}

function burstPolicy({ burst, perSecond }: Rate, decision: RateDecision): Policy {
  // Together with `Retry-After`, `t` has the same value: the time until the next request is allowed.
  const state = decision.allowed ? decision : { remaining: 0, resetAfterSeconds: decision.retryAfterSeconds };
  return { name: 'burst', quota: burst, windowSeconds: burst / perSecond, state };
}

function fieldsOf(...policies: readonly (Policy | null)[]): Record<string, string> {
  return rateFields(policies.filter((policy) => policy !== null));
}
