import type { Status, Verdict } from '../../kernel/verdict.js';
import { csvHeader, csvRows, type CsvFormat } from '../../modules/bulk/bulk-results.dto.js';
import { LocalListModule } from '../../modules/bulk/local-list.module.js';
import { LocalListService, type RowResult } from '../../modules/bulk/local-list.service.js';
import { withModules } from '../command-context.js';
import { sayFormat } from './format-sentence.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { openLocalOutput, type LocalOutput } from './local-output.js';
import type { ProgressReport } from './progress-report.js';

/**
 * Verifies a list in this process: DNS and mail servers are queried from this machine, and nothing is
 * cached.
 */
export function verifyListLocally(run: ListRun, report: ProgressReport): Promise<ListOutcome> {
  return withModules([LocalListModule], async (services) => {
    const lists = services(LocalListService);
    const list = { open: () => run.list.open(), options: run.reading };
    // A million rows take some seconds to read.
    report.start({ name: 'reading', unit: 'bytes' });
    let read = 0;
    const onRead = (bytes: number) => report.update((read += bytes), run.list.bytes);
    const scan = await lists.scan({ ...list, open: () => run.list.open(onRead) });
    sayFormat(scan.header.format, run, report);
    const output = await openLocalOutput(run);
    let verified = output.progress.rows;
    report.start({ name: 'verifying', unit: 'rows' });
    report.update(verified, scan.rows);
    const onVerified = (rows: number) => report.update((verified += rows), scan.rows);
    try {
      const batches = lists.verify(list, { scan, skip: verified, onVerified });
      const format = { ...scan.header, formulaGuard: run.formulaGuard };
      return { ...(await writeRows(batches, output, format, run.only)), reading: scan.header.format };
    } finally {
      await output.close();
    }
  });
}

async function writeRows(
  batches: AsyncIterable<readonly RowResult[]>,
  output: LocalOutput,
  format: CsvFormat,
  only: ListRun['only'],
): Promise<ListOutcome> {
  const outcome: ListOutcome = { rows: output.progress.rows, byStatus: { ...output.progress.byStatus } };
  for await (const rows of batches) {
    const title = outcome.rows === 0 ? csvHeader(format) : '';
    const shown = rows.filter(({ verdict }) => isShown(verdict, only));
    outcome.rows += rows.length;
    for (const { status } of rows.flatMap(({ verdict }) => verdict ?? []))
      outcome.byStatus[status] = (outcome.byStatus[status] ?? 0) + 1;
    await output.append(title + csvRows(shown, format), outcome);
  }
  if (outcome.rows === 0) await output.append(csvHeader(format), outcome);
  await output.complete();
  return outcome;
}

function isShown(verdict: Verdict | null, only: readonly Status[] | null): boolean {
  return only === null || (verdict !== null && only.includes(verdict.status));
}
