import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../config/config.js';

/**
 * Reads the secret at `path`. On first use it creates the file with the result of `make`: one line, mode
 * 0600.
 *
 * Concurrent processes get the same secret. The file is written under a temporary name and linked to
 * `path`, which succeeds for one process only, so it is never incomplete.
 *
 * @throws file system errors, an Error if the file is empty, and a ConfigError if others may read or write it;
 *   its group may, so that a secret of Kubernetes can be mounted for the group of the container
 */
export async function readOrCreateSecretFile(path: string, make: () => string): Promise<string> {
  return (await findSecretFile(path)) ?? (await createSecret(path, make()));
}

/** The permission bits of everybody who is neither the owner nor in the group. Windows has none. */
const OTHERS = 0o007;
const hasModes = process.platform !== 'win32';

/** @returns undefined: there is no file. */
export async function findSecretFile(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (secret === '') throw new Error(`${path} is empty: restore it, or remove it to create a new one`);
    const { mode } = await stat(path);
    if (hasModes && (mode & OTHERS) !== 0)
      throw new ConfigError(
        `${path} is open to every user of this machine (mode ${(mode & 0o777).toString(8)}): run \`chmod 600 ${path}\`. ` +
          'If others may have read it, replace what it contains.',
      );
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function createSecret(path: string, secret: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    // On the disk before it is linked, so that the file is not empty after a power failure.
    await writeFile(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readOrCreateSecretFile(path, () => secret);
  } finally {
    await rm(draft, { force: true });
  }
}
