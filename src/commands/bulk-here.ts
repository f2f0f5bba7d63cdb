import { createReadStream } from 'node:fs';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import type { Verdict } from '../kernel/verdict.js';
import { csvList } from '../modules/bulk/adapters/csv-list.js';
import { csvHeader, csvRows } from '../modules/bulk/bulk-results.dto.js';
import { inBatches } from '../modules/bulk/domain/batches.js';
import type { ListEntry } from '../modules/bulk/domain/list-entry.js';
import { anEmptyHeader } from '../modules/bulk/domain/list-reader.js';
import { EngineModule } from '../modules/verification/engine.module.js';
import { EngineService, ONE_OF_MANY_TIMEOUT_MS } from '../modules/verification/engine.service.js';
import { withModules } from './command-context.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { ProgressBar, readNote, removeNote, writeNote } from './progress.js';

/** Rows that are verified, written and noted together: what an interrupted run does twice. */
const ROWS_AT_ONCE = 200;
const CONCURRENCY = 50;

interface Note extends ListOutcome {
  digest: string;
  /** Length of what is written so far: what stands behind it is half a batch. */
  bytes: number;
}

/** Without a server: name and mail servers are asked from this machine, and nothing is remembered. */
export async function verifyListHere(run: ListRun): Promise<ListOutcome> {
  const bar = new ProgressBar();
  try {
    return await withModules([EngineModule], (services) => goOn(run, services(EngineService), bar));
  } finally {
    bar.stop();
  }
}

async function goOn(run: ListRun, engine: EngineService, bar: ProgressBar): Promise<ListOutcome> {
  const part = `${run.output}.part`;
  const total = await countRows(run.input);
  const note = await begin(run, part);
  const header = anEmptyHeader();
  let index = 0;
  bar.update(note.rows, total);
  for await (const batch of inBatches(csvList(createReadStream(run.input), header), ROWS_AT_ONCE)) {
    const rows = batch.map((entry) => ({ ...entry, index: index++ })).filter((row) => row.index >= note.rows);
    if (rows.length === 0) continue;
    const verdicts = await verdictsOf(engine, rows);
    const results = rows.map((row) => ({ ...row, verdict: verdicts.get(row.email) ?? null }));
    const text = (note.rows === 0 ? csvHeader(header.columns) : '') + csvRows(results, header.columns);
    await appendFile(part, text);
    note.bytes += Buffer.byteLength(text);
    note.rows += rows.length;
    for (const { status } of results.flatMap(({ verdict }) => verdict ?? []))
      note.byStatus[status] = (note.byStatus[status] ?? 0) + 1;
    await writeNote(run.progressFile, note);
    bar.update(note.rows, total);
  }
  await rename(part, run.output);
  await removeNote(run.progressFile);
  return note;
}

async function begin({ digest, progressFile }: ListRun, part: string): Promise<Note> {
  const note = await readNote<Note>(progressFile, digest);
  const canGoOn =
    note !== null &&
    (await truncate(part, note.bytes).then(
      () => true,
      () => false,
    ));
  if (canGoOn) return note;
  await writeFile(part, '');
  return { digest, rows: 0, bytes: 0, byStatus: {} };
}

async function countRows(input: string): Promise<number> {
  let rows = 0;
  for await (const entries of csvList(createReadStream(input), anEmptyHeader())) rows += entries.length;
  return rows;
}

async function verdictsOf(
  engine: EngineService,
  entries: readonly ListEntry[],
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const emails = new Set(entries.map(({ email }) => email));
  const options = {
    timeoutMs: ONE_OF_MANY_TIMEOUT_MS,
    rules: { roleIsRisky: false },
    concurrency: CONCURRENCY,
  };
  for await (const verdict of engine.checkAll(emails, options)) verdicts.set(verdict.email, verdict);
  return verdicts;
}
