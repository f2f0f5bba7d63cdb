import { REASONS, STATUSES, type Reason, type Status } from '../../../kernel/verdict.js';
import { pageOf } from '../../../platform/http/paging/cursor.js';
import {
  Count,
  CountsBy,
  DecimalNumber,
  Id,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
} from '../../../platform/http/validation/fields.js';
import { FAILURE_CODES, FAILURES, sentenceOf, type Failure, type FailureCode } from './domain/failure.js';
import { RUN_STATES, type RunState, type ScheduleRun } from './domain/schedule-run.js';

@Schema('ScheduleFailure')
export class ScheduleFailureResponse {
  @OneOf(FAILURE_CODES, { example: 'unauthorized' })
  code: FailureCode;

  @Text({ description: 'What to do.', example: FAILURES.unauthorized })
  message: string;

  @Text({
    nullable: true,
    description:
      'What the message is about: of `not_a_list` the media type of the answer, of `list_not_found` the id of the list; of `malformed_list` in a check, what is wrong with the list, in English. Otherwise null.',
    example: null,
  })
  detail: string | null;
}

@Schema('ScheduleReasonCount')
export class ScheduleReasonCount {
  @OneOf(REASONS, { example: 'mailbox_not_found' })
  reason: Reason;

  @Count('Subscribers.', { example: 320 })
  count: number;
}

@Schema('ScheduleConfirmation')
export class ScheduleConfirmationResponse {
  @Count('Subscribers that it would blocklist.', { example: 420 })
  subscribers: number;

  @DecimalNumber({
    min: 0,
    max: 1,
    message: '',
    description: 'Of all rows of the source, 0–1.',
    example: 0.42,
  })
  share: number;

  @ListOf(() => ScheduleReasonCount, { description: 'The five commonest reasons.' })
  reasons: ScheduleReasonCount[];

  @Time({ nullable: true, description: 'Then it is discarded; null: it was answered.' })
  confirm_by: string | null;
}

@Schema('ScheduleRun')
export class ScheduleRunResponse {
  @Id('run')
  id: string;

  @Id('sch')
  schedule_id: string;

  @OneOf(RUN_STATES, {
    description:
      '`queued`: the source is read next, or now; `verifying`: the bulk job is under way; `writing`: its results are recorded, and written to listmonk; `needs_confirmation`: it would blocklist more subscribers than `max_blocklisted`, and has blocklisted nobody; `discarded`: nobody confirmed it.',
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

  @Count('Subscribers that have their result in listmonk: blocklisted, or with the attribute.', {
    example: 3,
  })
  written: number;

  @Count(
    'Subscribers that were not changed in listmonk although their result asks for it: they are gone, have another address or a newer result, listmonk refuses the change, or it would send them a mail.',
    { example: 0 },
  )
  not_written: number;

  @Count(
    'Subscribers who were not blocklisted because only the DNS says that their domain has no mail, and for less than a day. A later run asks it again, and blocklists them then.',
    { example: 0 },
  )
  postponed: number;

  @ObjectOf(() => ScheduleConfirmationResponse, {
    nullable: true,
    description: 'What a run would do, or would have done, that needs a confirmation; otherwise null.',
  })
  confirmation: ScheduleConfirmationResponse | null;

  @ObjectOf(() => ScheduleFailureResponse, { nullable: true, description: 'Why it failed; otherwise null.' })
  failure: ScheduleFailureResponse | null;

  @Time()
  created_at: string;

  @Time({ nullable: true })
  started_at: string | null;

  @Time({ nullable: true })
  finished_at: string | null;
}

@Schema('ScheduleRunPage')
export class ScheduleRunPage extends pageOf(ScheduleRunResponse) {}

export function toRun(run: ScheduleRun): ScheduleRunResponse {
  return {
    id: run.id,
    schedule_id: run.scheduleId,
    status: run.state,
    job_id: run.jobId,
    rows: run.rows,
    unchanged: run.unchanged,
    verified: run.verified,
    new: run.new,
    changed: run.changed,
    written: run.written,
    not_written: run.notWritten,
    postponed: run.postponed,
    confirmation: run.confirmation && {
      ...run.confirmation,
      confirm_by: run.confirmBy?.toISOString() ?? null,
    },
    failure: run.failure && toFailure({ code: run.failure, detail: run.failureDetail }),
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

export function toFailure({ code, detail }: Failure): ScheduleFailureResponse {
  return { code, message: sentenceOf({ code, detail }), detail };
}
