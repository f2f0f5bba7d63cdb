import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest, LimitReached, NotFound, type FieldError } from '../../kernel/errors.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { targetError, TargetPolicy } from '../../kernel/target.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/teams.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import {
  Schedule,
  SOURCE_WORDS,
  type ScheduleId,
  type ScheduleSettings,
  type Source,
  type SourceSecret,
} from './domain/schedule.js';
import { ScheduleMemberRepository } from './domain/schedule-member.repository.js';
import type { ScheduleRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { ScheduleRepository } from './domain/schedule.repository.js';
import { ScheduleRunsService } from './schedule-runs.service.js';

const MAX_SCHEDULES = 20;

/** A source as it is sent. */
export interface SentSource {
  source: Source;
  /** null: it stays, where the source is on the same host. */
  secret: SourceSecret | null;
}

export type NewSchedule = Omit<ScheduleSettings, 'source'> & { source: SentSource };

export type ScheduleChanges = Partial<NewSchedule>;

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
    private readonly scheduleRuns: ScheduleRunsService,
    private readonly addresses: AddressFactsService,
    private readonly teams: TeamsService,
    private readonly policy: TargetPolicy,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidRequest, LimitReached */
  create({ teamId }: Principal, { source: sent, ...settings }: NewSchedule): Promise<ScheduleDetails> {
    return this.work.run(async () => {
      const schedule = Schedule.of(teamId, { ...settings, source: sent.source }, this.clock.now());
      this.check(schedule, sent.secret === null);
      await this.teams.lock(teamId);
      if ((await this.schedules.count(teamId)) >= MAX_SCHEDULES)
        throw new LimitReached('schedules', MAX_SCHEDULES);
      await this.schedules.add(schedule, sent.secret ?? {});
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

  /** @throws NotFound, InvalidRequest */
  change(
    caller: Principal,
    id: ScheduleId,
    { source: sent, ...changes }: ScheduleChanges,
  ): Promise<ScheduleDetails> {
    return this.work.run(async () => {
      const schedule = inTeam(await this.schedules.findForUpdate(id), caller);
      const before = schedule.source;
      const source = sent && (sent.secret === null ? withNamesOf(before, sent.source) : sent.source);
      schedule.change({ ...changes, ...(source && { source }) }, this.clock.now());
      this.check(schedule, sent?.secret === null && !isSameHost(before, schedule.source));
      await this.schedules.save(schedule, sent?.secret ?? undefined);
      const changed = [...Object.keys(changes), ...(sent === undefined ? [] : ['source'])];
      await this.record('schedule.updated', schedule, { changed, enabled: schedule.enabled });
      return this.withRun(schedule);
    });
  }

  /** Its runs are deleted too; lists that they have submitted remain. @throws NotFound */
  remove(caller: Principal, id: ScheduleId): Promise<void> {
    return this.work.run(async () => {
      const schedule = inTeam(await this.schedules.findForUpdate(id), caller);
      await this.schedules.delete(id);
      await this.record('schedule.deleted', schedule, {});
    });
  }

  /** Also when it is disabled. @returns the run, or the one that has not ended. @throws NotFound */
  run(caller: Principal, id: ScheduleId): Promise<ScheduleRun> {
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
  eraseAddress(email: string): Promise<number> {
    return this.members.deleteAddress(this.addresses.locate(email).addressKey);
  }

  private async withRun(schedule: Schedule): Promise<ScheduleDetails> {
    const latest = await this.runs.latest([schedule.id]);
    return { schedule, lastRun: latest.get(schedule.id) ?? null };
  }

  /** @param lacksSecret it has none, and the one before belongs to another host. */
  private check({ source, onResult }: Schedule, lacksSecret: boolean): void {
    const errors: FieldError[] = [];
    const message = targetError(source.url, this.policy, SOURCE_WORDS);
    if (message !== null) errors.push({ pointer: '/source/url', code: 'not_allowed', message });
    if (lacksSecret && source.kind === 'listmonk')
      errors.push({
        pointer: '/source/token',
        code: 'invalid_type',
        message: 'Send the token of the API user.',
      });
    if (lacksSecret && source.kind === 'url' && source.headers.length > 0)
      errors.push({
        pointer: '/source/headers',
        code: 'invalid_type',
        message: 'Send the headers for this host.',
      });
    if (onResult !== 'none' && source.kind !== 'listmonk') errors.push(ONLY_LISTMONK);
    if (errors.length > 0) throw new InvalidRequest(errors);
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

/** Headers that are not sent again stay. */
function withNamesOf(before: Source, source: Source): Source {
  return before.kind === 'url' && source.kind === 'url' ? { ...source, headers: before.headers } : source;
}

/** A secret is not sent to a host for which it was not entered. */
function isSameHost(before: Source, after: Source): boolean {
  if (before.kind !== after.kind || !URL.canParse(after.url)) return false;
  return new URL(before.url).origin === new URL(after.url).origin;
}
