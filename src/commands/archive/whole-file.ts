import { randomBytes } from 'node:crypto';
import { rmSync, type Stats } from 'node:fs';
import { open, readdir, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { onInterruption, say, UsageError } from '../terminal.js';

/** The archive has the addresses of lists. */
const PRIVATE_MODE = 0o600;

/**
 * Gives a file its name only when it is complete and on the disk: it is written under another name in the same
 * directory. A file of that name is replaced, also one that a killed process has left incomplete.
 *
 * @param write ends the stream; `directory` has space for the file, and for what is needed meanwhile.
 */
export async function writeWholeFile<T>(
  path: string,
  write: (output: Writable, directory: string) => Promise<T>,
): Promise<T> {
  const target = await targetOf(path);
  await removeAbandoned(target);
  const suffix = `${process.pid}.${randomBytes(4).toString('hex')}.partial`;
  const draft = join(dirname(target), `.${basename(target)}.${suffix}`);
  const file = await create(draft, target);
  const release = onInterruption(() => rmSync(draft, { force: true }));
  try {
    const written = await write(file.createWriteStream({ flush: true }), dirname(target));
    await rename(draft, target);
    await syncDirectory(dirname(target));
    return written;
  } finally {
    release();
    await file.close().catch(() => undefined);
    // It has the other name when all went well.
    await rm(draft, { force: true });
  }
}

async function targetOf(path: string): Promise<string> {
  const target = await realpath(path).catch(() => resolve(path));
  const found = await stat(target).catch((): Stats | null => null);
  if (found === null || found.isFile()) return target;
  throw new UsageError(
    found.isDirectory()
      ? `${path} is a folder; name a file`
      : `${path} is no file: write to standard output with -, and redirect it`,
  );
}

/** What killed processes have written: nothing else would ever delete it. */
async function removeAbandoned(target: string): Promise<void> {
  const prefix = `.${basename(target)}.`;
  // A directory that cannot be read has an error of its own when the file is created.
  for (const name of await readdir(dirname(target)).catch(() => [])) {
    const [, pid] = name.startsWith(prefix) ? (DRAFT.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid === undefined) continue;
    const draft = join(dirname(target), name);
    if (isRunning(Number(pid)))
      say(`${draft} is of process ${pid}. If that is no backup, the file is incomplete: delete it.`);
    else await rm(draft, { force: true });
  }
}

/** The part of a name after that of the file. */
const DRAFT = /^(\d+)\.[0-9a-f]{8}\.partial$/;

function isRunning(pid: number): boolean {
  // In a container each command may have the same one.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function create(draft: string, target: string): Promise<FileHandle> {
  try {
    return await open(draft, 'wx', PRIVATE_MODE);
  } catch (error) {
    // The sentence about the error names the file that the operator knows.
    const shown = (error as NodeJS.ErrnoException).code === 'ENOENT' ? dirname(target) : target;
    throw Object.assign(error as Error, { path: shown });
  }
}

/** The name too: a power failure could otherwise undo the renaming. Windows cannot open a directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => null);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
