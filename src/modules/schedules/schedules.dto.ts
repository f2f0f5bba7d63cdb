import { STATUSES, type Status } from '../../kernel/verdict.js';
import { pageOf } from '../../platform/http/paging/cursor.js';
import {
  Count,
  CountsBy,
  Flag,
  Id,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Texts,
  Time,
  WholeNumber,
  WholeNumbers,
} from '../../platform/http/validation/fields.js';
import { FAILURE_CODES, FAILURES, type FailureCode } from './domain/failure.js';
import type { Interval } from './domain/next-run.js';
import { SOURCE_KINDS, type SourceKind } from './domain/schedule.js';
import { RUN_STATES, type RunState, type ScheduleRun } from './domain/schedule-run.js';
import { DEFAULT_MAX_AGE_DAYS, Every, MAX_LISTS, ScheduleOnResult } from './schedule-input.dto.js';
import type { ScheduleDetails } from './schedules.service.js';

@Schema('ScheduleSource')
export class ScheduleSourceResponse {
  @OneOf(SOURCE_KINDS, { example: 'url' })
  kind: SourceKind;

  @Text({ example: 'https://example.com/subscribers.csv' })
  url: string;

  @Texts({
    optional: true,
    minItems: 0,
    maxItems: 20,
    maxLength: 100,
    message: '',
    description: 'Only of `url`: the names of the headers.',
    example: ['Authorization'],
  })
  headers?: readonly string[];

  @Text({ optional: true, description: 'Only of `listmonk`.', example: 'rcpt' })
  username?: string;

  @WholeNumbers({
    optional: true,
    min: 1,
    max: 2_147_483_647,
    maxItems: MAX_LISTS,
    message: '',
    description: 'Only of `listmonk`.',
    example: [1],
  })
  lists?: readonly number[];
}

@Schema('ScheduleFailure')
export class ScheduleFailureResponse {
  @OneOf(FAILURE_CODES, { example: 'unauthorized' })
  code: FailureCode;

  @Text({ description: 'What to do.', example: FAILURES.unauthorized })
  message: string;
}

@Schema('ScheduleRun')
export class ScheduleRunResponse {
  @Id('run')
  id: string;

  @Id('sch')
  schedule_id: string;

  @OneOf(RUN_STATES, {
    description:
      '`queued`: the source is read next, or now; `verifying`: the bulk job is under way; `writing`: its results are recorded, and written to listmonk.',
    example: 'completed',
  })
  status: RunState;

  @Id('job', {
    nullable: true,
    description: 'The bulk job of the run; null: no row had to be verified, or it has not begun.',
  })
  job_id: string | null;

  @Count('Rows of the source.', { example: 1_000 })
  rows: number;

  @Count('Rows whose address was verified in `max_age_days`: not verified again.', { example: 980 })
  unchanged: number;

  @Count('Distinct addresses that were verified.', { example: 20 })
  verified: number;

  @Count('Of these, addresses without an earlier result.', { example: 12 })
  new: number;

  @CountsBy(STATUSES, {
    description: 'Of these, addresses whose status was another one before, by their status now.',
    example: { undeliverable: 3 },
  })
  changed: Partial<Record<Status, number>>;

  @Count(
    'Subscribers that were not changed in listmonk although their result asks for it: they are gone or have another address, listmonk refuses the change, or it would send them a mail.',
    { example: 0 },
  )
  not_written: number;

  @ObjectOf(() => ScheduleFailureResponse, { nullable: true, description: 'Why it failed; otherwise null.' })
  failure: ScheduleFailureResponse | null;

  @Time()
  created_at: string;

  @Time({ nullable: true })
  started_at: string | null;

  @Time({ nullable: true })
  finished_at: string | null;
}

@Schema('Schedule')
export class ScheduleResponse {
  @Id('sch')
  id: string;

  @Text({ example: 'Newsletter' })
  name: string;

  @Every()
  every: Interval;

  @WholeNumber({ min: 0, max: 23, description: 'The hour in UTC.', example: 3 })
  at: number;

  @ObjectOf(() => ScheduleSourceResponse, { description: 'Without its secrets.' })
  source: ScheduleSourceResponse;

  @WholeNumber({ min: 1, max: 365, example: DEFAULT_MAX_AGE_DAYS })
  max_age_days: number;

  @ObjectOf(() => ScheduleOnResult)
  on_result: ScheduleOnResult;

  @Flag({ example: true })
  enabled: boolean;

  @ObjectOf(() => ScheduleFailureResponse, {
    nullable: true,
    description: 'Why it was disabled after three failed runs in a row; otherwise null.',
  })
  disabled_reason: ScheduleFailureResponse | null;

  @Time({ nullable: true, description: 'null: it is disabled.' })
  next_run_at: string | null;

  @ObjectOf(() => ScheduleRunResponse, { nullable: true, description: 'The newest; null: there is none.' })
  last_run: ScheduleRunResponse | null;

  @Time()
  created_at: string;
}

@Schema('SchedulePage')
export class SchedulePage extends pageOf(ScheduleResponse) {}

@Schema('ScheduleRunPage')
export class ScheduleRunPage extends pageOf(ScheduleRunResponse) {}

export function toResponse({ schedule, lastRun }: ScheduleDetails): ScheduleResponse {
  const { id, name, every, atHour, source, maxAgeDays, onResult, enabled, disabledReason } = schedule;
  return {
    id,
    name,
    every,
    at: atHour,
    source: { ...source },
    max_age_days: maxAgeDays,
    on_result: { listmonk: onResult },
    enabled,
    disabled_reason: toFailure(disabledReason),
    next_run_at: enabled ? schedule.nextRunAt.toISOString() : null,
    last_run: lastRun && toRun(lastRun),
    created_at: schedule.createdAt.toISOString(),
  };
}

export function toRun(run: ScheduleRun): ScheduleRunResponse {
  return {
    id: run.id,
    schedule_id: run.scheduleId,
    status: run.state,
    job_id: run.jobId,
    rows: run.rows,
    unchanged: run.unchanged,
    verified: run.verified,
    new: run.added,
    changed: run.changed,
    not_written: run.notWritten,
    failure: toFailure(run.failure),
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

function toFailure(code: FailureCode | null): ScheduleFailureResponse | null {
  return code && { code, message: FAILURES[code] };
}
