import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { cellsByName, type RowResult } from '../../../../kernel/list-files/list-entry.js';
import { REASONS, STATUSES, type Reason, type Status } from '../../../../kernel/verdict.js';
import { pageOf } from '../../../../platform/http/paging/cursor.js';
import {
  Count,
  DelimiterParameter,
  FlagParameter,
  OneOf,
  PageCursor,
  PageLimit,
  Schema,
  SearchText,
  SeveralOf,
  Text,
} from '../../../../platform/http/validation/fields.js';
import {
  toResponse as toVerdict,
  VerdictResponse,
} from '../../../verification/verification/single/verification.dto.js';

export class ResultsQuery {
  @PageLimit(1_000, 100, ' CSV and NDJSON have no pages.')
  limit = 100;

  @PageCursor()
  cursor?: string;

  @SeveralOf(STATUSES, {
    optional: true,
    description: 'Only rows with this status, or one of several that are separated by commas.',
    example: 'deliverable,risky',
  })
  status?: readonly Status[];

  @OneOf(REASONS, {
    optional: true,
    message: 'Send a verdict reason, such as mailbox_not_found.',
    description: 'Only rows with this reason.',
  })
  reason?: Reason;

  @SearchText({
    optional: true,
    description: 'Only rows whose address, as it was sent, contains this text, in upper or lower case.',
    example: '@example.com',
  })
  q?: string;

  @FlagParameter({
    description:
      'Only the first row of each address, in a list by mailbox of each mailbox. Rows without an address stay.',
  })
  distinct = false;

  @FlagParameter({
    default: true,
    description:
      "Write `'` in front of what a spreadsheet would run as a formula in CSV cells, and quote cells that it may split.",
  })
  formula_guard = true;

  @FlagParameter({
    default: undefined,
    optional: true,
    description:
      'Whether a CSV begins with a byte order mark, without which Excel does not read UTF-8; if absent, as the submitted CSV did.',
  })
  bom?: boolean;

  @DelimiterParameter(
    'The delimiter of a CSV: one character, or `tab`; if absent, that of the submitted CSV, else a comma.',
  )
  delimiter?: string;

  @Text({
    optional: true,
    max: 10_000,
    description:
      'The columns of a CSV or workbook, separated by commas and in this order: `input` for all columns of the list, `email`, or names of columns, such as `input,status,reason`; if absent, all.',
    example: 'email,status,reason',
  })
  columns?: string;
}

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

  @Text({
    nullable: true,
    description:
      'In a list by mailbox (`unique_by`), the address of the first row of the same mailbox, whose verdict this is; null: this is the first row, or another list.',
    example: null,
  })
  duplicate_of: string | null;
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

/** @param columns of a CSV. */
export function toResult(row: RowResult, columns: readonly string[] | null): BulkResultResponse {
  const { index, email, verdict, duplicateOf: duplicate_of = null } = row;
  const ref = row.ref === null || typeof row.ref === 'string' ? row.ref : cellsByName(columns ?? [], row.ref);
  return verdict === null
    ? { index, ref, email, status: null }
    : { index, ref, ...toVerdict(verdict), duplicate_of };
}
