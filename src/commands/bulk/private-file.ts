import { constants } from 'node:fs';
import { lstat, open, rm, type FileHandle } from 'node:fs/promises';

/**
 * Lists are personal data: files beside an output are for this user only. Their names are known, and another
 * user may have put a link there in a shared folder, so that links are replaced and not followed.
 */

export const PRIVATE_MODE = 0o600;
/** Not on Windows. */
const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;
export const APPEND = constants.O_WRONLY | constants.O_APPEND | NO_FOLLOW;

/** An empty file in place of what has that name. */
export async function createPrivateFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx', PRIVATE_MODE);
  return create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    await rm(path);
    return create();
  });
}

/** @returns the length of a file; null: there is none, or it is a link, a pipe or a device. */
export async function lengthOfFile(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}
