import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { readServiceAccess } from '../platform/config/config.js';
import type { ListRun } from './list-run.js';
import { print, UsageError, type Format } from './terminal.js';

interface Options extends Format {
  output?: string;
  url?: string;
  refresh?: true;
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
    digest: await digestOf(input),
    refresh: options.refresh === true,
  };
  const { url, apiKey } = readServiceAccess();
  const service = options.url ?? url;
  if (service !== null && apiKey === null) throw new UsageError('set RCPT_API_KEY to a key of that service');
  const outcome =
    service === null || apiKey === null
      ? await (await import('./bulk-here.js')).verifyListHere(run)
      : await (await import('./bulk-there.js')).verifyListThere(run, service.replace(/\/+$/, ''), apiKey);
  const { rows, byStatus } = outcome;
  print(options, { output, rows, by_status: byStatus }, () =>
    [`${output}: ${rows} rows`, ...Object.entries(byStatus).map(([status, n]) => `  ${status} ${n}`)].join(
      '\n',
    ),
  );
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}
