import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Principal, TeamId, TierName } from '../../kernel/principal.js';
import { Meter } from '../../kernel/meter.js';
import { then, type Soon } from '../../kernel/soon.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { accountOf, costOf, payable, reservedFor, type Answered, type Charge } from './domain/charge.js';
import { countsOf, sumByAccount, type AccountCounts, type Counts } from './domain/counts.js';
import { GroupCommit } from './domain/group-commit.js';
import { fitting, remainingOf } from './domain/quota.js';
import { UsageRepository, type DayCounts, type Grant, type Today } from './domain/usage.repository.js';
import { QuotaEventsService } from './quota-events.service.js';
import { DailyQuotaExceeded } from './usage.errors.js';

export { DailyQuotaExceeded } from './usage.errors.js';
export type { Answered, Charge } from './domain/charge.js';

/** What is left today. */
export interface Remaining {
  /** null: no limit. */
  limit: number | null;
  remaining: number | null;
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
}

/** A call that is about to be answered. */
interface Call {
  teamId: TeamId;
  limit: number | null;
  units: number;
  counts: AccountCounts;
}

/** Longer than any history that can be asked for. */
const KEPT_DAYS = 400;

/** What teams may use in a day, and what they have used. */
@Injectable()
export class UsageService {
  private readonly calls = new GroupCommit<Call, Grant>((calls) => this.commit(calls));

  constructor(
    private readonly usage: UsageRepository,
    private readonly news: QuotaEventsService,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /**
   * Charges and counts what is about to be answered; whoever answers waits for it. Calls of one
   * team that end while a transaction of it runs share the next one. Not part of an open unit of work.
   *
   * @throws DailyQuotaExceeded when fewer are left than these cost: then nothing is counted.
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
   * Takes units for what is answered later, by whatever process: the charge can be
   * stored, and is committed or undone with the open unit of work. It may be
   * settled part by part, as `{ ...charge, units }` with the units of that part.
   *
   * @throws DailyQuotaExceeded when fewer are left.
   */
  async reserve(caller: Principal, units: number): Promise<Charge> {
    const { teamId, tier, mode } = caller;
    const limit = this.limitOf(tier);
    const charge = { teamId, account: accountOf(caller), units, limit, lease: null, mode };
    if (mode === 'test') return { ...charge, limit: null, day: this.clock.now().toISOString().slice(0, 10) };
    const reserved = limit === null ? 0 : units;
    const grant = await this.usage.take({ teamId, used: 0, reserved, limit, counts: [] });
    if (!grant.granted) throw this.exceeded(this.secondsLeft(grant), remainingOf(limit ?? 0, grant));
    return { ...charge, day: grant.day };
  }

  /**
   * What was free is given back, on the day it was charged; the rest becomes used.
   * `answered` are all rows, duplicates too.
   *
   * @throws RangeError when more are to be paid than were charged.
   */
  async settle(charge: Charge, answered: readonly Answered[]): Promise<void> {
    if (charge.mode === 'test') return;
    const { teamId, day, limit, account } = charge;
    const used = payable(charge, answered);
    const counts = answered.length === 0 ? [] : [countsOf(account, answered)];
    await this.work.run(async () => {
      const released = reservedFor(charge);
      const standing = await this.usage.settle({ teamId, day, used, released, counts });
      await this.news.publish(teamId, limit, standing);
    });
  }

  /** Gives the whole charge back: what failed costs nothing. */
  async release(charge: Charge): Promise<void> {
    await this.settle(charge, []);
  }

  /** For the caller's team, to the knowledge of this process, which is at most 4 s old. */
  remaining({ teamId, tier }: Principal): Soon<Remaining> {
    const limit = this.limitOf(tier);
    return then(this.usage.known(teamId), (today) => ({
      limit,
      remaining: limit === null ? null : remainingOf(limit, today),
      resetsInSeconds: this.secondsLeft(today),
    }));
  }

  /** @throws DailyQuotaExceeded when nothing at all is left today. */
  requireSome(caller: Principal): Soon<void> {
    return then(this.remaining(caller), ({ remaining, resetsInSeconds }) => {
      if (remaining === 0) throw this.exceeded(resetsInSeconds);
    });
  }

  async today(teamId: TeamId, tier: TierName): Promise<UsageToday> {
    const { day, used, reserved, counts } = await this.usage.today(teamId);
    const limit = this.limitOf(tier);
    const remaining = limit === null ? null : remainingOf(limit, { used, reserved });
    return { tier, date: day, limit, used, reserved, remaining, counts };
  }

  /** Of the key's user in this team; of a service key, the key's own. Newest first, zeroes included. */
  accountHistory(caller: Principal, days: number): Promise<DayCounts[]> {
    return this.usage.history(caller.teamId, accountOf(caller), days);
  }

  /** Newest first, zeroes included. */
  teamHistory(teamId: TeamId, days: number): Promise<DayCounts[]> {
    return this.usage.history(teamId, null, days);
  }

  /**
   * Processes of the version before held units in leases. While some may still run, those of the
   * dead become used; the version after this one drops the table.
   *
   * @returns how many leases were closed.
   */
  async closeExpired(): Promise<number> {
    let closed = 0;
    while (await this.usage.closeExpiredLease()) closed++;
    return closed;
  }

  /** Days that no history shows any more. @returns how many rows. */
  deleteOld(): Promise<number> {
    return this.usage.deleteOlderThan(KEPT_DAYS);
  }

  /** Calls of one team under one limit: all of them, or, near the limit, those that fit. */
  private async commit(calls: readonly Call[], candidates = calls): Promise<Grant[]> {
    const [{ teamId, limit }] = calls as readonly [Call];
    const used = candidates.reduce((sum, { units }) => sum + units, 0);
    const counts = sumByAccount(candidates.map((call) => call.counts));
    const grant = await this.work.runInNew(async () => {
      const grant = await this.usage.take({ teamId, used, reserved: 0, limit, counts });
      await this.news.publish(teamId, limit, grant);
      return grant;
    });
    this.usage.learn(teamId, grant);
    if (grant.granted) return calls.map((call) => ({ ...grant, granted: candidates.includes(call) }));
    const fewer = fitting(candidates, remainingOf(limit ?? 0, grant));
    return fewer.length === 0 ? calls.map(() => grant) : this.commit(calls, fewer);
  }

  private limitOf(tier: TierName): number | null {
    return this.tiers.get(tier).perDay;
  }

  /** At least 1, so that nobody comes back a moment too early. */
  private secondsLeft({ endsAtMs }: Today): number {
    return Math.max(1, Math.ceil((endsAtMs - this.clock.monotonicMs()) / 1000));
  }

  private exceeded(resetsInSeconds: number, left = 0): DailyQuotaExceeded {
    this.meter.count('rcpt_quota_refusals_total');
    return new DailyQuotaExceeded(resetsInSeconds, left);
  }
}
