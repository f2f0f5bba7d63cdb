import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { isDeepStrictEqual } from 'node:util';
import {
  InvalidRequest,
  LimitReached,
  NotFound,
  ScopeRequired,
  type FieldError,
} from '../../../kernel/errors.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { hasScope, type Principal } from '../../../kernel/principal.js';
import { Pause } from '../../../kernel/service-state/pause.js';
import { targetError, TargetPolicy } from '../../../kernel/target.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { AddressFactsService } from '../../verification/verification/facts/address-facts.service.js';
import { ListSource, type ListFault } from './domain/list-source.js';
import { placeOf, Schedule, SOURCE_WORDS, type ScheduleId, type SourceSecret } from './domain/schedule.js';
import type { NewSchedule, ScheduleChanges, SentSource } from './domain/sent-settings.js';
import { ScheduleMemberRepository } from './domain/schedule-member.repository.js';
import type { ScheduleRun } from './domain/schedule-run.js';
import { ScheduleRowRepository } from './domain/schedule-row.repository.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { ScheduleRepository } from './domain/schedule.repository.js';
import { ScheduleMailsService } from './runs/schedule-mails.service.js';
import { ScheduleRunsService } from './schedule-runs.service.js';

const MAX_SCHEDULES = 20;

/** A schedule as it would be stored. */
export interface ScheduleDraft {
  schedule: Schedule;
  /** null: it cannot be decrypted, or belongs to another place. */
  secret: SourceSecret | null;
}

/** A schedule with its newest run. */
export interface ScheduleDetails {
  schedule: Schedule;
  lastRun: ScheduleRun | null;
}

/** The schedules of a team. Every member may manage them. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly rows: ScheduleRowRepository,
    private readonly source: ListSource,
    private readonly scheduleRuns: ScheduleRunsService,
    private readonly mails: ScheduleMailsService,
    private readonly addresses: AddressFactsService,
    private readonly teams: TeamsService,
    private readonly policy: TargetPolicy,
    private readonly pause: Pause,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether a schedule may be made of this: its source is asked whether it has the lists. Not in a unit of work.
   *
   * @throws InvalidRequest, ScopeRequired
   */
  async checkNew(caller: Principal, sent: NewSchedule): Promise<void> {
    const draft = this.draft(caller, sent);
    if (sent.notify !== null) await this.mails.requireMayNotify(caller, draft.schedule, sent.notify);
    await this.checkLists(draft);
  }

  /** @throws InvalidRequest, ScopeRequired */
  draft(caller: Principal, { source: sent, ...settings }: NewSchedule): ScheduleDraft {
    this.checkUrl(sent);
    const secret = secretOf(sent);
    const schedule = Schedule.of(caller, { ...settings, source: sent.source }, secret, this.clock.now());
    requireMayWrite(caller, schedule);
    this.check(schedule, sent);
    return { schedule, secret };
  }

  /** What `checkNew` has checked. @throws LimitReached */
  create(caller: Principal, { source: sent, ...settings }: NewSchedule): Promise<ScheduleDetails> {
    const { teamId } = caller;
    return this.work.run(async () => {
      const secret = secretOf(sent);
      const schedule = Schedule.of(caller, { ...settings, source: sent.source }, secret, this.clock.now());
      await this.teams.lock(teamId);
      if ((await this.schedules.count(teamId)) >= MAX_SCHEDULES)
        throw new LimitReached('schedules', MAX_SCHEDULES);
      await this.schedules.add(schedule, secret);
      await this.record('schedule.created', schedule, { kind: sent.source.kind, every: schedule.every });
      return { schedule, lastRun: null };
    });
  }

  /** Newest first. */
  async list({ teamId }: Principal, request: PageRequest): Promise<Page<ScheduleDetails>> {
    const page = await this.schedules.list(teamId, request);
    const latest = await this.runs.latest(page.items.map(({ id }) => id));
    const items = page.items.map((schedule) => ({ schedule, lastRun: latest.get(schedule.id) ?? null }));
    return { ...page, items };
  }

  /** @throws NotFound */
  async get(caller: Principal, id: ScheduleId): Promise<ScheduleDetails> {
    return this.withRun(inTeam(await this.schedules.find(id), caller));
  }

  /** Its source is asked whether it has the lists: not in a unit of work. @throws NotFound, InvalidRequest, ScopeRequired */
  async change(caller: Principal, id: ScheduleId, changes: ScheduleChanges): Promise<ScheduleDetails> {
    const { source: sent } = changes;
    if (sent !== undefined) await this.checkLists(await this.draftOf(caller, id, changes));
    return this.work.run(async () => {
      const schedule = inTeam(await this.schedules.findForUpdate(id), caller);
      const { source: before, enabled: wasEnabled } = schedule;
      if (changes.notify !== undefined) await this.mails.requireMayNotify(caller, schedule, changes.notify);
      this.apply(caller, schedule, changes);
      await this.schedules.save(schedule, sent && secretOf(sent));
      const isStopped = wasEnabled && !schedule.enabled;
      if (sent !== undefined || isStopped) {
        const isReadAnew = !isDeepStrictEqual(before, schedule.source);
        await this.runs.recall(id, { isReadAnew, isStopped });
        this.scheduleRuns.enqueueAfterCommit(schedule);
      }
      await this.record('schedule.updated', schedule, {
        changed: Object.keys(changes),
        enabled: schedule.enabled,
      });
      return this.withRun(schedule);
    });
  }

  /** A schedule after these changes. @throws NotFound, InvalidRequest, ScopeRequired */
  async draftOf(caller: Principal, id: ScheduleId, changes: ScheduleChanges = {}): Promise<ScheduleDraft> {
    const { source: sent } = changes;
    if (sent !== undefined) this.checkUrl(sent);
    const schedule = inTeam(await this.schedules.find(id), caller);
    this.apply(caller, schedule, changes);
    const secret = (sent && secretOf(sent)) ?? (await this.schedules.findSecret(schedule));
    return { schedule, secret };
  }

  /** @throws InvalidRequest, ScopeRequired */
  private apply(
    caller: Principal,
    schedule: Schedule,
    { source: sent, maxBlocklisted, ...changes }: ScheduleChanges,
  ): void {
    const bound = maxBlocklisted && { ...schedule.maxBlocklisted, ...maxBlocklisted };
    const hadHeaders = schedule.source.kind === 'url' && schedule.source.headers.length > 0;
    schedule.change({ ...changes, ...(bound && { maxBlocklisted: bound }) }, this.clock.now());
    if (sent !== undefined) schedule.changeSource(sent.source, secretOf(sent));
    const isWritten = [sent, changes.onResult, maxBlocklisted].some((part) => part !== undefined);
    if (isWritten) requireMayWrite(caller, schedule);
    this.check(schedule, sent, hadHeaders);
  }

  /** Its runs are deleted too; lists that they have submitted remain. @throws NotFound */
  remove(caller: Principal, id: ScheduleId): Promise<void> {
    return this.work.run(async () => {
      const schedule = inTeam(await this.schedules.findForUpdate(id), caller);
      await this.schedules.delete(id);
      await this.record('schedule.deleted', schedule, {});
    });
  }

  /** Also when it is disabled. @returns the run, or the one that has not ended. @throws NotFound, Paused */
  async run(caller: Principal, id: ScheduleId): Promise<ScheduleRun> {
    this.pause.requireActive();
    return this.work.run(async () => {
      const schedule = inTeam(await this.schedules.findForUpdate(id), caller);
      const run = await this.scheduleRuns.start(schedule);
      await this.record('schedule.run_requested', schedule, { run_id: run.id });
      return run;
    });
  }

  /** Newest first. @throws NotFound */
  async listRuns(caller: Principal, id: ScheduleId, request: PageRequest): Promise<Page<ScheduleRun>> {
    inTeam(await this.schedules.find(id), caller);
    return this.runs.list(id, request);
  }

  /** Deletes what is stored about an address, in all spellings, of all teams. @returns how many records. */
  async eraseAddress(email: string): Promise<number> {
    const { addressKey } = this.addresses.listKey(email);
    return (await this.rows.deleteAddress(addressKey)) + (await this.members.deleteAddress(addressKey));
  }

  private async withRun(schedule: Schedule): Promise<ScheduleDetails> {
    const latest = await this.runs.latest([schedule.id]);
    return { schedule, lastRun: latest.get(schedule.id) ?? null };
  }

  /** @throws InvalidRequest */
  private checkUrl({ source: { url } }: SentSource): void {
    const message = targetError(url, this.policy, SOURCE_WORDS);
    if (message !== null)
      throw new InvalidRequest([{ pointer: '/source/url', code: 'not_allowed', message }]);
  }

  /** @param sent undefined: the source stays. @param hadHeaders of the request, before. @throws InvalidRequest */
  private check({ source, secretPlace, onResult }: Schedule, sent?: SentSource, hadHeaders = false): void {
    const errors: FieldError[] = [];
    const lacksSecret = sent?.values === null && secretPlace === null;
    if (lacksSecret && source.kind === 'listmonk')
      errors.push({
        pointer: '/source/token',
        code: 'invalid_type',
        message: 'Send the token of the API user.',
      });
    if (lacksSecret && source.kind === 'url' && hadHeaders)
      errors.push({
        pointer: '/source/headers',
        code: 'invalid_type',
        message: 'Send the headers for this host.',
      });
    if (onResult !== 'none' && source.kind !== 'listmonk') errors.push(ONLY_LISTMONK);
    if (errors.length > 0) throw new InvalidRequest(errors);
  }

  /** @throws InvalidRequest */
  private async checkLists({ schedule, secret }: ScheduleDraft): Promise<void> {
    const faults = secret === null ? [] : await this.source.check(schedule.source, secret);
    if (faults.length === 0) return;
    const ofState = (state: ListFault['state']) =>
      faults.filter((fault) => fault.state === state).map(({ list }) => list);
    const errors = [
      ...ofState('missing').map((list) => `listmonk has no list with the id ${list}. Send ids of its lists.`),
      ...ofState('forbidden').map(
        (list) =>
          `listmonk does not show list ${list} to this user. Check the token, and what the user may read.`,
      ),
    ];
    throw new InvalidRequest(
      errors.map((message) => ({ pointer: '/source/lists', code: 'not_found', message })),
    );
  }

  private record(action: string, { id, teamId }: Schedule, details: Record<string, unknown>): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'schedule', id }, details });
  }
}

const ONLY_LISTMONK: FieldError = {
  pointer: '/on_result/listmonk',
  code: 'invalid_value',
  message: 'Send none: results are written to listmonk only where it is the source.',
};

function inTeam(schedule: Schedule | null, { teamId }: Principal): Schedule {
  if (schedule === null || schedule.teamId !== teamId) throw new NotFound('There is no such schedule.');
  return schedule;
}

function secretOf({ source, values }: SentSource): SourceSecret | null {
  return values && { place: placeOf(source), values };
}

/**
 * What changes subscribers, and of which lists, is decided with a key that may do everything: others are given to
 * programs, and what listmonk has blocklisted does not come back.
 *
 * @throws ScopeRequired
 */
function requireMayWrite(caller: Principal, { onResult }: Schedule): void {
  if (onResult !== 'none' && !hasScope(caller, []))
    throw new ScopeRequired(
      [],
      'A schedule that changes subscribers in listmonk is set up with a key with the scope all. With this one, send on_result with listmonk: none.',
    );
}
