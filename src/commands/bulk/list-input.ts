import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isStandardInput, UsageError } from '../terminal.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A list as a file, which can be read several times. */
export interface ListInput {
  bytes: number;
  /** At least the number of its rows. */
  lines: number;
  /** SHA-256 in hex. */
  digest: string;
  /** Reads the list. @param onRead called with the number of bytes that were read. */
  open: (onRead?: (bytes: number) => void) => AsyncIterable<Buffer>;
  /** Deletes the copy of a list that was no file. Synchronous, for the handler of a signal. */
  dispose: () => void;
}

/** @param input a file, a pipe, or `-`. @throws UsageError */
export async function openList(input: string): Promise<ListInput> {
  if (isStandardInput(input)) return copied(process.stdin);
  const found = await stat(input).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new UsageError(`there is no file ${input}; name a CSV, or - for standard input`);
  });
  if (found.isDirectory()) throw new UsageError(`${input} is a folder; name a CSV in it`);
  if (!found.isFile()) return copied(createReadStream(input));
  return listIn(input, () => undefined);
}

/** Whether the list is no file, so that a result beside it would have no name. */
export async function isStream(input: string): Promise<boolean> {
  if (isStandardInput(input)) return true;
  const found = await stat(input).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
}

async function copied(source: Readable): Promise<ListInput> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-list-'));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'list.csv');
    await pipeline(source, createWriteStream(file, { mode: 0o600 }));
    return await listIn(file, dispose);
  } catch (error) {
    dispose();
    throw error;
  }
}

async function listIn(file: string, dispose: () => void): Promise<ListInput> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 1;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    for (const byte of chunk) if (byte === LINE_FEED || byte === CARRIAGE_RETURN) lines++;
  }
  const open: ListInput['open'] = (onRead) => piecesOf(file, onRead);
  return { bytes, lines, digest: hash.digest('hex'), open, dispose };
}

async function* piecesOf(file: string, onRead?: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    yield chunk;
    onRead?.(chunk.length);
  }
}
