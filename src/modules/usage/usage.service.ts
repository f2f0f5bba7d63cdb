import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { GroupCommit } from '../../kernel/concurrency/group-commit.js';
import type { Principal, TeamId, TierName } from '../../kernel/principal.js';
import { Meter } from '../../kernel/meter.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { accountOf, costOf, payable, reservedFor, type Answered, type Charge } from './domain/charge.js';
import { countsOf, sumByAccount, type AccountCounts, type Counts } from './domain/counts.js';
import { fitting, remainingOf, unreportedMarks } from './domain/quota.js';
import { UsageRepository, type DayCounts, type Grant, type Today } from './domain/usage.repository.js';
import { QuotaEventsService } from './quota-events.service.js';
import { DailyQuotaExceeded } from './usage.errors.js';

export { DailyQuotaExceeded } from './usage.errors.js';
export type { Answered, Charge } from './domain/charge.js';

/** The remaining quota of today. */
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

/** A call to be charged. */
interface Call {
  teamId: TeamId;
  limit: number | null;
  units: number;
  counts: AccountCounts;
}

/** Longer than the longest history of the API. */
const RETENTION_DAYS = 400;

/** Daily quotas and usage counts of teams. */
@Injectable()
export class UsageService {
  private readonly calls = new GroupCommit<Call, Grant>((calls) => this.commit(calls));

  constructor(
    private readonly usage: UsageRepository,
    private readonly quotaEvents: QuotaEventsService,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /**
   * Charges and counts answered addresses; the response waits for it. Concurrent calls of one team
   * share a statement. Not part of an open unit of work.
   *
   * @throws DailyQuotaExceeded when the cost exceeds the remaining units: nothing is counted then.
   */
  async charge(caller: Principal, answered: readonly Answered[]): Promise<void> {
    if (caller.mode === 'test') return;
    const { teamId, tier } = caller;
    const limit = this.limitOf(tier);
    const counts = countsOf(accountOf(caller), answered);
    const call = { teamId, limit, units: costOf(answered), counts };
    const grant = await this.calls.add(`${teamId} ${limit}`, call);
    if (!grant.granted) throw this.exceeded(this.secondsLeft(grant), remainingOf(limit ?? 0, grant));
  }

  /**
   * Reserves units for addresses that are answered later, by any process: the charge can be stored, and
   * is committed or rolled back with the open unit of work. It may be settled in parts, as `{
   * ...charge, units }` with the units of that part.
   *
   * @throws DailyQuotaExceeded when fewer are left.
   */
  async reserve(caller: Principal, units: number): Promise<Charge> {
    const { teamId, tier, mode } = caller;
    const limit = this.limitOf(tier);
    const charge = { teamId, account: accountOf(caller), units, limit, mode };
    if (mode === 'test') return { ...charge, limit: null, day: this.clock.now().toISOString().slice(0, 10) };
    const reserved = limit === null ? 0 : units;
    const grant = await this.usage.take({ teamId, used: 0, reserved, limit, counts: [] });
    if (!grant.granted) throw this.exceeded(this.secondsLeft(grant), remainingOf(limit ?? 0, grant));
    return { ...charge, day: grant.day };
  }

  /**
   * Releases the free units, on the day they were charged; the others become used. `answered` contains
   * all rows, including duplicates.
   *
   * @throws RangeError when the cost exceeds the charge.
   */
  async settle(charge: Charge, answered: readonly Answered[]): Promise<void> {
    if (charge.mode === 'test') return;
    const { teamId, day, limit, account } = charge;
    const used = payable(charge, answered);
    const counts = answered.length === 0 ? [] : [countsOf(account, answered)];
    await this.work.run(async () => {
      const released = reservedFor(charge);
      const status = await this.usage.settle({ teamId, day, used, released, counts });
      await this.quotaEvents.publish(teamId, limit, status);
    });
  }

  /** Releases the whole charge after a failure. */
  async release(charge: Charge): Promise<void> {
    await this.settle(charge, []);
  }

  /** Reads the quota of the caller's team into the cache, unless it was read in the last 4 s. */
  async load(caller: Principal): Promise<Remaining | null> {
    await this.usage.cached(caller.teamId);
    return this.remaining(caller);
  }

  /** The last known quota of the caller's team; null: no limit, or not known. */
  remaining({ teamId, tier }: Principal): Remaining | null {
    const limit = this.limitOf(tier);
    const today = limit === null ? null : this.usage.latest(teamId);
    if (limit === null || today === null) return null;
    return { limit, remaining: remainingOf(limit, today), resetsInSeconds: this.secondsLeft(today) };
  }

  /** @throws DailyQuotaExceeded when it is known that nothing is left today. */
  requireSome(caller: Principal): void {
    const known = this.remaining(caller);
    if (known?.remaining === 0) throw this.exceeded(known.resetsInSeconds);
  }

  async today(teamId: TeamId, tier: TierName): Promise<UsageToday> {
    const { day, used, reserved, counts } = await this.usage.today(teamId);
    const keys = await this.usage.keysOfDay(teamId, day);
    const limit = this.limitOf(tier);
    const remaining = limit === null ? null : remainingOf(limit, { used, reserved });
    return { tier, date: day, limit, used, reserved, remaining, counts, keys };
  }

  /**
   * The history of the key's user in this team; for a service key, that of the key. Newest first, days
   * without usage included.
   */
  accountHistory(caller: Principal, days: number): Promise<DayCounts[]> {
    return this.usage.history(caller.teamId, accountOf(caller), days);
  }

  /** Newest first, days without usage included. */
  teamHistory(teamId: TeamId, days: number): Promise<DayCounts[]> {
    return this.usage.history(teamId, null, days);
  }

  /** Deletes days that no history shows any more. @returns the number of rows. */
  deleteOld(): Promise<number> {
    return this.usage.deleteOlderThan(RETENTION_DAYS);
  }

  /** Commits calls of one team under one limit: all of them, or those that fit. */
  private async commit(calls: readonly Call[], candidates = calls): Promise<Grant[]> {
    const [{ teamId, limit }] = calls as readonly [Call];
    const used = candidates.reduce((sum, { units }) => sum + units, 0);
    const counts = sumByAccount(candidates.map((call) => call.counts));
    const grant = await this.usage.charge({ teamId, used, reserved: 0, limit, counts });
    if (unreportedMarks(limit, grant).length > 0) await this.publish(teamId, limit, grant);
    if (grant.granted) return calls.map((call) => ({ ...grant, granted: candidates.includes(call) }));
    const fittingCalls = fitting(candidates, remainingOf(limit ?? 0, grant));
    return fittingCalls.length === 0 ? calls.map(() => grant) : this.commit(calls, fittingCalls);
  }

  /** The calls are already charged. If this fails, the next charge of the day publishes the events. */
  private async publish(teamId: TeamId, limit: number | null, grant: Grant): Promise<void> {
    const published = this.work.runInNew(() => this.quotaEvents.publish(teamId, limit, grant));
    await published.catch(() => undefined);
  }

  private limitOf(tier: TierName): number | null {
    return this.tiers.get(tier).perDay;
  }

  /** At least 1, so that no client retries too early. */
  private secondsLeft({ endsAtMs }: Today): number {
    return Math.max(1, Math.ceil((endsAtMs - this.clock.monotonicMs()) / 1000));
  }

  private exceeded(resetsInSeconds: number, left = 0): DailyQuotaExceeded {
    this.meter.count('rcpt_quota_rejections_total');
    return new DailyQuotaExceeded(resetsInSeconds, left);
  }
}
