import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import type { AddressHistory, KnownOutcome } from '../../kernel/address-history.js';
import { ExperienceService } from './experience.service.js';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest } from '../../kernel/errors/invalid-request.js';
import type { IgnoredReport, OutcomeReport } from '../../kernel/outcome-report.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import type { TeamId } from '../../kernel/principal.js';
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

/** What became of the mails that teams have sent. */
@Injectable()
export class OutcomesService {
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
    const latest = await this.outcomes.latest(teamId, keys);
    const histories = [...latest].map(([key, outcomes]) => [key, historyOf(outcomes, now)] as const);
    return new Map(histories.filter((entry): entry is [string, AddressHistory] => entry[1] !== null));
  }

  /** The outcomes of an address, newest first. @throws InvalidRequest */
  list(teamId: TeamId, email: string, request: PageRequest): Promise<Page<KnownOutcome>> {
    return this.outcomes.list(teamId, keyOf(email), request);
  }

  /** @throws InvalidRequest */
  async forget(teamId: TeamId, email: string): Promise<void> {
    const key = keyOf(email);
    await this.experience.forget([teamId], key);
    await this.outcomes.delete(teamId, key);
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
