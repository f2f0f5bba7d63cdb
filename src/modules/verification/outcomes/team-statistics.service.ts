import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { parseEmailAddress } from '../../../engine/address/email-address.js';
import { providerOfNames } from '../../../engine/providers/mail-exchange.js';
import type { TeamStatistics } from '../../../kernel/team-statistics.js';
import { Clock } from '../../../kernel/clock.js';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { MxRecord, Reason, Verdict } from '../../../kernel/verdict.js';
import { reportedSince } from './domain/deliveries.js';
import { type SeenVerdict } from './domain/stored-statistics.js';
import { TeamStatisticsRepository } from './domain/team-statistics.repository.js';
import { estimateOf } from './domain/statistics.js';
import { MailHosts } from './domain/mail-hosts.js';
import { Units, type Place } from './domain/units.js';

const COLLECT_MS = 1_000;
/** Written together. */
const MAX_TOGETHER = 1_000;
/** Collected between two writes; further verdicts are dropped. */
const MAX_COLLECTED = 20_000;

/** They say nothing about the address. */
const NOT_REMEMBERED: ReadonlySet<Reason> = new Set([
  'invalid_syntax',
  'rate_limited',
  'egress_unavailable',
  'internal_error',
]);

/** What the outcomes of a team show, and the verdicts that it was given before. */
@Injectable()
export class TeamStatisticsService implements OnApplicationShutdown {
  private readonly seen = new BatchedWriter<SeenVerdict>({
    // A verdict that is lost is not counted, and its outcome does not find it.
    write: (verdicts, team) => this.statistics.addVerdicts(team, verdicts).catch(() => undefined),
    maxSize: MAX_TOGETHER,
    collectMs: COLLECT_MS,
  });

  constructor(
    private readonly statistics: TeamStatisticsRepository,
    private readonly hosts: MailHosts,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.seen.close();
  }

  /** What verdicts of the team depend on. */
  async of(team: TeamId): Promise<TeamStatistics> {
    const { learned, returning } = await this.statistics.getCached(team);
    const units = new Units(learned?.domainsOf ?? {}, (domain) => this.statistics.idOf(domain));
    return {
      returnsAccepted: (hosts, domain) =>
        returning.length > 0 &&
        hosts.some((server) => returning.includes(units.unitOf(this.placeOf(hosts, domain, server)))),
      estimate: (reason, hosts, domain, delivered) => {
        if (learned === null) return null;
        const host = units.hostOf(this.placeOf(hosts, domain));
        return estimateOf(learned, { reason, host, domain, delivered });
      },
    };
  }

  /** Counts a verdict, and remembers it if the team reports outcomes. It is stored later. */
  remember(team: TeamId, verdict: Verdict): void {
    if (this.seen.waiting >= MAX_COLLECTED) return;
    const isCounted = !verdict.cached && isAccepted(verdict);
    if (!isCounted && this.statistics.findCached(team)?.hasOutcomes === false) return;
    const seen = this.seenOf(verdict);
    if (seen !== null) void this.seen.add(team, seen);
  }

  /** Stores verdicts that were given before the team reported outcomes. Not inside a unit of work. */
  async rememberEarlier(team: TeamId, verdicts: readonly Verdict[]): Promise<void> {
    // They were counted when they were given.
    const seen = verdicts.map((verdict) => this.seenOf({ ...verdict, cached: true }));
    const known = seen.filter((one) => one !== null);
    if (known.length === 0) return;
    await this.statistics.addTeam(team);
    this.statistics.forgetCached(team);
    await this.statistics.addVerdicts(team, known);
  }

  /** The team reports outcomes from now on. */
  beginsToReport(team: TeamId): void {
    if (this.statistics.findCached(team)?.hasOutcomes === false) this.statistics.forgetCached(team);
  }

  /** Sources that report deliveries. */
  listComplete(team: TeamId): Promise<readonly string[]> {
    return this.statistics.listComplete(team, reportedSince(this.clock.now()));
  }

  /** Stores what this process remembers, of one team or of all. */
  flush(team?: TeamId): Promise<void> {
    return this.seen.flush(team);
  }

  /** Deletes the verdicts of an address, of several teams, also those that are not stored yet. */
  async forget(teams: readonly TeamId[], key: string): Promise<void> {
    await this.flush();
    await this.statistics.deleteByAddress(teams, key);
  }

  deleteByTeam(team: TeamId): Promise<number> {
    return this.statistics.deleteByTeam(team);
  }

  private placeOf(hosts: readonly MxRecord[], domain: string, server = hosts[0]): Place {
    const host = server === undefined ? null : this.hosts.hostOf(server.host);
    return { domain, host, provider: providerOfNames(hosts.map((one) => one.host)) };
  }

  private seenOf(verdict: Verdict): SeenVerdict | null {
    const { reason, reasonOfFacts, normalizedEmail, dns, estimate, verifiedAt, cached } = verdict;
    const parsed = normalizedEmail === null ? null : parseEmailAddress(normalizedEmail);
    if (parsed?.ok !== true || NOT_REMEMBERED.has(reason)) return null;
    return {
      ...this.placeOf(dns.mx, parsed.address.domain),
      key: parsed.address.key,
      verifiedAt,
      reason,
      reasonOfFacts,
      isAccepted: isAccepted(verdict),
      isNew: !cached,
      estimate: estimate?.deliverable ?? null,
    };
  }
}

function isAccepted({ smtp, checks }: Verdict): boolean {
  return smtp?.category === 'accepted' && checks.catchAll !== true;
}
