import type { Language } from '../../../kernel/mail.js';
import { pageOf } from '../../../platform/http/paging/cursor.js';
import {
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
} from '../../../platform/http/validation/fields.js';
import type { Interval, Weekday } from './domain/next-run.js';
import { SOURCE_KINDS, type Source, type SourceKind } from './domain/schedule.js';
import {
  DayOfMonth,
  DEFAULT_MAX_AGE_DAYS,
  Every,
  Notify,
  OnWeekday,
  ScheduleOnResult,
} from './input/schedule-input.dto.js';
import { ScheduleFailureResponse, ScheduleRunResponse, toFailure, toRun } from './schedule-runs.dto.js';
import type { ScheduleDetails } from './schedules.service.js';
import { EmailColumn, MAX_LISTS } from './input/source-input.dto.js';

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

  @EmailColumn({ optional: true, nullable: true })
  email_column?: string | null;

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

  @OnWeekday()
  weekday: Weekday;

  @DayOfMonth()
  day_of_month: number;

  @ObjectOf(() => ScheduleSourceResponse, { description: 'Without its secrets.' })
  source: ScheduleSourceResponse;

  @WholeNumber({ min: 1, max: 365, example: DEFAULT_MAX_AGE_DAYS })
  max_age_days: number;

  @ObjectOf(() => ScheduleOnResult)
  on_result: ScheduleOnResult;

  @Notify()
  notify: Language | null;

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

export function toResponse({ schedule, lastRun }: ScheduleDetails): ScheduleResponse {
  const { id, name, every, hour, weekday, dayOfMonth, maxAgeDays, onResult, maxBlocklisted } = schedule;
  const { notify, enabled, disabledReason, disabledDetail } = schedule;
  return {
    id,
    name,
    every,
    at: hour,
    weekday,
    day_of_month: dayOfMonth,
    source: toSourceResponse(schedule.source),
    max_age_days: maxAgeDays,
    on_result: { listmonk: onResult, max_blocklisted: { ...maxBlocklisted } },
    notify,
    enabled,
    disabled_reason: disabledReason && toFailure({ code: disabledReason, detail: disabledDetail }),
    next_run_at: enabled ? schedule.nextRunAt.toISOString() : null,
    last_run: lastRun && toRun(lastRun),
    created_at: schedule.createdAt.toISOString(),
  };
}

function toSourceResponse(source: Source): ScheduleSourceResponse {
  if (source.kind === 'listmonk') return { ...source };
  const { emailColumn, ...others } = source;
  return { ...others, email_column: emailColumn };
}
