import { Injectable } from '@nestjs/common';
import type { Charge } from '../../../kernel/charge.js';
import { Clock } from '../../../kernel/clock.js';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import { wholeSeconds } from '../../../kernel/durations.js';
import { Events } from '../../../kernel/events.js';
import { PUBLISHABLE_SHARE, type Principal, type TeamId, type TierName } from '../../../kernel/principal.js';
import { Meter } from '../../../kernel/meter.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import {
  accountOf,
  costOf,
  countsOf,
  sumByAccount,
  type AccountCounts,
  type ChargeableVerdict,
  type Counts,
  type Payer,
} from './domain/charge.js';
import {
  fitting,
  remainingFor,
  remainingOf,
  unreportedThresholds,
  type QuotaStatus,
} from './domain/quota.js';
import {
  UsageRepository,
  type DayCounts,
  type Grant,
  type Today,
  type UsageRequest,
} from './domain/usage.repository.js';
import type { QuotaPayload } from './domain/usage.events.js';
import { DailyQuotaExceeded } from './usage.errors.js';

export { DailyQuotaExceeded } from './usage.errors.js';
export { isFree, type ChargeableVerdict, type Payer } from './domain/charge.js';

export interface Remaining {
  limit: number;
  remaining: number;
  resetsInSeconds: number;
}

export interface UsageToday {
  tier: TierName;
  date: string;
  limit: number | null;
  used: number;
  reserved: number;
  remaining: number | null;
  counts: Counts;
  /** The account is the id of the key. */
  keys: AccountCounts[];
}

type Limits = Pick<UsageRequest, 'limit' | 'share'>;

const EVENT_OF = { warned: 'quota.warning', exceeded: 'quota.exceeded' } as const;

@Injectable()
export class UsageService {
  private readonly calls = new BatchedWriter<UsageRequest, Grant>({ write: (calls) => this.commit(calls) });

  constructor(
    private readonly usage: UsageRepository,
    private readonly tiers: TiersService,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /**
   * Charges and counts verdicts; the response waits for it. Concurrent calls of one team
   * share a statement. Not part of an open unit of work.
   *
   * @throws DailyQuotaExceeded when the cost exceeds the remaining units, for a publishable key those of
   * its share: nothing is counted then.
   */
  async charge(caller: Payer, verdicts: readonly ChargeableVerdict[]): Promise<void> {
    if (caller.mode === 'test') return;
    const { teamId } = caller;
    const limits = this.limitsOf(caller);
    const counts = [countsOf(accountOf(caller), verdicts)];
    const call = { teamId, ...limits, used: costOf(verdicts), reserved: 0, counts };
    const grant = await this.calls.add(`${teamId} ${limits.limit} ${limits.share}`, call);
    if (!grant.granted) throw this.exceeded(limits, grant);
  }

  /**
   * Reserves units for addresses that are verified later, by any process: the charge can be stored, and
   * is committed or rolled back with the open unit of work. It may be charged in parts, as `{
   * ...charge, units }` with the units of that part.
   *
   * @throws DailyQuotaExceeded when fewer are left.
   */
  async reserve(caller: Payer, units: number): Promise<Charge> {
    const { teamId, mode } = caller;
    const limits = this.limitsOf(caller);
    const { limit } = limits;
    const share = caller.publishable === null ? {} : { publishable: true as const };
    const charge = { teamId, account: accountOf(caller), units, limit, mode, ...share };
    if (mode === 'test') return { ...charge, limit: null, day: this.clock.now().toISOString().slice(0, 10) };
    const reserved = limit === null ? 0 : units;
    const grant = await this.usage.reserve({ teamId, used: 0, reserved, ...limits, counts: [] });
    if (!grant.granted) throw this.exceeded(limits, grant);
    return { ...charge, day: grant.day };
  }

  /**
   * Releases the free units, on the day they were charged; the others become used. `verdicts` contains
   * all rows, including duplicates.
   *
   * @throws RangeError when the cost exceeds the charge.
   */
  async chargeReserved(charge: Charge, verdicts: readonly ChargeableVerdict[]): Promise<void> {
    if (charge.mode === 'test') return;
    const { teamId, day, limit, account, units } = charge;
    const used = costOf(verdicts);
    // It would overdraw the quota.
    if (used > units) throw new RangeError(`the cost ${used} exceeds the charged ${units} units`);
    const counts = verdicts.length === 0 ? [] : [countsOf(account, verdicts)];
    await this.work.run(async () => {
      const released = limit === null ? 0 : units;
      const returned = charge.publishable === true ? Math.max(0, released - used) : 0;
      const status = await this.usage.chargeReserved({ teamId, day, used, released, returned, counts });
      await this.publishThresholds(teamId, limit, status);
    });
  }

  /** Releases the whole charge after a failure. */
  async release(charge: Charge): Promise<void> {
    await this.chargeReserved(charge, []);
  }

  /** Reads the quota of the caller's team into the cache, unless it was read in the last 4 s. */
  async load(caller: Principal): Promise<Remaining | null> {
    await this.usage.getCached(caller.teamId);
    return this.remaining(caller);
  }

  /** The last known quota of the caller's team, of a publishable key its share; null: no limit, or not known. */
  remaining(caller: Payer): Remaining | null {
    const { limit, share } = this.limitsOf(caller);
    const today = limit === null ? null : this.usage.findCached(caller.teamId);
    if (limit === null || today === null) return null;
    const remaining = remainingFor(limit, share, today);
    return { limit, remaining, resetsInSeconds: this.secondsLeft(today) };
  }

  /** @throws DailyQuotaExceeded when it is known that nothing is left today. */
  requireSome(caller: Payer): void {
    const today = this.remaining(caller)?.remaining === 0 ? this.usage.findCached(caller.teamId) : null;
    if (today !== null) throw this.exceeded(this.limitsOf(caller), today);
  }

  async today(teamId: TeamId, tier: TierName): Promise<UsageToday> {
    const { day, used, reserved, counts } = await this.usage.getToday(teamId);
    const keys = await this.usage.listKeysOfDay(teamId, day);
    const limit = this.limitOf(tier);
    const remaining = limit === null ? null : remainingOf(limit, { used, reserved });
    return { tier, date: day, limit, used, reserved, remaining, counts, keys };
  }

  /**
   * The history of the key's user in this team; for a service key, that of the key. Newest first, days
   * without usage included.
   */
  accountHistory(caller: Principal, days: number): Promise<DayCounts[]> {
    return this.usage.listHistory(caller.teamId, accountOf(caller), days);
  }

  /** Newest first, days without usage included. */
  teamHistory(teamId: TeamId, days: number): Promise<DayCounts[]> {
    return this.usage.listHistory(teamId, null, days);
  }

  /** Commits calls of one team under one limit: all of them, or those that fit. */
  private async commit(calls: readonly UsageRequest[], candidates = calls): Promise<Grant[]> {
    const [{ teamId, limit, share }] = calls as readonly [UsageRequest];
    const used = candidates.reduce((sum, call) => sum + call.used, 0);
    const counts = sumByAccount(candidates.flatMap((call) => call.counts));
    const grant = await this.usage.charge({ teamId, used, reserved: 0, limit, share, counts });
    if (unreportedThresholds(limit, grant).length > 0) await this.publishApart(teamId, limit, grant);
    if (grant.granted) return calls.map((call) => ({ ...grant, granted: candidates.includes(call) }));
    const fittingCalls = fitting(candidates, remainingFor(limit ?? 0, share, grant));
    return fittingCalls.length === 0 ? calls.map(() => grant) : this.commit(calls, fittingCalls);
  }

  /** The calls are already charged. If this fails, the next charge of the day publishes the events. */
  private async publishApart(teamId: TeamId, limit: number | null, grant: Grant): Promise<void> {
    const published = this.work.runInNew(() => this.publishThresholds(teamId, limit, grant));
    await published.catch(() => undefined);
  }

  /** An event, once per day when 80 % and once when 100 % of the quota are used. Within the open unit of work. */
  private async publishThresholds(teamId: TeamId, limit: number | null, status: QuotaStatus): Promise<void> {
    if (limit === null) return;
    for (const threshold of unreportedThresholds(limit, status)) {
      if (!(await this.usage.markReported(teamId, status.day, threshold))) continue;
      const data: QuotaPayload = { mode: 'live', date: status.day, limit, used: status.used };
      await this.events.publish({ type: EVENT_OF[threshold], teamId, data });
    }
  }

  /** The units of the day; `share` are those of all publishable keys, if this is one. */
  private limitsOf({ tier, publishable }: Pick<Payer, 'tier' | 'publishable'>): Limits {
    const limit = this.limitOf(tier);
    return {
      limit,
      share: limit === null || publishable === null ? null : Math.floor(limit * PUBLISHABLE_SHARE),
    };
  }

  private limitOf(tier: TierName): number | null {
    return this.tiers.get(tier).perDay;
  }

  private secondsLeft({ endsAtMs }: Today): number {
    return wholeSeconds((endsAtMs - this.clock.monotonicMs()) / 1_000);
  }

  private exceeded({ limit, share }: Limits, today: Today): DailyQuotaExceeded {
    this.meter.count('rcpt_quota_rejections_total');
    const left = remainingFor(limit ?? 0, share, today);
    const ofShare = left === 0 && remainingOf(limit ?? 0, today) > 0;
    return new DailyQuotaExceeded(this.secondsLeft(today), left, ofShare);
  }
}
