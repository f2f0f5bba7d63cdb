import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import type { AddressHistory, KnownOutcome } from '../../kernel/outcomes.js';
import { ExperienceService } from './experience.service.js';
import { Clock } from '../../kernel/clock.js';
import { FairSemaphore } from '../../kernel/concurrency/fair-semaphore.js';
import { InvalidRequest } from '../../kernel/errors.js';
import type { IgnoredReport, OutcomeReport } from '../../kernel/outcome-report.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import type { TeamId } from '../../kernel/principal.js';
import type { Accuracy } from './domain/accuracy.js';
import { historyOf, type NewOutcome } from './domain/outcome.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { readOutcome } from './domain/read-outcome.js';

/** What became of several reports. */
export interface RecordedReports {
  stored: number;
  duplicates: number;
  /** By the position of the report, from 0. */
  ignored: ({ index: number } & IgnoredReport)[];
}

/** A team with a million outcomes takes seconds of PostgreSQL; these are at most a fifth of the connections. */
const COMPARISONS = { total: 2, perKey: 1 };
const DAY_MS = 86_400_000;

/** What became of the mails that teams have sent. */
@Injectable()
export class OutcomesService {
  private readonly comparisons = new FairSemaphore(COMPARISONS);

  constructor(
    private readonly outcomes: OutcomeRepository,
    private readonly experience: ExperienceService,
    private readonly clock: Clock,
  ) {}

  /** Stores reports. The same report again is a duplicate. */
  async record(
    teamId: TeamId,
    reports: readonly (OutcomeReport | IgnoredReport)[],
  ): Promise<RecordedReports> {
    const now = this.clock.now();
    const usable: NewOutcome[] = [];
    const ignored: RecordedReports['ignored'] = [];
    for (const [index, report] of reports.entries()) {
      const read = 'message' in report ? report : readOutcome(report, now);
      if ('message' in read) ignored.push({ index, ...read });
      else usable.push(read);
    }
    const stored = usable.length === 0 ? 0 : await this.outcomes.add(teamId, usable);
    return { stored, duplicates: usable.length - stored, ignored };
  }

  /** What the team knows of addresses, by `EmailAddress.key`; those without outcomes are missing. */
  async histories(teamId: TeamId, keys: readonly string[]): Promise<ReadonlyMap<string, AddressHistory>> {
    const now = this.clock.now();
    const latest = await this.outcomes.listLatest(teamId, keys);
    const histories = [...latest].map(([key, outcomes]) => [key, historyOf(outcomes, now)] as const);
    return new Map(histories.filter((entry): entry is [string, AddressHistory] => entry[1] !== null));
  }

  /** The outcomes of an address, newest first. @throws InvalidRequest */
  list(teamId: TeamId, email: string, request: PageRequest): Promise<Page<KnownOutcome>> {
    return this.outcomes.list(teamId, keyOf(email), request);
  }

  /** How the verdicts of the last days compare with what became of the mails. */
  accuracy(teamId: TeamId, days: number): Promise<Accuracy> {
    const since = new Date(this.clock.now().getTime() - days * DAY_MS);
    return this.comparisons.run(teamId, () => this.outcomes.getAccuracy(teamId, since));
  }

  /** @throws InvalidRequest */
  async forget(teamId: TeamId, email: string): Promise<void> {
    await this.eraseAddress([teamId], keyOf(email));
  }

  /** Deletes those of an address, of several teams. @param key `EmailAddress.key`. @returns how many. */
  async eraseAddress(teams: readonly TeamId[], key: string): Promise<number> {
    await this.experience.forget(teams, key);
    return this.outcomes.deleteByAddress(teams, key);
  }
}

function keyOf(email: string): string {
  const parsed = parseEmailAddress(email);
  if (parsed.ok) return parsed.address.key;
  const message = 'Send one address, such as ?email=jane@example.com.';
  throw new InvalidRequest([{ pointer: '/email', code: 'invalid_format', message }]);
}
