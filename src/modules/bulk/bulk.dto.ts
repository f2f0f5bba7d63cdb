import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { REASONS, STATUSES, type Reason, type Status } from '../../kernel/verdict.js';
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
  Time,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { toResponse as toVerdict, VerdictResponse } from '../verification/verification.dto.js';
import { cellsByName } from './domain/list-entry.js';
import { JOB_STATUSES, type BulkJob, type JobStatus } from './domain/bulk-job.js';
import { CsvFormatResponse } from './bulk-submission.dto.js';
import type { DeferredRows } from './bulk-rechecks.service.js';
import type { RowResult } from './domain/list.repository.js';

@Schema('BulkUsage')
class BulkUsage {
  @Count('Units reserved at submission.', { example: 1000 })
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

@Schema('BulkJob')
export class BulkJobResponse {
  @Id('job')
  id: string;

  @Text({ nullable: true, example: 'Newsletter, November' })
  name: string | null;

  @OneOf(JOB_STATUSES)
  status: JobStatus;

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

  @Count('Distinct addresses, after normalization.')
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

  @Time({ nullable: true, description: 'When the job is deleted; null: it has not ended.', example: null })
  expires_at: string | null;
}

@Schema('BulkJobPage')
export class BulkJobPage extends pageOf(BulkJobResponse) {}

type BulkRef = string | Readonly<Record<string, string>> | null;

const Index = () => Count('Position in the input, from 0.');
const Ref = () =>
  ApiProperty({
    title: 'BulkRef',
    description: 'As it was sent; for a CSV, the other columns.',
    anyOf: [
      { type: 'string' },
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'null' },
    ],
  });

@Schema('FinishedBulkResult')
class FinishedBulkResult extends VerdictResponse {
  @Index()
  index: number;

  @Ref()
  ref: BulkRef;
}

@Schema('UnfinishedBulkResult')
class UnfinishedBulkResult {
  @Index()
  index: number;

  @Ref()
  ref: BulkRef;

  @Text({ example: 'jane@example.com' })
  email: string;

  @ApiProperty({ type: 'null', description: 'The row has no result yet, or no address.' })
  status: null;
}

/** A row with its verdict, or without one. */
@ApiExtraModels(FinishedBulkResult, UnfinishedBulkResult)
@Schema('BulkResult', {
  additionalProperties: undefined,
  anyOf: [{ $ref: getSchemaPath('FinishedBulkResult') }, { $ref: getSchemaPath('UnfinishedBulkResult') }],
})
class BulkResult {}

export type BulkResultResponse = FinishedBulkResult | UnfinishedBulkResult;

@Schema('BulkResultPage')
export class BulkResultPage extends pageOf<BulkResultResponse>(BulkResult as Type<BulkResultResponse>) {}

/** @param retentionDays the current retention of the team. */
export function toResponse(
  job: BulkJob,
  now: Date,
  retentionDays: number,
  deferred?: DeferredRows,
): BulkJobResponse {
  const pays = job.mode === 'live';
  const settled = job.isEnded ? job.addresses : job.verified;
  return {
    id: job.id,
    name: job.name,
    status: job.state as BulkJobResponse['status'],
    header: job.hasHeader,
    format: job.format,
    total: job.total,
    empty: job.empty,
    unique: job.addresses,
    duplicates: job.total - job.empty - job.addresses,
    processed: job.processed,
    deferred: deferred?.rows ?? 0,
    next_attempt_at: deferred?.nextAttemptAt?.toISOString() ?? null,
    deferred_until: deferred?.until?.toISOString() ?? null,
    by_status: job.byStatus,
    by_reason: job.byReason,
    expected_bounces: job.expectedBounces,
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

/** @param columns of a CSV. */
export function toResult(row: RowResult, columns: readonly string[] | null): BulkResultResponse {
  const { index, email, verdict } = row;
  const ref = row.ref === null || typeof row.ref === 'string' ? row.ref : cellsByName(columns ?? [], row.ref);
  return verdict === null ? { index, ref, email, status: null } : { index, ref, ...toVerdict(verdict) };
}
