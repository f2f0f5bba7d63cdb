import { Injectable } from '@nestjs/common';
import { FairSemaphore, type Slot } from '../../../kernel/concurrency/fair-semaphore.js';
import { DomainError, RateLimited } from '../../../kernel/errors.js';
import type { Principal } from '../../../kernel/principal.js';
import { AddressFactsService } from '../../verification/verification/facts/address-facts.service.js';
import { RunFailure, type Failure } from './domain/failure.js';
import { ListSource } from './domain/list-source.js';
import type { Schedule, ScheduleId } from './domain/schedule.js';
import { SourceLimits } from './domain/source-limits.js';
import type { NewSchedule, SentSource } from './domain/sent-settings.js';
import { SchedulesService, type ScheduleDraft } from './schedules.service.js';
import { SourceSample, type SourceCheck } from './domain/source-sample.js';

const RETRY_AFTER_SECONDS = 5;
const BUSY = 'A source of this team is being checked, or many of other teams are. Check this one afterwards.';
/** Whoever is refused for a moment, or while the service is paused, has learned nothing about the source. */
const FIRST_PASSING_STATUS = 429;

/** Reads the first rows of a source, as a run would. Nothing is stored, verified or charged. */
@Injectable()
export class ScheduleChecksService {
  private readonly places: FairSemaphore;

  constructor(
    private readonly schedules: SchedulesService,
    private readonly source: ListSource,
    private readonly addresses: AddressFactsService,
    private readonly limits: SourceLimits,
  ) {
    this.places = new FairSemaphore(limits.checksAtOnce);
  }

  /** @param gone ends the reading. @throws InvalidRequest, ScopeRequired, RateLimited, Paused */
  checkNew(caller: Principal, sent: NewSchedule, gone: AbortSignal): Promise<SourceCheck> {
    return this.check(this.schedules.draft(caller, sent), gone);
  }

  /** As `checkNew`. @param sent undefined: the source of the schedule. @throws NotFound */
  async checkChanged(
    caller: Principal,
    id: ScheduleId,
    sent: SentSource | undefined,
    gone: AbortSignal,
  ): Promise<SourceCheck> {
    return this.check(await this.schedules.draftOf(caller, id, sent && { source: sent }), gone);
  }

  private async check({ schedule, secret }: ScheduleDraft, gone: AbortSignal): Promise<SourceCheck> {
    const place = await this.place(schedule, gone);
    const sample = new SourceSample((text) => this.addresses.listKey(text).error === null);
    const late = AbortSignal.timeout(this.limits.sample.ms);
    try {
      if (secret === null) throw new RunFailure('secret_unreadable');
      const list = await this.source.open(schedule, secret, null, AbortSignal.any([gone, late]));
      sample.open(list);
      for await (const piece of list.pieces) {
        sample.add(piece);
        if (sample.rows >= this.limits.sample.rows) return sample.check(null);
      }
      sample.end();
      sample.requireAddresses(schedule.source.kind);
      return sample.check(null);
    } catch (error) {
      return sample.check(late.aborted ? lateFailure(sample) : failureOf(error));
    } finally {
      place.release();
    }
  }

  /** Teams wait for the places in turns, as long as a check takes. @throws RateLimited */
  private async place({ teamId: team }: Schedule, gone: AbortSignal): Promise<Slot> {
    if (this.places.countOf(team) > 0) throw new RateLimited(RETRY_AFTER_SECONDS, BUSY);
    const ended = AbortSignal.any([gone, AbortSignal.timeout(this.limits.sample.ms)]);
    const place = await this.places.acquire({ team, priority: 'single' }, ended);
    if (place === null) throw new RateLimited(RETRY_AFTER_SECONDS, BUSY);
    return place;
  }
}

/** A sample may have come before the time was over. */
function lateFailure({ rows }: SourceSample): Failure | null {
  return rows > 0 ? null : new RunFailure('too_little_in_time');
}

function failureOf(error: unknown): Failure {
  if (error instanceof RunFailure) return error;
  if (!(error instanceof DomainError) || error.status >= FIRST_PASSING_STATUS) throw error;
  return { code: 'malformed_list', detail: error.message };
}
