import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Principal, TeamId, TierName } from '../../kernel/language.js';
import { Meter } from '../../kernel/meter.js';
import { then, type Soon } from '../../kernel/soon.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { accountOf, payable, reservedFor, type Answered, type Charge } from './domain/charge.js';
import { countsOf } from './domain/counts.js';
import { InTurn } from './domain/in-turn.js';
import { KnownStandings } from './domain/known-standings.js';
import { remainingOf, type Standing } from './domain/quota.js';
import { UsageRepository, type DayCounts } from './domain/usage.repository.js';
import { LeasesService } from './leases.service.js';
import { QuotaNewsService } from './quota-news.service.js';
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
  limit: number | null;
  used: number;
  reserved: number;
  remaining: number | null;
  counts: DayCounts;
}

/** Longer than any history that can be asked for. */
const KEPT_DAYS = 400;

/** What teams may use in a day, and what they have used. */
@Injectable()
export class UsageService {
  private readonly looks = new InTurn();

  constructor(
    private readonly leases: LeasesService,
    private readonly usage: UsageRepository,
    private readonly known: KnownStandings,
    private readonly news: QuotaNewsService,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /**
   * Takes units for what this process answers while the caller waits: mostly from
   * memory, and outside of any open unit of work. Every charge is settled or released.
   *
   * @throws DailyQuotaExceeded when fewer are left.
   */
  async reserve(caller: Principal, units: number): Promise<Charge> {
    if (caller.mode === 'test') return this.rehearsal(caller, units);
    const charge = await this.leases.charge(caller, units, this.limitOf(caller.tier));
    return charge ?? this.refuse(caller);
  }

  /**
   * Takes units for what is answered later, by whatever process: the charge can be
   * stored, and is committed or undone with the open unit of work. It may be
   * settled part by part, as `{ ...charge, units }` with the units of that part.
   *
   * @throws DailyQuotaExceeded when fewer are left.
   */
  async reserveForJob(caller: Principal, units: number): Promise<Charge> {
    const { teamId, tier, mode } = caller;
    if (mode === 'test') return this.rehearsal(caller, units);
    const limit = this.limitOf(tier);
    if (limit !== null) await this.makeRoom(teamId, units, limit);
    const reserved = limit === null ? 0 : units;
    const grant = await this.usage.reserve({ teamId, units: reserved, remaining: units, limit });
    if (!grant.granted) throw this.exceeded(Math.ceil(grant.secondsLeft), remainingOf(limit ?? 0, grant));
    return { teamId, account: accountOf(caller), day: grant.day, units, limit, lease: null, mode };
  }

  /**
   * What was free is given back, on the day it was charged; the rest becomes used.
   * `answered` are all rows, duplicates too.
   *
   * @throws RangeError when more are to be paid than were charged.
   */
  async settle(charge: Charge, answered: readonly Answered[]): Promise<void> {
    if (charge.mode === 'test') return;
    const paid = payable(charge, answered);
    if (charge.lease === null) return this.record(charge, paid, reservedFor(charge), answered);
    if (await this.leases.settle(charge, paid, answered)) return;
    // The lease expired meanwhile: what it had reserved is used already.
    await this.record(charge, charge.limit === null ? paid : 0, 0, answered);
  }

  /** Gives the whole charge back: what failed costs nothing. */
  async release(charge: Charge): Promise<void> {
    await this.settle(charge, []);
  }

  /** For the caller's team, to the knowledge of this process, which is at most 4 s old. */
  remaining({ teamId, tier }: Principal): Soon<Remaining> {
    const limit = this.limitOf(tier);
    return then(this.known.get(teamId) ?? this.look(teamId), (standing) => {
      const remaining = limit === null ? null : remainingOf(limit, standing) + this.leases.left(teamId);
      return { limit, remaining, resetsInSeconds: this.known.secondsLeft };
    });
  }

  /** @throws DailyQuotaExceeded when nothing at all is left today. */
  requireSome(caller: Principal): Soon<void> {
    return then(this.remaining(caller), ({ remaining, resetsInSeconds }) => {
      if (remaining === 0) throw this.exceeded(resetsInSeconds);
    });
  }

  async today(teamId: TeamId, tier: TierName): Promise<UsageToday> {
    await this.leases.withdraw(teamId);
    const standing = await this.usage.today(teamId);
    const [counts] = await this.usage.history(teamId, null, 1);
    // Midnight may pass between the two.
    if (counts?.date !== standing.day) return this.today(teamId, tier);
    const limit = this.limitOf(tier);
    const { used, reserved } = standing;
    const remaining = limit === null ? null : remainingOf(limit, standing);
    return { tier, limit, used, reserved, remaining, counts };
  }

  /** Of the key's user in this team; of a service key, the key's own. Newest first, zeroes included. */
  async accountHistory(caller: Principal, days: number): Promise<DayCounts[]> {
    await this.leases.withdraw(caller.teamId);
    return this.usage.history(caller.teamId, accountOf(caller), days);
  }

  /** Newest first, zeroes included. */
  async teamHistory(teamId: TeamId, days: number): Promise<DayCounts[]> {
    await this.leases.withdraw(teamId);
    return this.usage.history(teamId, null, days);
  }

  /** Tells the database what came of this process's charges: at least every second. */
  async flush(): Promise<void> {
    await this.leases.flush();
  }

  /** The process ends: what it holds goes back, what came of it is told. */
  async close(): Promise<void> {
    await this.leases.withdrawAll();
  }

  /** Units held by processes that died become used. @returns how many leases were closed. */
  async closeExpired(): Promise<number> {
    let closed = 0;
    while (await this.usage.closeExpiredLease()) closed++;
    return closed;
  }

  /** Days that no history shows any more. @returns how many rows. */
  deleteOld(): Promise<number> {
    return this.usage.deleteOlderThan(KEPT_DAYS);
  }

  /** What this process holds back must not be what a job lacks. */
  private async makeRoom(teamId: TeamId, units: number, limit: number): Promise<void> {
    const known = this.known.get(teamId);
    const fits = known !== null && units <= remainingOf(limit, known);
    if (!fits && this.leases.left(teamId) > 0) await this.leases.withdraw(teamId);
  }

  private async record(
    { teamId, day, limit, account }: Charge,
    used: number,
    released: number,
    answered: readonly Answered[],
  ): Promise<void> {
    const counts = answered.length === 0 ? [] : [{ account, ...countsOf(answered) }];
    await this.work.run(async () => {
      const standing = await this.usage.settle(teamId, day, { used, released, counts });
      await this.news.tell(teamId, limit, standing);
    });
  }

  /** Those who ask at the same time share one look-up. */
  private look(teamId: TeamId): Promise<Standing> {
    return this.looks.run(teamId, async () => {
      const known = this.known.get(teamId);
      if (known !== null) return known;
      const askedAtMs = this.clock.monotonicMs();
      const today = await this.usage.today(teamId);
      this.known.learn(teamId, today, askedAtMs);
      return today;
    });
  }

  private limitOf(tier: TierName): number | null {
    return this.tiers.get(tier).perDay;
  }

  private async refuse(caller: Principal): Promise<never> {
    const { remaining, resetsInSeconds } = await this.remaining(caller);
    throw this.exceeded(resetsInSeconds, remaining ?? 0);
  }

  private exceeded(resetsInSeconds: number, left = 0): DailyQuotaExceeded {
    this.meter.count('rcpt_quota_refusals_total');
    return new DailyQuotaExceeded(resetsInSeconds, left);
  }

  /** Takes nothing, and nothing will come of it. */
  private rehearsal(caller: Principal, units: number): Charge {
    const { teamId, mode } = caller;
    const day = this.clock.now().toISOString().slice(0, 10);
    return { teamId, account: accountOf(caller), day, units, limit: null, lease: null, mode };
  }
}
