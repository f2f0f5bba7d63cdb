import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import type { TeamExperience } from '../../kernel/team-experience.js';
import { Clock } from '../../kernel/clock.js';
import { BatchedWriter } from '../../kernel/concurrency/batched-writer.js';
import type { TeamId } from '../../kernel/principal.js';
import type { MxRecord, Reason, Verdict } from '../../kernel/verdict.js';
import { type SeenVerdict } from './domain/experience.js';
import { ExperienceRepository } from './domain/experience.repository.js';
import { estimateOf, learn } from './domain/statistics.js';
import { MailOperators } from './domain/mail-operators.js';

const COLLECT_MS = 1_000;
/** Written with one statement. */
const MAX_TOGETHER = 1_000;
/** Collected between two writes; further verdicts are dropped. */
const MAX_COLLECTED = 20_000;
const DAY_MS = 86_400_000;
/** Days whose outcomes an estimate is based on: shares drift. */
const LEARNED_DAYS = 90;
/** Statistics without new outcomes are learned again, because outcomes leave the window. */
const LEARNED_FOR_MS = 6 * 3_600_000;
const TEAMS_AT_ONCE = 50;
/** Groups of one team that are read. */
const MAX_GROUPS = 5_000;

/** They say nothing about the address. */
const NOT_REMEMBERED: ReadonlySet<Reason> = new Set([
  'invalid_syntax',
  'rate_limited',
  'egress_unavailable',
  'internal_error',
]);

/** What the outcomes of teams show, and the verdicts that were given before. */
@Injectable()
export class ExperienceService implements OnApplicationShutdown {
  private readonly seen = new BatchedWriter<SeenVerdict>({
    // A verdict that is lost is one that its outcome does not find.
    write: (verdicts, team) => this.experience.addVerdicts(team, verdicts).catch(() => undefined),
    maxSize: MAX_TOGETHER,
    collectMs: COLLECT_MS,
  });

  constructor(
    private readonly experience: ExperienceRepository,
    private readonly operators: MailOperators,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.seen.close();
  }

  /** What verdicts of the team depend on. */
  async of(team: TeamId): Promise<TeamExperience> {
    const { statistics, operators } = await this.experience.getCached(team);
    return {
      returnsAccepted: (hosts) =>
        hosts.some(({ host }) => operators.includes(this.operators.operatorOf(host))),
      estimate: (reason, hosts, domain, delivered) =>
        statistics && estimateOf(statistics, { reason, operator: this.operatorOf(hosts), domain, delivered }),
    };
  }

  /** Remembers a verdict if the team reports outcomes. It is stored later. */
  remember(team: TeamId, verdict: Verdict): void {
    if (this.experience.findCached(team)?.hasOutcomes !== true || this.seen.waiting >= MAX_COLLECTED) return;
    const seen = seenOf(verdict, this.operatorOf(verdict.dns.mx));
    if (seen !== null) void this.seen.add(team, seen);
  }

  /** Stores verdicts that were given before the team reported outcomes. */
  async rememberEarlier(team: TeamId, verdicts: readonly Verdict[]): Promise<void> {
    const seen = verdicts.map((verdict) => seenOf(verdict, this.operatorOf(verdict.dns.mx)));
    const known = seen.filter((history) => history !== null);
    if (known.length === 0) return;
    await this.experience.addTeam(team);
    await this.experience.addVerdicts(team, known);
  }

  flush(): Promise<void> {
    return this.seen.flush();
  }

  /** Deletes the verdicts of an address, of several teams, also those that are not stored yet. */
  async forget(teams: readonly TeamId[], key: string): Promise<void> {
    await this.flush();
    await this.experience.deleteByAddress(teams, key);
  }

  deleteByTeam(team: TeamId): Promise<number> {
    return this.experience.deleteByTeam(team);
  }

  /** Learns from the outcomes of teams that have new ones. @returns the number of teams. */
  async learnDue(): Promise<number> {
    const now = this.clock.now();
    const teams = await this.experience.listDue(new Date(now.getTime() - LEARNED_FOR_MS), TEAMS_AT_ONCE);
    for (const team of teams) await this.learn(team);
    return teams.length;
  }

  private operatorOf(hosts: readonly MxRecord[]): string | null {
    const [first] = hosts;
    return first === undefined ? null : this.operators.operatorOf(first.host);
  }

  private async learn(team: TeamId): Promise<void> {
    const startedAt = this.clock.now();
    const since = new Date(startedAt.getTime() - LEARNED_DAYS * DAY_MS);
    const groups = await this.experience.countGroups(team, since, MAX_GROUPS);
    const operators = await this.experience.listOperators(team);
    await this.experience.save(team, learn(groups), operators, startedAt);
  }
}

function seenOf(
  { reason, normalizedEmail, dns, smtp, checks, estimate, verifiedAt }: Verdict,
  operator: string | null,
): SeenVerdict | null {
  const parsed = normalizedEmail === null ? null : parseEmailAddress(normalizedEmail);
  if (parsed?.ok !== true || NOT_REMEMBERED.has(reason)) return null;
  return {
    key: parsed.address.key,
    verifiedAt,
    reason,
    operator,
    provider: dns.provider,
    isAccepted: smtp?.category === 'accepted' && checks.catchAll !== true,
    estimate: estimate?.deliverable ?? null,
  };
}
