import type { RowResult } from '../../../kernel/list-files/list-entry.js';
import type { Cell } from '../../../platform/http/downloads/workbook-files.js';
import type { BulkJobsService } from '../../lists/bulk/jobs/bulk-jobs.service.js';
import { csv } from '../../lists/bulk/results/result-files.dto.js';
import { reachableCounts } from './domain/reachable.js';
import { toRowOutput } from './output.dto.js';

type BulkJob = Awaited<ReturnType<BulkJobsService['get']>>;
type RowOutput = ReturnType<typeof toRowOutput>;

/** The state of a list in the form of Reacher. */
export function toStatus(number: number, job: BulkJob) {
  const { safe, invalid, risky, unknown } = reachableCounts(job);
  return {
    job_id: number,
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
    total_records: job.total,
    total_processed: job.processed,
    summary: { total_safe: safe, total_invalid: invalid, total_risky: risky, total_unknown: unknown },
    job_status: job.isEnded ? 'Completed' : 'Running',
  };
}

type Outputs = (row: RowResult) => RowOutput;

/** `{"results": […]}`, while the rows are read. */
export async function* resultsJson(
  batches: AsyncIterable<readonly RowResult[]>,
  toOutput: Outputs,
): AsyncGenerator<string, void, undefined> {
  yield '{"results":[';
  let between = '';
  for await (const rows of batches) {
    yield between + rows.map((row) => JSON.stringify(toOutput(row))).join(',');
    between = ',';
  }
  yield ']}';
}

/** The same as CSV, with the columns of Reacher. */
export async function* resultsCsv(
  batches: AsyncIterable<readonly RowResult[]>,
  toOutput: Outputs,
): AsyncGenerator<string, void, undefined> {
  yield csv([Object.keys(COLUMNS)], FORMAT);
  const cells = Object.values(COLUMNS);
  for await (const rows of batches)
    yield csv(
      rows.map((row) => {
        const output = toOutput(row);
        return cells.map((cell) => cell(output));
      }),
      FORMAT,
    );
}

const FORMAT = { delimiter: null, formulaGuard: true };

type SmtpFlag = keyof Exclude<RowOutput['smtp'], { error: unknown }>;

const flag =
  (name: SmtpFlag) =>
  ({ smtp }: RowOutput): Cell =>
    'error' in smtp ? null : smtp[name];

const COLUMNS: Readonly<Record<string, (output: RowOutput) => Cell>> = {
  input: ({ input }) => input,
  is_reachable: (output) => output.is_reachable,
  'misc.is_disposable': ({ misc }) => misc.is_disposable,
  'misc.is_role_account': ({ misc }) => misc.is_role_account,
  'misc.gravatar_url': ({ misc }) => misc.gravatar_url,
  'mx.accepts_mail': ({ mx }) => mx.accepts_mail,
  'smtp.can_connect': flag('can_connect_smtp'),
  'smtp.has_full_inbox': flag('has_full_inbox'),
  'smtp.is_catch_all': flag('is_catch_all'),
  'smtp.is_deliverable': flag('is_deliverable'),
  'smtp.is_disabled': flag('is_disabled'),
  'syntax.is_valid_syntax': ({ syntax }) => syntax.is_valid_syntax,
  'syntax.domain': ({ syntax }) => syntax.domain,
  'syntax.username': ({ syntax }) => syntax.username,
  error: ({ smtp }) => ('error' in smtp ? `${smtp.error.type}: ${smtp.error.message}` : null),
};
