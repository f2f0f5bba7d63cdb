import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { InvalidRequest, LimitReached, NotFound, RateLimited } from '../../../kernel/errors.js';
import { OneTimeToken } from '../../../kernel/one-time-token.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { ReportEntry } from '../../../kernel/outcome-report.js';
import type { OutcomeKind } from '../../../kernel/outcomes.js';
import type { Principal } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamLimitsService } from '../../identity/access/team-limits.service.js';
import { emptyReceipt, OutcomesService, type Receipt } from '../../verification/outcomes/outcomes.service.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { OutcomeIntakeService } from './outcome-intake.service.js';
import { NOT_AN_OUTCOME } from './domain/providers/provider-events.js';
import { PROVIDERS, type SourceKind } from './domain/providers/providers.js';
import { OutcomeSource } from './domain/sources/source.js';
import { SourceRepository } from './domain/sources/source.repository.js';
import { EventNotTrusted } from './domain/outcome-intake.errors.js';
import { ProviderEventsService } from './provider-events.service.js';
import type { ArrivedRequest } from './domain/providers/event-reader.js';

const TOKEN = new OneTimeToken('rcpt_src_');
const MAX_SOURCES = 20;
/** What a request costs of the team's events besides those that it contains. */
const COST_OF_REQUEST = 5;
/** Requests whose events are stored at a time, by one connection each: at most a third of those of a process. */
const STORING = { total: 3, perKey: 1, queuedPerKey: 100 };
/** Seconds. The providers send again. */
const RETRY_AFTER = 10;

export interface ReportingSource {
  source: OutcomeSource;
  /** What it has sent in 30 days. */
  reports: readonly OutcomeKind[];
}

/** Providers that send the events of a team's mails. */
@Injectable()
export class OutcomeSourcesService {
  private readonly storing = new FairSemaphore(STORING);

  constructor(
    private readonly sources: SourceRepository,
    private readonly teams: TeamsService,
    private readonly limits: TeamLimitsService,
    private readonly providers: ProviderEventsService,
    private readonly intake: OutcomeIntakeService,
    private readonly outcomes: OutcomesService,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list({ teamId }: Principal, request: PageRequest): Promise<Page<ReportingSource>> {
    const { items, next } = await this.sources.list(teamId, request);
    const ids = items.map(({ id }) => id);
    const kindsOf = await this.outcomes.kindsOf(teamId, ids);
    return { items: items.map((source) => ({ source, reports: kindsOf(source.id) })), next };
  }

  /** @returns the source and the token in its URL. @throws InvalidRequest, LimitReached */
  add(
    { teamId }: Principal,
    kind: SourceKind,
    secret: string | null,
  ): Promise<{ source: OutcomeSource; token: string }> {
    const message = PROVIDERS[kind].secretError(secret);
    if (message !== null) throw new InvalidRequest([{ pointer: '/secret', code: 'invalid_value', message }]);
    return this.work.run(async () => {
      const token = TOKEN.create();
      const source = new OutcomeSource(teamId, kind, TOKEN.digest(token), secret, this.clock.now());
      await this.teams.lock(teamId);
      if ((await this.sources.count(teamId)) >= MAX_SOURCES)
        throw new LimitReached('outcome_sources', MAX_SOURCES);
      await this.sources.add(source);
      await this.record('source.added', source);
      return { source, token };
    });
  }

  /** @throws NotFound */
  delete({ teamId }: Principal, id: string): Promise<void> {
    return this.work.run(async () => {
      if (!(await this.sources.delete(teamId, id))) throw new NotFound('There is no such source.');
      await this.record('source.removed', { id, teamId });
    });
  }

  /** The source of a request, whose body is not read yet. @throws NotFound, RateLimited */
  async open(token: string): Promise<OutcomeSource> {
    const source = TOKEN.matches(token) ? await this.sources.findByDigest(TOKEN.digest(token)) : null;
    if (source === null) throw new NotFound('There is no such source.');
    await this.limits.takeEvents(source.teamId, COST_OF_REQUEST);
    return source;
  }

  /**
   * Stores the outcomes among the events of a request, one request of a team at a time.
   *
   * @throws EventNotTrusted, InvalidRequest, TooManyOutcomes, CertificateUnavailable, RateLimited
   */
  async receive(source: OutcomeSource, request: ArrivedRequest): Promise<Receipt> {
    const { teamId } = source;
    const { events: told, onceOnly } = await this.providers.read(source, request);
    await this.limits.takeEvents(teamId, told.length);
    const tellsNow = !source.tellsArrivals && told.some(isArrival);
    const events = source.tellsArrivals || tellsNow ? told.map(withoutSent) : told;
    const slot = await this.storing.acquire({ team: teamId, priority: 'single' });
    if (slot === null) throw new RateLimited(RETRY_AFTER);
    const receipt = emptyReceipt();
    try {
      await this.intake.store(teamId, receipt, events, source.id, async () => {
        if (onceOnly !== null) await this.useOnce(source, onceOnly);
        if (tellsNow) await this.sources.saveTellsArrivals(source);
      });
    } finally {
      slot.release();
    }
    return receipt;
  }

  /** @throws EventNotTrusted if it was used before. */
  private async useOnce(source: OutcomeSource, text: string): Promise<void> {
    const digest = createHash('sha256').update(text).digest();
    if (!(await this.sources.addUsedToken(source, digest, this.clock.now())))
      throw new EventNotTrusted('repeated');
  }

  private record(action: string, { id, teamId }: Pick<OutcomeSource, 'id' | 'teamId'>): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'outcome_source', id }, details: {} });
  }
}

function isArrival(entry: ReportEntry): boolean {
  return 'outcome' in entry && entry.isSentOnly === false;
}

/** That a mail was sent says nothing where the source also tells that mails arrive. */
function withoutSent(entry: ReportEntry): ReportEntry {
  return 'outcome' in entry && entry.isSentOnly === true ? NOT_AN_OUTCOME : entry;
}
