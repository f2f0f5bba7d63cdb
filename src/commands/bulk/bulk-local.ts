import type { Status, Verdict } from '../../kernel/verdict.js';
import { csvHeader, csvRows } from '../../modules/bulk/bulk-results.dto.js';
import { LocalListModule } from '../../modules/bulk/local-list.module.js';
import { LocalListService, type LocalList } from '../../modules/bulk/local-list.service.js';
import { withModules } from '../command-context.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { openLocalOutput, type LocalOutput } from './local-output.js';
import type { ProgressReport } from './progress-report.js';
import { UsageError } from '../terminal.js';

/**
 * Verifies a list in this process: DNS and mail servers are queried from this machine, and nothing is
 * cached.
 */
export function verifyListLocally(run: ListRun, report: ProgressReport): Promise<ListOutcome> {
  return withModules([LocalListModule], async (services) => {
    const lists = services(LocalListService);
    const list = localListOf(run);
    const scan = await lists.scan({ ...list, open: () => openCounted(run, report) });
    if (scan.rows === 0) throw new UsageError('the list has no rows');
    const output = await openLocalOutput(run);
    try {
      return await writeRows(run, output, report, { lists, list, scan });
    } finally {
      await output.close();
    }
  });
}

/** The options of the command line, for the reader of lists. */
function localListOf({ list, reading }: ListRun): LocalList {
  return { open: () => list.open(), options: reading };
}

/** A million rows take some seconds to read. */
function openCounted({ list }: ListRun, report: ProgressReport): AsyncIterable<Buffer> {
  let read = 0;
  report.start({ name: 'reading', unit: 'bytes' });
  return list.open((bytes) => report.update((read += bytes), list.bytes));
}

interface Verification {
  lists: LocalListService;
  list: LocalList;
  scan: Awaited<ReturnType<LocalListService['scan']>>;
}

async function writeRows(
  run: ListRun,
  output: LocalOutput,
  report: ProgressReport,
  { lists, list, scan }: Verification,
): Promise<ListOutcome> {
  const outcome: ListOutcome = { rows: output.progress.rows, byStatus: { ...output.progress.byStatus } };
  let verified = outcome.rows;
  report.start({ name: 'verifying', unit: 'rows' });
  report.update(verified, scan.rows);
  const onVerified = (rows: number) => report.update((verified += rows), scan.rows);
  const format = { ...scan.header, formulaGuard: run.formulaGuard };
  for await (const rows of lists.verify(list, { scan, skip: outcome.rows, onVerified })) {
    const isFirst = outcome.rows === 0;
    const shown = rows.filter(({ verdict }) => isShown(verdict, run.only));
    outcome.rows += rows.length;
    for (const { status } of rows.flatMap(({ verdict }) => verdict ?? []))
      outcome.byStatus[status] = (outcome.byStatus[status] ?? 0) + 1;
    const title = isFirst ? csvHeader(format) : '';
    await output.append(title + csvRows(shown, format), outcome);
  }
  await output.complete();
  return outcome;
}

function isShown(verdict: Verdict | null, only: readonly Status[] | null): boolean {
  return only === null || (verdict !== null && only.includes(verdict.status));
}
