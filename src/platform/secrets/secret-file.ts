import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The secret kept at `path`, made by `make` on first use: a file of mode 0600 holding one line.
 *
 * Any number of processes may ask at the same moment; all get the same secret. The file appears whole:
 * it is written beside its place and then linked there, which fails for all callers but one.
 *
 * @throws what the file system says, and an Error where the file is there but empty
 */
export async function readOrCreateSecretFile(path: string, make: () => string): Promise<string> {
  return (await readSecret(path)) ?? (await createSecret(path, make()));
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (secret === '') throw new Error(`${path} is empty: restore it, or remove it to have a new one made`);
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
    await writeDurably(draft, `${secret}\n`);
    await link(draft, path);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readOrCreateSecretFile(path, () => secret);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Synced before it gets its name: after a power cut the name must not lead to an empty file. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
