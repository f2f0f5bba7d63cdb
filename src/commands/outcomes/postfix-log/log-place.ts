import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../terminal.js';

/** Where the reading of a log goes on. */
export interface LogPlace {
  inode: string;
  /** The end of the last line that was read. */
  offset: number;
  /** The digest of the first line: after a rotation a new file may have the same inode. */
  first_line: string;
}

const PRIVATE_MODE = 0o600;
const PRIVATE_FOLDER = 0o700;
const MAX_FIRST_LINE_BYTES = 16_384;

/** @returns null: the file has no complete line. */
export async function firstLineOf(file: FileHandle): Promise<string | null> {
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(MAX_FIRST_LINE_BYTES),
    0,
    MAX_FIRST_LINE_BYTES,
    0,
  );
  const end = buffer.subarray(0, bytesRead).indexOf('\n');
  if (end === -1 && bytesRead < MAX_FIRST_LINE_BYTES) return null;
  return createHash('sha256')
    .update(buffer.subarray(0, end === -1 ? bytesRead : end))
    .digest('hex');
}

/** Of a log that is followed, in the state directory of the user. */
export function defaultState(log: string): string {
  const name = createHash('sha256').update(resolve(log)).digest('hex').slice(0, 16);
  return join(homedir(), '.local', 'state', 'rcpt', `postfix-log-${name}.json`);
}

/** @returns null: there is no such file. @throws UsageError */
export async function readPlace(state: string): Promise<LogPlace | null> {
  const text = await readFile(state, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const place = parsed(text);
  if (place === null)
    throw new UsageError(
      `${state} holds no place in a log; name another file with --state, or delete it: then the log is read from its beginning, and nothing counts twice`,
    );
  return place;
}

function parsed(text: string): LogPlace | null {
  try {
    const { inode, offset, first_line } = JSON.parse(text) as Partial<LogPlace>;
    const isPlace =
      typeof inode === 'string' &&
      Number.isSafeInteger(offset) &&
      Number(offset) >= 0 &&
      typeof first_line === 'string';
    return isPlace ? { inode, offset: Number(offset), first_line } : null;
  } catch {
    return null;
  }
}

/** Replaces the file as a whole, so that a crash leaves the old or the new place. A link is replaced, not followed. */
export async function writePlace(state: string, place: LogPlace): Promise<void> {
  await mkdir(dirname(state), { recursive: true, mode: PRIVATE_FOLDER });
  const written = `${state}.${randomUUID()}`;
  try {
    const file = await open(written, 'wx', PRIVATE_MODE);
    try {
      await file.writeFile(`${JSON.stringify(place)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, state);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}
