import { csvHeader, encoded } from '../../modules/lists/bulk/results/result-files.dto.js';
import { sayFormat } from './format-sentence.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { headerOf } from './local-list.js';
import { openLocalOutput } from './local-output.js';
import type { ProgressReport } from './progress-report.js';

/** Writes the header of the results of a list that has no rows, so that a scheduled run does not fail. */
export async function writeEmptyList(run: ListRun, report: ProgressReport): Promise<ListOutcome> {
  const header = await headerOf({ open: () => run.list.open(), options: run.reading });
  sayFormat(header.format, run, report);
  const output = await openLocalOutput(run);
  const outcome = { rows: 0, byStatus: {}, byReason: {} };
  const format = { ...header, formulaGuard: run.formulaGuard };
  await output.append(encoded(csvHeader(format), format), outcome);
  await output.complete();
  return { ...outcome, reading: header.format };
}
