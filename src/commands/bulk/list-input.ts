import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../terminal.js';

const STANDARD_INPUT = '-';

/** A list as a file, which can be read several times. */
export interface ListInput {
  file: string;
  bytes: number;
  /** SHA-256 in hex. */
  digest: string;
  /** Deletes the copy of a list that was no file. Synchronous, for the handler of a signal. */
  dispose: () => void;
}

/** @param input a file, a pipe, or `-`. @throws UsageError */
export async function openList(input: string, stdin: Readable = process.stdin): Promise<ListInput> {
  if (input === STANDARD_INPUT) return copied(stdin);
  const found = await stat(input).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new UsageError(`there is no file ${input}; name a CSV, or - for standard input`);
  });
  if (found.isDirectory()) throw new UsageError(`${input} is a folder; name a CSV in it`);
  if (!found.isFile()) return copied(createReadStream(input));
  const { bytes, digest } = await measured(input);
  return { file: input, bytes, digest, dispose: () => undefined };
}

export function isStandardInput(input: string): boolean {
  return input === STANDARD_INPUT;
}

async function copied(source: Readable): Promise<ListInput> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-list-'));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'list.csv');
    await pipeline(source, createWriteStream(file, { mode: 0o600 }));
    return { file, ...(await measured(file)), dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

async function measured(file: string): Promise<{ bytes: number; digest: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, digest: hash.digest('hex') };
}
