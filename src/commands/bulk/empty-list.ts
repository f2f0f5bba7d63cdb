import { csvHeader } from '../../modules/bulk/bulk-results.dto.js';
import { ListReadingModule } from '../../modules/bulk/list-reading.module.js';
import { ListReadingService } from '../../modules/bulk/list-reading.service.js';
import { withModules } from '../command-context.js';
import { sayFormat } from './format-sentence.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { openLocalOutput } from './local-output.js';
import type { ProgressReport } from './progress-report.js';

/** Writes the header of the results of a list that has no rows, so that a scheduled run does not fail. */
export function writeEmptyList(run: ListRun, report: ProgressReport): Promise<ListOutcome> {
  return withModules([ListReadingModule], async (services) => {
    const header = await services(ListReadingService).header(run.list.open(), run.reading);
    sayFormat(header.format, run, report);
    const output = await openLocalOutput(run);
    const outcome = { rows: 0, byStatus: {}, byReason: {} };
    await output.append(csvHeader({ ...header, formulaGuard: run.formulaGuard }), outcome);
    await output.complete();
    return { ...outcome, reading: header.format };
  });
}
