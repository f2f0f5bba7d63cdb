import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { ListEncoding, UniqueBy } from '../../kernel/list-files/list-format.js';
import { nameError } from '../../kernel/text/text-rules.js';
import { REASON_TABLE, REASONS, STATUSES, type Status } from '../../kernel/verdict.js';
import { isStream, openList, type ListInput } from './list-input.js';
import { keptFileOf } from './kept-rows.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { progressFileOf, readProgress } from './progress-file.js';
import { ProgressReport } from './progress-report.js';
import { serviceOf } from '../service-client.js';
import { isStandardInput, onInterruption, plural, print, UsageError, type Format } from '../terminal.js';

const STANDARD_OUTPUT = '-';

interface Options extends Format {
  output?: string;
  url?: string;
  refresh?: true;
  maxAge?: number;
  unique?: UniqueBy;
  column?: string;
  header?: boolean;
  headerLine?: number;
  delimiter?: string;
  quotes: boolean;
  extractAddress?: true;
  encoding?: ListEncoding;
  formulaGuard: boolean;
  only?: Status[];
  force?: true;
  finish?: true;
  dryRun?: true;
}

export async function verifyList(input: string, options: Options): Promise<void> {
  const output = options.dryRun === true ? null : await outputOf(input, options.output);
  const service = serviceOf(options.url);
  const report = new ProgressReport();
  let list: ListInput | null = null;
  const beforeSignal: ListRun['beforeSignal'] = [];
  const release = onInterruption(() => {
    for (const end of beforeSignal) end();
    report.say(`interrupted; ${howToResume(input, output)}`);
    list?.dispose();
  });
  try {
    if (output !== null) await requirePlaceFor(output);
    list = await openList(input);
    const run = runOf(list, { name: nameOf(input), output, beforeSignal }, options);
    if (options.dryRun === true)
      return await (await import('./dry-run.js')).dryRun(run, report, service, options);
    if (options.force !== true) await refuseToOverwrite(run);
    const outcome =
      service === null
        ? await (await import('./bulk-local.js')).verifyListLocally(run, report)
        : await (await import('./bulk-remote.js')).verifyListRemotely(run, report, service);
    report.stop();
    summarize(outcome, run, options);
  } finally {
    report.stop();
    release();
    list?.dispose();
  }
}

/** @returns null: standard output. */
async function outputOf(input: string, named: string | undefined): Promise<string | null> {
  if (named === STANDARD_OUTPUT || (named === undefined && (await isStream(input)))) return null;
  const output = named ?? `${input.replace(/\.csv$/i, '')}.verified.csv`;
  if (resolve(output) === resolve(input))
    throw new UsageError('the list would be overwritten; name another output with -o');
  return output;
}

function runOf(
  list: ListInput,
  { name, output, beforeSignal }: Pick<ListRun, 'name' | 'output' | 'beforeSignal'>,
  {
    refresh,
    maxAge,
    unique = 'address',
    column,
    header,
    headerLine,
    delimiter,
    quotes,
    extractAddress,
    encoding,
    formulaGuard,
    only,
    finish,
    json,
  }: Options,
): ListRun {
  const reading = {
    column: column ?? null,
    header: headerLine ?? header ?? null,
    delimiter: delimiter ?? null,
    quotes: quotes ? null : false,
    extracts: extractAddress === true,
    encoding: encoding ?? null,
  };
  const parts = [
    list.digest,
    reading,
    refresh === true,
    ...(unique === 'address' ? [] : [unique]),
    ...(maxAge === undefined ? [] : [maxAge]),
  ];
  return {
    list,
    output,
    progressFile: output === null ? null : progressFileOf(output),
    digest: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    refresh: refresh === true,
    maxAge: maxAge ?? null,
    uniqueBy: unique,
    name,
    finish: finish === true,
    reading,
    formulaGuard,
    only: only ?? null,
    json: json === true,
    beforeSignal,
  };
}

/** The name of a file, as far as a job can have it. */
function nameOf(input: string): string | null {
  const name = basename(input).trim();
  return isStandardInput(input) || nameError(name) !== null ? null : name;
}

async function requirePlaceFor(output: string): Promise<void> {
  const folder = dirname(resolve(output));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new UsageError(
      `there is no folder ${folder} for the output; create it, or name another output with -o`,
    );
  await access(folder, constants.W_OK);
  const existing = await stat(output).catch(() => null);
  // The output is put in its place when it is complete, which would replace a device or a pipe.
  if (existing !== null && !existing.isFile())
    throw new UsageError(`${output} is no file; name a file, or write to standard output with -o -`);
}

/** The output of an interrupted run is complete only if the run ended just before it deleted its progress. */
async function refuseToOverwrite({ output, progressFile, digest }: ListRun): Promise<void> {
  if (output === null || !existsSync(output)) return;
  if ((await readProgress(progressFile, digest)) !== null) return;
  throw new UsageError(`${output} exists; name another output with -o, or replace it with --force`);
}

function howToResume(input: string, output: string | null): string {
  if (output === null) return 'only a run with -o FILE can be resumed';
  if (![progressFileOf(output), keptFileOf(output)].some((file) => existsSync(file)))
    return 'nothing was written';
  return isStandardInput(input)
    ? 'run the same command again with the same list, which resumes'
    : 'run the same command again, which resumes';
}

/** Standard output has either the rows or the summary. */
function summarize(
  { rows, byStatus, byReason, reading }: ListOutcome,
  { output, only }: ListRun,
  format: Format,
): void {
  const written = only?.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0) ?? rows;
  const count = only === null ? plural(rows, 'row') : `${written} of ${plural(rows, 'row')}`;
  const empty = rows - Object.values(byStatus).reduce((sum, found) => sum + found, 0);
  const emptyLine = empty > 0 ? [`  no address ${empty}`] : [];
  const text = () =>
    [`${output ?? 'standard output'}: ${count}`, ...countLines(byStatus, byReason), ...emptyLine].join('\n');
  const stream = output === null ? process.stderr : process.stdout;
  const counts = { rows, empty, written, by_status: byStatus, by_reason: byReason };
  print(format, { output, format: reading ?? null, ...counts }, text, stream);
}

/** Statuses in their usual order, each with its reasons, the most frequent first. */
function countLines(byStatus: ListOutcome['byStatus'], byReason: ListOutcome['byReason']): string[] {
  return STATUSES.filter((status) => byStatus[status] !== undefined).flatMap((status) => {
    const reasons = REASONS.filter((reason) => REASON_TABLE[reason].status === status && byReason[reason]);
    const sorted = reasons.toSorted((a, b) => (byReason[b] ?? 0) - (byReason[a] ?? 0));
    return [
      `  ${status} ${byStatus[status]}`,
      ...sorted.map((reason) => `    ${reason} ${byReason[reason]}`),
    ];
  });
}
