import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TeamId } from '../../../kernel/principal.js';
import { reportedSince, windowStart } from './domain/deliveries.js';
import { TeamStatisticsRepository, type OutcomeRange } from './domain/team-statistics.repository.js';
import { domainsOf, unitsIn, unknownHosts, withUnits, type Unit } from './domain/learn.js';
import { needsAccepted, returnsMail, type AcceptedCount } from './domain/returned-mail.js';
import { learn } from './domain/statistics.js';
import { countNameOf, HOST_DOMAINS, Units } from './domain/units.js';

/** Statistics without new outcomes are learned again, because outcomes leave the window. */
const LEARNED_FOR_MS = 6 * 3_600_000;
const TEAMS_AT_ONCE = 50;
/** Groups of one team that are read. */
const MAX_GROUPS = 5_000;
/** Facts are stored a moment before the verdict that is counted. */
const COUNTED_LATER_MS = 60_000;
/** Units of a team that return mail. */
const MAX_RETURNING = 500;

/** Learns from the outcomes of teams what their next verdicts depend on. */
@Injectable()
export class LearningService {
  constructor(
    private readonly statistics: TeamStatisticsRepository,
    private readonly clock: Clock,
  ) {}

  /** Learns from the outcomes of teams that have new ones. @returns the number of teams. */
  async learnDue(): Promise<number> {
    const now = this.clock.now();
    const teams = await this.statistics.listDue(new Date(now.getTime() - LEARNED_FOR_MS), TEAMS_AT_ONCE);
    for (const team of teams) await this.learn(team);
    return teams.length;
  }

  private async learn(team: TeamId): Promise<void> {
    const startedAt = this.clock.now();
    const since = windowStart(startedAt);
    const complete = await this.statistics.listComplete(team, reportedSince(startedAt));
    const range = { team, since, complete };
    const groups = await this.statistics.listGroups(range, MAX_GROUPS);
    const returned = await this.statistics.listReturned(range, MAX_GROUPS);
    const places = [...returned, ...groups];
    const hosts = unknownHosts(places);
    const counted = await this.statistics.listDomains(team, since, hosts, HOST_DOMAINS);
    const idOf = (domain: string) => this.statistics.idOf(domain);
    const domains = domainsOf(places, counted, idOf);
    const units = new Units(domains, idOf);
    const learned = { ...learn(withUnits(groups, units)), domainsOf: domains };
    const returning = await this.returning(range, unitsIn(returned, units));
    await this.statistics.save(team, learned, returning, startedAt);
  }

  private async returning(range: OutcomeRange, units: readonly Unit[]): Promise<string[]> {
    const open = units.filter(({ count }) => needsAccepted(count));
    const accepted = await this.acceptedIn(range, open);
    const found = units.filter(({ name, count }) => returnsMail(count, accepted.get(name) ?? null));
    return found.slice(0, MAX_RETURNING).map(({ name }) => name);
  }

  /** Bounces alone are compared with all addresses that were counted as accepted, and only bounces of these. */
  private async acceptedIn(
    range: OutcomeRange,
    units: readonly Unit[],
  ): Promise<ReadonlyMap<string, AcceptedCount>> {
    if (units.length === 0) return new Map();
    const names = units.flatMap(namesIn);
    const counts = await this.statistics.listAccepted(range.team, range.since, names);
    const ofUnit = new Map<string, { accepted: number; since: Date }>();
    for (const [n, { unit }] of names.entries()) {
      const count = counts[n];
      if (count === null || count === undefined) continue;
      const known = ofUnit.get(unit) ?? { accepted: 0, since: count.since };
      const since = known.since < count.since ? known.since : count.since;
      ofUnit.set(unit, { accepted: known.accepted + count.accepted, since });
    }
    const places = units.flatMap(({ name, places }) => {
      const since = ofUnit.get(name)?.since;
      if (since === undefined) return [];
      const acceptedSince = new Date(since.getTime() - COUNTED_LATER_MS);
      return places.map((place) => ({ ...place, unit: name, acceptedSince }));
    });
    const bounced = await this.statistics.countBounced(range, places);
    const result = new Map([...ofUnit].map(([name, { accepted }]) => [name, { accepted, bounced: 0 }]));
    for (const [n, { unit }] of places.entries()) result.get(unit)!.bounced += bounced[n] ?? 0;
    return result;
  }
}

/** The names under which the accepted addresses of a unit were counted. */
function namesIn({ name: unit, places }: Unit) {
  const names = places.map((place) => {
    const { host, name } = countNameOf(place);
    // All domains of a host that is the unit, also those without outcomes.
    return host !== null && host === unit ? { unit, host, name: null } : { unit, host, name };
  });
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
}
