import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import type { Principal, TeamId } from '../../kernel/language.js';
import { accountOf, reservedFor, type Answered, type Charge } from './domain/charge.js';
import { InTurn } from './domain/in-turn.js';
import { KnownStandings } from './domain/known-standings.js';
import { Lease, LEASE_FLOOR, moreAhead } from './domain/lease.js';
import { UsageRepository } from './domain/usage.repository.js';
import { QuotaNewsService } from './quota-news.service.js';

/**
 * The units that this process holds of the teams' days. A charge takes them from
 * memory while there are any; what came of it is told to the database in batches.
 */
@Injectable()
export class LeasesService {
  private readonly leases = new Map<string, Lease>();
  /** A team's questions and batches go one after the other: the database would let them wait for each other anyway. */
  private readonly inTurn = new InTurn();

  constructor(
    private readonly usage: UsageRepository,
    private readonly known: KnownStandings,
    private readonly news: QuotaNewsService,
    private readonly clock: Clock,
  ) {}

  /** @returns null when less than that is left. */
  async charge(caller: Principal, units: number, limit: number | null): Promise<Charge | null> {
    const { teamId } = caller;
    const lease = this.current(teamId);
    if (lease?.serves(units, limit)) return this.take(lease, caller, units);
    return this.inTurn.run(teamId, async () => {
      const refilled = this.current(teamId);
      if (refilled?.serves(units, limit)) return this.take(refilled, caller, units);
      if (refilled !== undefined) await this.turnTo(refilled, limit);
      return this.grow(caller, units, limit);
    });
  }

  /**
   * @param paid how many of the units are.
   * @returns false when the charge's lease is gone.
   */
  async settle(charge: Charge, paid: number, answered: readonly Answered[]): Promise<boolean> {
    const { teamId, limit } = charge;
    const lease = this.leases.get(nameOf(teamId, charge.day));
    if (lease?.id !== charge.lease) return false;
    const reserved = reservedFor(charge);
    lease.settle(charge, reserved, paid, answered);
    if (paid < reserved && this.known.isScarce(teamId, limit)) {
      // Everybody may have at once what was given back. If that cannot be told now, the next flush does.
      await this.withdraw(teamId).catch(() => undefined);
    }
    return true;
  }

  /** Units of the team that this process could charge at once. */
  left(teamId: TeamId): number {
    return this.current(teamId)?.left ?? 0;
  }

  /**
   * Tells the database what came of all charges; units that nobody wants go back.
   *
   * @throws what went wrong first, after every team had its turn.
   */
  async flush(): Promise<void> {
    const failures: unknown[] = [];
    for (const lease of [...this.leases.values()]) {
      await this.inTurn.run(lease.teamId, () => this.tidy(lease)).catch((error) => failures.push(error));
    }
    this.known.forgetStale(new Set([...this.leases.values()].map(({ teamId }) => teamId)));
    if (failures.length > 0) throw failures[0];
  }

  /** Tells what came of the team's charges, and gives back what nobody has taken. */
  async withdraw(teamId: TeamId): Promise<void> {
    for (const lease of [...this.leases.values()].filter((each) => each.teamId === teamId)) {
      await this.inTurn.run(teamId, () => {
        lease.withdraw();
        return this.tell(lease);
      });
    }
  }

  /** The same for all teams: the process ends. */
  async withdrawAll(): Promise<void> {
    for (const { teamId } of [...this.leases.values()]) await this.withdraw(teamId);
  }

  /** Near the limit what is needed and no more; else more than that, once the team calls on and on. */
  private async grow(caller: Principal, units: number, limit: number | null): Promise<Charge | null> {
    const lease = this.current(caller.teamId);
    const mayLease = lease !== undefined && limit !== null && !this.known.isScarce(caller.teamId, limit);
    const leased = mayLease ? await this.ask(caller, units, moreAhead(lease.ahead), limit) : null;
    return leased ?? (await this.ask(caller, units, 0, limit));
  }

  /** @param ahead units beyond those that are needed. */
  private async ask(
    caller: Principal,
    units: number,
    ahead: number,
    limit: number | null,
  ): Promise<Charge | null> {
    const { teamId } = caller;
    const askedAtMs = this.clock.monotonicMs();
    const id = this.current(teamId)?.id ?? randomUUID();
    const wanted = limit === null ? 0 : units + ahead;
    const remaining = ahead > 0 ? units + LEASE_FLOOR + 1 : units;
    const grant = await this.usage.lease(id, { teamId, units: wanted, remaining, limit });
    this.known.learn(teamId, grant, askedAtMs);
    if (!grant.granted) {
      await this.news.tell(teamId, limit, grant);
      return null;
    }
    const name = nameOf(teamId, grant.day);
    const lease = this.leases.get(name) ?? new Lease(id, teamId, grant.day, limit, askedAtMs);
    this.leases.set(name, lease);
    lease.grant(wanted, ahead, askedAtMs);
    return this.take(lease, caller, units);
  }

  /** The team's tier has changed: what was granted under the old limit goes back. */
  private async turnTo(lease: Lease, limit: number | null): Promise<void> {
    if (lease.limit === limit) return;
    lease.withdraw();
    await this.tell(lease);
    lease.limit = limit;
  }

  private take(lease: Lease, caller: Principal, units: number): Charge {
    const { teamId, day, limit, id } = lease;
    lease.take(units, this.clock.monotonicMs());
    return { teamId, account: accountOf(caller), day, units, limit, lease: id, mode: caller.mode };
  }

  /** One lease's part of `flush`. */
  private async tidy(lease: Lease): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    const isOver = lease.day !== this.known.day;
    if (isOver || lease.isIdle(nowMs) || this.known.isScarce(lease.teamId, lease.limit)) lease.withdraw();
    await this.tell(lease);
    if (lease.isSpent(nowMs)) this.forget(lease);
  }

  private async tell(lease: Lease): Promise<void> {
    const askedAtMs = this.clock.monotonicMs();
    if (!this.holds(lease) || !lease.isDue(askedAtMs)) return;
    const standing = await this.usage.settleLease(lease, lease.batch());
    if (standing === null) return this.tellOfLost(lease);
    lease.told(askedAtMs);
    this.known.remember(lease.teamId, standing, askedAtMs);
    await this.news.tell(lease.teamId, lease.limit, standing);
  }

  /** What was reserved became used when the lease expired; what was charged without a limit is yet to be. */
  private async tellOfLost(lease: Lease): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    while (lease.isDue(nowMs)) {
      const { used, released, counts } = lease.batch();
      const unreserved = { used: Math.max(0, used - released), released: 0, counts };
      await this.usage.settle(lease.teamId, lease.day, unreserved);
      lease.told(nowMs);
    }
    this.forget(lease);
  }

  private current(teamId: TeamId): Lease | undefined {
    const { day } = this.known;
    return day === null ? undefined : this.leases.get(nameOf(teamId, day));
  }

  private holds(lease: Lease): boolean {
    return this.leases.get(nameOf(lease.teamId, lease.day)) === lease;
  }

  private forget(lease: Lease): void {
    if (this.holds(lease)) this.leases.delete(nameOf(lease.teamId, lease.day));
  }
}

function nameOf(teamId: TeamId, day: string): string {
  return `${teamId} ${day}`;
}
