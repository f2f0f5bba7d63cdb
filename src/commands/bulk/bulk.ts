import { createHash } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Status } from '../../kernel/verdict.js';
import { readServiceAccess } from '../../platform/config/service-access.js';
import { onInterruption } from '../interruption.js';
import { isStandardInput, openList, type ListInput } from './list-input.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { readProgress } from './progress-file.js';
import { ProgressReport } from './progress-report.js';
import { parseServiceUrl } from '../service-client.js';
import { print, UsageError, type Format } from '../terminal.js';

interface Options extends Format {
  output?: string;
  url?: string;
  refresh?: true;
  column?: string;
  formulaGuard: boolean;
  only?: Status[];
  force?: true;
}

export async function verifyList(input: string, options: Options): Promise<void> {
  const output = outputOf(input, options.output);
  const service = serviceOf(options);
  const report = new ProgressReport();
  let list: ListInput | null = null;
  const release = onInterruption(() => {
    report.say(`interrupted; ${howToResume(input)}`);
    list?.dispose();
  });
  try {
    await requireFolder(dirname(resolve(output)));
    list = await openList(input);
    const run = runOf(list, output, options);
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

function outputOf(input: string, named: string | undefined): string {
  if (named === undefined && isStandardInput(input))
    throw new UsageError('a list from standard input needs the name of the output: -o FILE');
  const output = named ?? `${input.replace(/\.csv$/i, '')}.verified.csv`;
  if (resolve(output) === resolve(input))
    throw new UsageError('the list would be overwritten; name another output with -o');
  return output;
}

/** @returns null: the list is verified in this process. */
function serviceOf(options: Options): { url: string; apiKey: string } | null {
  const { url, apiKey } = readServiceAccess();
  const service = options.url ?? url;
  if (service === null) return null;
  if (apiKey === null) throw new UsageError('set RCPT_API_KEY to a key of that service');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError('RCPT_API_KEY is not a valid key; keys start with rcpt_live_ or rcpt_test_');
  return { url: parseServiceUrl(service), apiKey };
}

function runOf(list: ListInput, output: string, { refresh, column, formulaGuard, only }: Options): ListRun {
  const parts = [list.digest, column ?? '', String(refresh === true)];
  return {
    list,
    output,
    progressFile: `${output}.progress`,
    digest: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    refresh: refresh === true,
    column: column ?? null,
    formulaGuard,
    only: only ?? null,
  };
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new UsageError(
      `there is no folder ${folder} for the output; create it, or name another output with -o`,
    );
  await access(folder, constants.W_OK);
}

/** The output of an interrupted run is complete only if the run ended just before it deleted its progress. */
async function refuseToOverwrite({ output, progressFile, digest }: ListRun): Promise<void> {
  const exists = await access(output).then(
    () => true,
    () => false,
  );
  if (!exists || (await readProgress(progressFile, digest)) !== null) return;
  throw new UsageError(`${output} exists; name another output with -o, or replace it with --force`);
}

function howToResume(input: string): string {
  return isStandardInput(input)
    ? 'run the same command again with the same list, which resumes'
    : 'run the same command again, which resumes';
}

function summarize({ rows, byStatus }: ListOutcome, { output, only }: ListRun, format: Format): void {
  const written = only?.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0) ?? rows;
  const count = only === null ? `${rows} rows` : `${written} of ${rows} rows`;
  print(format, { output, rows, written, by_status: byStatus }, () =>
    [`${output}: ${count}`, ...Object.entries(byStatus).map(([status, n]) => `  ${status} ${n}`)].join('\n'),
  );
}
