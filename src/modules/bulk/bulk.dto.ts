import { z } from 'zod';
import { REASONS, STATUSES } from '../../kernel/verdict.js';
import { InvalidCursor, listOf, PageQuery } from '../../platform/http/cursor.js';
import { NameField } from '../../platform/http/fields.js';
import { toResponse as toVerdict, VerdictResponse } from '../verification/verification.dto.js';
import { JOB_STATUSES, type BulkJob } from './domain/bulk-job.js';
import type { RowResult } from './domain/list.repository.js';

const Email = z.string().meta({ description: 'What is no address gets a verdict too.' });
const Ref = z.string().max(128).nullable().meta({ description: 'Handed back with the result.' });

/** How the body looks as JSON. It is read as a stream, by `ListReader`, which holds it to the same. */
export const BulkVerifyRequest = z
  .strictObject({
    emails: z.array(z.union([Email, z.strictObject({ email: Email, ref: Ref.optional() })])).min(1),
    name: NameField.nullable().optional(),
    refresh: z.boolean().optional().meta({ description: 'Ask the network even where the answer is known.' }),
  })
  .meta({ id: 'BulkVerifyRequest' });

/** For CSV and NDJSON, which have no room for it; what a JSON body says goes before it. */
export const BulkQuery = z.strictObject({
  name: NameField.optional(),
  refresh: z
    .enum(['true', 'false', '1', '0'], 'Send true or false.')
    .default('false')
    .transform((text) => text === 'true' || text === '1'),
});

export const JobsQuery = PageQuery.extend({
  status: z.enum(JOB_STATUSES, `Send one of ${JOB_STATUSES.join(', ')}.`).optional(),
});

const ROWS = 'Send a whole number from 1 to 1000.';

export const ResultsQuery = PageQuery.extend({
  limit: z
    .string(ROWS)
    .regex(/^([1-9]\d{0,2}|1000)$/, ROWS)
    .default('100')
    .transform(Number)
    .meta({ description: 'Rows on a page, 1–1,000. CSV and NDJSON have no pages.' }),
  status: z.enum(STATUSES, `Send one of ${STATUSES.join(', ')}.`).optional(),
  reason: z.enum(REASONS, 'Send a reason as a verdict has it.').optional(),
});

const count = (what: string) => z.int().min(0).meta({ description: what });
const counts = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.partialRecord(z.enum(names), z.int().min(0));

export const BulkJobResponse = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable(),
    status: z.enum(JOB_STATUSES),
    total: count('Rows.'),
    unique: count('Addresses; all spellings of one count once.'),
    duplicates: count('`total` − `unique`.'),
    processed: count('Rows that have their result.'),
    by_status: counts(STATUSES).meta({ description: 'Rows, duplicates too.' }),
    by_reason: counts(REASONS).meta({ description: 'Rows, duplicates too.' }),
    usage: z.strictObject({
      reserved: count('Taken from the quota at submission.'),
      charged: count('Of these, paid so far.'),
      returned: count('Of these, given back so far.'),
    }),
    failure: z.string().nullable().meta({ description: 'Why it failed.' }),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
    eta_seconds: z.int().nullable().meta({ description: 'At the rate so far; null: not known, or ended.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'When it is erased; null: not ended.' }),
  })
  .meta({ id: 'BulkJob' });
export type BulkJobResponse = z.infer<typeof BulkJobResponse>;

export const BulkJobPage = listOf(BulkJobResponse);
export type BulkJobPage = z.infer<typeof BulkJobPage>;

const PLACE = {
  index: z.int().min(0).meta({ description: 'Its place in the input, from 0.' }),
  ref: z
    .union([z.string(), z.record(z.string(), z.string())])
    .nullable()
    .meta({ description: 'As it was sent; of a CSV the other columns.' }),
};

export const BulkResultResponse = z
  .union([
    VerdictResponse.extend(PLACE),
    z.strictObject({ ...PLACE, email: z.string(), status: z.null().meta({ description: 'Not done yet.' }) }),
  ])
  .meta({ id: 'BulkResult' });
export type BulkResultResponse = z.infer<typeof BulkResultResponse>;

export const BulkResultPage = listOf(BulkResultResponse);
export type BulkResultPage = z.infer<typeof BulkResultPage>;

/** @param now, @param retentionDays for how long the team keeps things by now. */
export function toResponse(job: BulkJob, now: Date, retentionDays: number): BulkJobResponse {
  const pays = job.mode === 'live';
  const settled = job.isEnded ? job.addresses : job.answered;
  return {
    id: job.id,
    name: job.name,
    status: job.state as BulkJobResponse['status'],
    total: job.total,
    unique: job.addresses,
    duplicates: job.total - job.addresses,
    processed: job.processed,
    by_status: job.byStatus,
    by_reason: job.byReason,
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

export function toResult({ index, ref, email, verdict }: RowResult): BulkResultResponse {
  return verdict === null ? { index, ref, email, status: null } : { index, ref, ...toVerdict(verdict) };
}

/** A place in results, as cursors carry places: there the time is the row's number. */
export function toPosition(index: number, id: string) {
  return { at: new Date(index), id };
}

/** @returns the row after which the page begins. @throws InvalidCursor */
export function afterOf(position: { at: Date; id: string } | null, id: string): number {
  if (position === null) return -1;
  if (position.id !== id) throw new InvalidCursor();
  return position.at.getTime();
}
