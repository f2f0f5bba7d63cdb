import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isStandardInput, UsageError } from '../terminal.js';

/** Directories of a Maildir with messages; those in `tmp` are not complete. */
const MAILDIR = ['cur', 'new'];

export interface InputFile {
  /** For people. */
  name: string;
  bytes: AsyncIterable<Buffer>;
}

/**
 * The files of an input: a file, standard input, the messages of a Maildir, or the files in another directory,
 * without its subdirectories.
 *
 * @throws UsageError
 */
export async function* filesOf(input: string): AsyncGenerator<InputFile, void, undefined> {
  if (isStandardInput(input)) return yield { name: 'standard input', bytes: process.stdin };
  const found = await stat(input).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new UsageError(`there is no file ${input}; name a file, a directory, or - for standard input`);
  });
  if (!found.isDirectory()) return yield { name: input, bytes: createReadStream(input) };
  const maildir = await Promise.all(MAILDIR.map((name) => isDirectory(join(input, name))));
  const folders = maildir.includes(true)
    ? MAILDIR.filter((_, index) => maildir[index]).map((name) => join(input, name))
    : [input];
  for (const folder of folders) yield* filesIn(folder);
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

/** In no order: a Maildir may have millions of messages. */
async function* filesIn(folder: string): AsyncGenerator<InputFile, void, undefined> {
  for await (const { name } of await opendir(folder)) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    // A mail client may have moved or renamed the message.
    const found = await stat(path).catch(() => null);
    if (found?.isFile() === true) yield { name: path, bytes: createReadStream(path) };
  }
}
