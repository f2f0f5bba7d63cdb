import { REASONS, STATUSES, type Reason, type Status } from '../../kernel/verdict.js';
import { PageQuery } from '../../platform/http/paging/cursor.js';
import {
  DelimiterParameter,
  FlagParameter,
  OneOf,
  PageCursor,
  PageLimit,
  SearchText,
  SeveralOf,
  Text,
} from '../../platform/http/validation/fields.js';
import { JOB_STATUSES, type JobStatus } from './domain/bulk-job.js';

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
    description: 'Only the first row of each address. Rows without an address stay.',
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
