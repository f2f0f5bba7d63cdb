import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileSentence } from '../error-sentences.js';
import { UsageError } from '../terminal.js';

/** A model chooses the paths: it reads only what is named like a list, and replaces nothing. */

const LINE_FEED = 0x0a;
const LISTS = ['.csv', '.tsv', '.tab', '.txt'];

/** @throws UsageError */
export async function requireList(file: string): Promise<void> {
  if (!LISTS.includes(extname(file).toLowerCase()))
    throw new UsageError(`file must be a ${LISTS.join(', ')}; save the list as CSV`);
  if (!(await stat(file)).isFile()) throw new UsageError(`${file} is no file; name a CSV`);
}

/** The number of lines. */
export async function linesIn(file: string): Promise<number> {
  let lines = 0;
  let last = LINE_FEED;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
    last = chunk.at(-1) ?? last;
  }
  return last === LINE_FEED ? lines : lines + 1;
}

/** @throws UsageError */
export function outputFormat(output: string): 'csv' | 'ndjson' {
  const extension = extname(output).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.ndjson') return 'ndjson';
  throw new UsageError('output must be a .csv or an .ndjson');
}

/** @returns the file. @throws UsageError if it exists. */
export async function writeNewFile(
  output: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<string> {
  const file = createWriteStream(output, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(chunks, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${output} exists; name another output`);
    // What was written of it is no result.
    if (file.bytesWritten > 0) await rm(output, { force: true });
    throw error;
  }
  return output;
}

export function sentenceOf(error: unknown): string {
  const { message } = error as Error;
  return `${fileSentence(error) ?? message}.`.replace(/\.\.$/, '.');
}
