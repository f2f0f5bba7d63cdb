import { ConfigError } from '../../config/config.js';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'a part of this path is a file, not a directory',
  EEXIST: 'it is a file, not a directory',
};
/** Of the disk: no setting is wrong, and a later start may succeed. */
const DISK_CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user on the disk is used up',
  EIO: 'the disk reports an I/O error',
};

/**
 * Runs `work`, which uses files in `dataDir`.
 *
 * @throws ConfigError instead of an error of the file system there, an error with its code for one of the disk; other
 *   errors unchanged.
 */
export async function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', path = '' } = error as NodeJS.ErrnoException;
    const ofDisk = DISK_CAUSES[code];
    if (ofDisk !== undefined && (path === '' || path.startsWith(dataDir)))
      throw Object.assign(
        new Error(`DATA_DIR (${dataDir}) cannot be used: ${ofDisk} (${code})`, { cause: error }),
        {
          code,
        },
      );
    const cause = CAUSES[code];
    if (cause === undefined || !path.startsWith(dataDir)) throw error;
    throw new ConfigError(
      `DATA_DIR (${dataDir}) cannot be used: ${path}: ${cause} (${code}). ` +
        'Correct it, or set DATA_DIR to a directory in which this user may write.',
    );
  }
}
