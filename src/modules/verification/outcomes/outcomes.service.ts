import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../../engine/address/email-address.js';
import type { AddressHistory, KnownOutcome, OutcomeKind } from '../../../kernel/outcomes.js';
import { TeamStatisticsService } from './team-statistics.service.js';
import { Clock } from '../../../kernel/clock.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import type { IgnoredReport, ReportEntry } from '../../../kernel/outcome-report.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Accuracy } from './domain/accuracy.js';
import { historyOf, type NewOutcome } from './domain/outcome.js';
import { reportedSince } from './domain/deliveries.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { readOutcome } from './domain/read-outcome.js';
import { DAY_MS } from '../../../kernel/durations.js';

/** What became of the entries of a request. */
export interface Receipt {
  received: number;
  stored: number;
  duplicates: number;
  /** By the position of the entry, from 0. */
  ignored: ({ index: number } & IgnoredReport)[];
}

export function emptyReceipt(): Receipt {
  return { received: 0, stored: 0, duplicates: 0, ignored: [] };
}

/** A team with a million outcomes takes seconds of PostgreSQL; these are at most a fifth of the connections. */
const COMPARISONS = { total: 2, perKey: 1 };
const REPORTED_KINDS: readonly OutcomeKind[] = ['bounced', 'delivered', 'complained'];

/** What became of the mails that teams have sent. */
@Injectable()
export class OutcomesService {
  private readonly comparisons = new FairSemaphore(COMPARISONS);

  constructor(
    private readonly outcomes: OutcomeRepository,
    private readonly statistics: TeamStatisticsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores entries, and adds them to the receipt. The same report again is a duplicate.
   *
   * @param source who reports them; null: the team itself.
   */
  async record(
    teamId: TeamId,
    receipt: Receipt,
    entries: readonly ReportEntry[],
    source: string | null = null,
  ): Promise<void> {
    const now = this.clock.now();
    const usable: NewOutcome[] = [];
    for (const entry of entries) {
      const read = 'message' in entry ? entry : readOutcome(entry, now);
      if ('message' in read) receipt.ignored.push({ index: receipt.received, ...read });
      else usable.push(read);
      receipt.received += 1;
    }
    const stored = usable.length === 0 ? 0 : await this.outcomes.add(teamId, source, usable);
    this.statistics.beginsToReport(teamId);
    receipt.stored += stored;
    receipt.duplicates += usable.length - stored;
  }

  /** What the team knows of addresses, by `EmailAddress.key`; those without outcomes are missing. */
  async histories(teamId: TeamId, keys: readonly string[]): Promise<ReadonlyMap<string, AddressHistory>> {
    const now = this.clock.now();
    const histories = new Map<string, AddressHistory>();
    for (const [key, outcomes] of await this.outcomes.listLatest(teamId, keys, reportedSince(now))) {
      const history = historyOf(outcomes, now);
      if (history !== null) histories.set(key, history);
    }
    return histories;
  }

  /** The outcomes of an address, newest first. @throws InvalidRequest */
  list(teamId: TeamId, email: string, request: PageRequest): Promise<Page<KnownOutcome>> {
    return this.outcomes.list(teamId, keyOf(email), request);
  }

  /** The kinds of outcomes that each source has sent in 30 days. */
  async kindsOf(teamId: TeamId, sources: readonly string[]): Promise<(source: string) => OutcomeKind[]> {
    const reported = await this.outcomes.listReported(teamId, sources, reportedSince(this.clock.now()));
    return (source) =>
      REPORTED_KINDS.filter((kind) => reported.some((one) => one.source === source && one.kind === kind));
  }

  /** How the verdicts of the last days compare with what became of the mails. */
  accuracy(teamId: TeamId, days: number): Promise<Accuracy> {
    const since = new Date(this.clock.now().getTime() - days * DAY_MS);
    return this.comparisons.run(teamId, async () =>
      this.outcomes.countAccuracy(teamId, since, await this.statistics.listComplete(teamId)),
    );
  }

  /** @throws InvalidRequest */
  async forget(teamId: TeamId, email: string): Promise<void> {
    await this.eraseAddress([teamId], keyOf(email));
  }

  /** Deletes those of an address, of several teams. @param key `EmailAddress.key`. @returns how many. */
  async eraseAddress(teams: readonly TeamId[], key: string): Promise<number> {
    await this.statistics.forget(teams, key);
    return this.outcomes.deleteByAddress(teams, key);
  }
}

function keyOf(email: string): string {
  const parsed = parseEmailAddress(email);
  if (parsed.ok) return parsed.address.key;
  const message = 'Send one address, such as ?email=jane@example.com.';
  throw new InvalidRequest([{ pointer: '/email', code: 'invalid_format', message }]);
}
