import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Linux mounts a file system in memory here. */
const SHARED_MEMORY = '/dev/shm';
const NEEDED_BYTES = 3 * 1024 ** 3;

/**
 * Creates a directory in memory for the temporary files of the run, because a new database consists of
 * hundreds of files. The environment variable TMPDIR takes precedence.
 *
 * @returns null if the machine has no file system in memory that is large enough and may run programs.
 */
export async function memoryDirectory() {
  if (process.env.TMPDIR !== undefined) return null;
  const space = await statfs(SHARED_MEMORY).catch(() => null);
  if (space === null || space.bavail * space.bsize < NEEDED_BYTES) return null;
  const directory = await mkdtemp(join(SHARED_MEMORY, 'rcpt-run-')).catch(() => null);
  if (directory === null) return null;
  // As /tmp: PostgreSQL of root runs as another user.
  await chmod(directory, 0o1777);
  const program = join(directory, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  const runs = await promisify(execFile)(program).then(
    () => true,
    () => false,
  );
  await rm(runs ? program : directory, { recursive: true });
  return runs ? directory : null;
}
