import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { findSecretFile, readOrCreateSecretFile } from '../secrets/secret-file.js';
import { inDataDir } from './embedded/data-dir-error.js';

type KeySettings = Pick<Config, 'secretKeys' | 'dataDir'>;

/** The keys of `SECRET_KEY`, or those of the file in `DATA_DIR`, which is made at the first start. */
export async function secretKeysOf(settings: KeySettings): Promise<readonly string[]> {
  const own = () => randomBytes(32).toString('base64');
  return settings.secretKeys ?? keysIn(await keepSecretKeys(settings, own));
}

/** The same, without making a file. @returns null: there is no key yet. */
export async function findSecretKeys({
  secretKeys,
  dataDir,
}: KeySettings): Promise<readonly string[] | null> {
  if (secretKeys !== null) return secretKeys;
  const text = await inDataDir(dataDir, () => findSecretFile(fileIn(dataDir)));
  return text === undefined ? null : keysIn(text);
}

/** Writes the file in `DATA_DIR` unless there is one. @returns what it contains. */
export function keepSecretKeys({ dataDir }: KeySettings, make: () => string): Promise<string> {
  return inDataDir(dataDir, () => readOrCreateSecretFile(fileIn(dataDir), make));
}

export function fileIn(dataDir: string): string {
  return join(dataDir, 'secret-key');
}

/** Several, as in `SECRET_KEY`, only after a restore. */
function keysIn(text: string): string[] {
  return text.split(',').map((key) => key.trim());
}
