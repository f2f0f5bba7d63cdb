import { type Language, LANGUAGES } from '../../../../kernel/mail.js';
import { UNIQUE_BY, type UniqueBy } from '../../../../kernel/list-files/list-format.js';
import { REASONS, STATUSES, type Reason, type Status } from '../../../../kernel/verdict.js';
import { PageQuery, pageOf } from '../../../../platform/http/paging/cursor.js';
import {
  Count,
  CountsBy,
  DisplayName,
  Flag,
  Id,
  ObjectOf,
  OneOf,
  Schema,
  SchemaWithAny,
  SearchText,
  Text,
  Time,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import { JOB_STATUSES, type JobStatus } from '../domain/bulk-job.js';
import { ListPreviewResponse, toPreviewResponse } from '../preview/list-preview.dto.js';
import { CsvFormatResponse, toFormat } from './csv-format.dto.js';
import type { JobDetails } from './bulk-jobs.service.js';

export class JobsQuery extends PageQuery {
  @OneOf(JOB_STATUSES, { optional: true, description: 'Only jobs of this status.' })
  status?: JobStatus;

  @SearchText({
    optional: true,
    description: 'Only jobs whose name contains this text, in upper or lower case.',
    example: 'newsletter',
  })
  q?: string;
}

@Schema('BulkUsage')
class BulkUsage {
  @Count('Units reserved at submission, or at the start of a held list.', { example: 1000 })
  reserved: number;

  @Count('Of these, charged so far.')
  charged: number;

  @Count('Of these, released so far.')
  returned: number;
}

@Schema('ExpectedBounces')
class ExpectedBounces {
  @Count('The lower bound.', { example: 12 })
  low: number;

  @Count('The upper bound.', { example: 31 })
  high: number;
}

@SchemaWithAny('BulkJobUpdate', ['name', 'notify'])
export class BulkJobUpdate {
  @DisplayName({ optional: true, nullable: true, example: 'Newsletter, December' })
  name?: string | null;

  @OneOf(LANGUAGES, {
    optional: true,
    nullable: true,
    description:
      'The language of a mail at the end of the list; null: none. Only for the user who created the job, until it has ended.',
    example: 'en',
  })
  notify?: Language | null;
}

@Schema('BulkJobCreator')
class BulkJobCreator {
  @Id('usr')
  user_id: string;

  @Text({ example: 'jane@example.com' })
  email: string;
}

@Schema('BulkJob')
export class BulkJobResponse {
  @Id('job')
  id: string;

  @Text({ nullable: true, example: 'Newsletter, November' })
  name: string | null;

  @OneOf(JOB_STATUSES)
  status: JobStatus;

  @ObjectOf(() => BulkJobCreator, {
    nullable: true,
    description: 'The user whose key created it; null: a service key, or the user was deleted.',
  })
  created_by: BulkJobCreator | null;

  @Id('sch', { nullable: true, description: 'The schedule whose run it is; null: it was submitted.' })
  schedule_id: string | null;

  @OneOf(LANGUAGES, {
    nullable: true,
    description: 'The language of the mail to its creator at its end; null: none.',
    example: null,
  })
  notify: Language | null;

  @Flag({ nullable: true, description: 'Whether a line of a CSV named the columns; null: another format.' })
  header: boolean | null;

  @ObjectOf(() => CsvFormatResponse, {
    nullable: true,
    description: 'How a CSV was read: as the query said, or as its first lines showed; null: another format.',
  })
  format: CsvFormatResponse | null;

  @Count('Rows.')
  total: number;

  @Count('Rows without an address: they have no result, and cost nothing.')
  empty: number;

  @OneOf(UNIQUE_BY, {
    description:
      'What is verified and charged once: `address` an address, in all of its spellings; `canonical` a mailbox, which all addresses with the same `canonical_email` have.',
  })
  unique_by: UniqueBy;

  @Count('Distinct addresses, after normalization, or mailboxes (`unique_by`).')
  unique: number;

  @Count('`total` − `empty` − `unique`.')
  duplicates: number;

  @Count('Rows that are done: they have a result, or no address.')
  processed: number;

  @Count('Rows whose mail server asked to try again later; they are verified again.')
  deferred: number;

  @Time({
    nullable: true,
    description:
      'When the next deferred row is verified again; null: none is deferred, or it is verified now.',
    example: null,
  })
  next_attempt_at: string | null;

  @Time({
    nullable: true,
    description:
      'When the deferred rows are completed with what is known; null: none is deferred, or other rows are not done yet.',
    example: null,
  })
  deferred_until: string | null;

  @CountsBy(STATUSES, { description: 'Rows, including duplicates.' })
  by_status: Partial<Record<Status, number>>;

  @CountsBy(REASONS, { description: 'Rows, including duplicates.' })
  by_reason: Partial<Record<Reason, number>>;

  @ObjectOf(() => ExpectedBounces, {
    nullable: true,
    description:
      'Bounces if mail is sent to all rows whose `policy.decision` is not `reject`; null: the job has not completed, or a row has no `estimate`.',
  })
  expected_bounces: ExpectedBounces | null;

  @ObjectOf(() => ListPreviewResponse, {
    nullable: true,
    description:
      'What a list contains that was submitted with `hold=true`; null: it was not, or the preview is not complete.',
  })
  preview: ListPreviewResponse | null;

  @ObjectOf(() => BulkUsage)
  usage: BulkUsage;

  @Text({ nullable: true, description: 'Why it failed.', example: null })
  failure: string | null;

  @Time()
  created_at: string;

  @Time({ nullable: true })
  started_at: string | null;

  @Time({ nullable: true, example: null })
  finished_at: string | null;

  @WholeNumber({
    nullable: true,
    description: 'Remaining seconds at the current rate; null: not known, or the job has ended.',
    example: 90,
  })
  eta_seconds: number | null;

  @Time({
    nullable: true,
    description: 'When the job is deleted; null: it is queued or running.',
    example: null,
  })
  expires_at: string | null;
}

@Schema('BulkJobPage')
export class BulkJobPage extends pageOf(BulkJobResponse) {}

/** @param retentionDays the current retention of the team. */
export function toResponse(
  { job, deferred, creator }: JobDetails,
  now: Date,
  retentionDays: number,
): BulkJobResponse {
  const pays = job.mode === 'live' && job.charge !== null;
  const settled = job.isEnded ? job.addresses : job.verified;
  return {
    id: job.id,
    name: job.name,
    status: job.state as BulkJobResponse['status'],
    created_by: creator && { user_id: creator.id, email: creator.email },
    schedule_id: job.scheduleId,
    notify: job.notify,
    header: job.hasHeader,
    format: job.format && toFormat(job.format),
    total: job.total,
    empty: job.empty,
    unique_by: job.uniqueBy,
    unique: job.addresses,
    duplicates: job.total - job.empty - job.addresses,
    processed: job.processed,
    deferred: deferred?.rows ?? 0,
    next_attempt_at: deferred?.nextAttemptAt?.toISOString() ?? null,
    deferred_until: deferred?.until?.toISOString() ?? null,
    by_status: job.byStatus,
    by_reason: job.byReason,
    expected_bounces: job.expectedBounces,
    preview: job.preview && toPreviewResponse(job.preview),
    usage: {
      reserved: pays ? job.addresses : 0,
      charged: job.charged,
      returned: pays ? settled - job.charged : 0,
    },
    failure: job.failure,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    eta_seconds: job.etaSeconds(now),
    expires_at: job.expiresAt(retentionDays)?.toISOString() ?? null,
  };
}
