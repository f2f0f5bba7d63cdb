import { createReadStream } from 'node:fs';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import type { Status, Verdict } from '../../kernel/verdict.js';
import { csvList } from '../../modules/bulk/adapters/intake/csv-list.js';
import { csvHeader, csvRows } from '../../modules/bulk/bulk-results.dto.js';
import { inBatches } from '../../modules/bulk/domain/batches.js';
import type { ListEntry } from '../../modules/bulk/domain/list-entry.js';
import { emptyHeader, type ListHeader } from '../../modules/bulk/domain/list-reader.js';
import { EngineModule } from '../../modules/verification/engine.module.js';
import { Engine, BATCH_ITEM_TIMEOUT_MS } from '../../engine/engine.js';
import { withModules } from '../command-context.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { readProgress, removeProgress, writeProgress } from './progress-file.js';
import type { ProgressReport } from './progress-report.js';
import { UsageError } from '../terminal.js';

/** Rows that are verified and written together. An interrupted run repeats at most this many. */
const BATCH_ROWS = 200;
const CONCURRENCY = 50;

interface LocalProgress extends ListOutcome {
  digest: string;
  /** How rows are written. The output has one format, so that another one starts from the beginning. */
  format: string;
  /** Length of the complete output; bytes behind it belong to an incomplete batch. */
  bytes: number;
}

/**
 * Verifies a list in this process: DNS and mail servers are queried from this machine, and nothing is
 * cached.
 */
export function verifyListLocally(run: ListRun, report: ProgressReport): Promise<ListOutcome> {
  return withModules([EngineModule], (services) => resume(run, services(Engine), report));
}

async function resume(run: ListRun, engine: Engine, report: ProgressReport): Promise<ListOutcome> {
  const part = `${run.output}.part`;
  // Any row may add columns, and the header line has all of them.
  const header = emptyHeader();
  const total = await countRows(run, header);
  const progress = await loadProgress(run, part);
  let index = 0;
  report.begin({ name: 'verifying', unit: 'rows' });
  report.update(progress.rows, total);
  for await (const batch of inBatches(entriesOf(run, emptyHeader()), BATCH_ROWS)) {
    const rows = batch
      .map((entry) => ({ ...entry, index: index++ }))
      .filter((row) => row.index >= progress.rows);
    if (rows.length === 0) continue;
    const verdicts = await verdictsOf(engine, rows);
    const results = rows.map((row) => ({ ...row, verdict: verdicts.get(row.email) ?? null }));
    const format = { ...header, formulaGuard: run.formulaGuard };
    const shown = results.filter(({ verdict }) => isShown(verdict, run.only));
    const text = (progress.rows === 0 ? csvHeader(format) : '') + csvRows(shown, format);
    await appendFile(part, text);
    progress.bytes += Buffer.byteLength(text);
    progress.rows += rows.length;
    for (const { status } of results.flatMap(({ verdict }) => verdict ?? []))
      progress.byStatus[status] = (progress.byStatus[status] ?? 0) + 1;
    await writeProgress(run.progressFile, progress);
    report.update(progress.rows, total);
  }
  await rename(part, run.output);
  await removeProgress(run.progressFile);
  return progress;
}

function isShown(verdict: Verdict | null, only: readonly Status[] | null): boolean {
  return only === null || (verdict !== null && only.includes(verdict.status));
}

async function loadProgress(run: ListRun, part: string): Promise<LocalProgress> {
  const { digest, progressFile, formulaGuard, only } = run;
  const format = JSON.stringify({ formulaGuard, only });
  const progress = await readProgress<LocalProgress>(progressFile, digest);
  const canResume =
    progress?.format === format &&
    (await truncate(part, progress.bytes).then(
      () => true,
      () => false,
    ));
  if (canResume) return progress;
  await writeFile(part, '');
  return { digest, format, rows: 0, bytes: 0, byStatus: {} };
}

async function countRows(run: ListRun, header: ListHeader): Promise<number> {
  let rows = 0;
  for await (const entries of entriesOf(run, header)) rows += entries.length;
  if (rows === 0) throw new UsageError('the list has no rows');
  return rows;
}

function entriesOf({ list, column }: ListRun, header: ListHeader): AsyncIterable<readonly ListEntry[]> {
  return csvList(createReadStream(list.file), header, { column });
}

async function verdictsOf(
  engine: Engine,
  entries: readonly ListEntry[],
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const emails = new Set(entries.map(({ email }) => email));
  const options = {
    timeoutMs: BATCH_ITEM_TIMEOUT_MS,
    rules: { roleIsRisky: false },
    concurrency: CONCURRENCY,
  };
  for await (const verdict of engine.checkAll(emails, options)) verdicts.set(verdict.email, verdict);
  return verdicts;
}
