import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { readServiceAccess } from '../platform/config/service-access.js';
import type { ListRun } from './list-run.js';
import { print, UsageError, type Format } from './terminal.js';

interface Options extends Format {
  output?: string;
  url?: string;
  refresh?: true;
  column?: string;
  formulaGuard: boolean;
}

export async function verifyList(input: string, options: Options): Promise<void> {
  await access(input).catch(() => {
    throw new UsageError(`there is no file ${input} that could be read`);
  });
  const output = options.output ?? `${input.replace(/\.csv$/i, '')}.verified.csv`;
  if (output === input) throw new UsageError('the list would be overwritten; name another output');
  const run: ListRun = {
    input,
    output,
    progressFile: `${output}.progress`,
    digest: await digestOf(input, options.column),
    refresh: options.refresh === true,
    column: options.column ?? null,
    formulaGuard: options.formulaGuard,
  };
  const { url, apiKey } = readServiceAccess();
  const service = options.url ?? url;
  if (service !== null && apiKey === null) throw new UsageError('set RCPT_API_KEY to a key of that service');
  const outcome =
    service === null || apiKey === null
      ? await (await import('./bulk-local.js')).verifyListLocally(run)
      : await (await import('./bulk-remote.js')).verifyListRemotely(run, service.replace(/\/+$/, ''), apiKey);
  const { rows, byStatus } = outcome;
  print(options, { output, rows, by_status: byStatus }, () =>
    [`${output}: ${rows} rows`, ...Object.entries(byStatus).map(([status, n]) => `  ${status} ${n}`)].join(
      '\n',
    ),
  );
}

async function digestOf(file: string, column = ''): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.update(column).digest('hex');
}
