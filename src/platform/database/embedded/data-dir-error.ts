import { ConfigError } from '../../config/config.js';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'a part of this path is a file, not a directory',
  EEXIST: 'it is a file, not a directory',
  ENOSPC: 'the disk is full',
};

/**
 * Runs `work`, which uses files in `dataDir`.
 *
 * @throws ConfigError instead of an error of the file system there; other errors unchanged.
 */
export async function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', path = '' } = error as NodeJS.ErrnoException;
    const cause = CAUSES[code];
    if (cause === undefined || !path.startsWith(dataDir)) throw error;
    throw new ConfigError(
      `DATA_DIR (${dataDir}) cannot be used: ${path}: ${cause} (${code}). ` +
        'Correct it, or set DATA_DIR to a directory in which this user may write.',
    );
  }
}
