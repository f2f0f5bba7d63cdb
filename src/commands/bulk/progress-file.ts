import { readFile, rename, rm } from 'node:fs/promises';
import { createPrivateFile } from './private-file.js';

/** Beside the output; deleted when the output is complete. */
export function progressFileOf(output: string): string {
  return `${output}.progress`;
}

/** @param file null: nothing is stored. @returns null: there is none, or it belongs to another list. */
export async function readProgress<Note extends { digest: string }>(
  file: string | null,
  digest: string,
): Promise<Note | null> {
  if (file === null) return null;
  try {
    const progress = JSON.parse(await readFile(file, 'utf8')) as Note;
    return progress.digest === digest ? progress : null;
  } catch {
    return null;
  }
}

/** Replaces the file atomically: if the process is killed, the previous version stays. */
export async function writeProgress(file: string | null, progress: object): Promise<void> {
  if (file === null) return;
  const next = await createPrivateFile(`${file}.new`);
  try {
    await next.writeFile(JSON.stringify(progress));
  } finally {
    await next.close();
  }
  await rename(`${file}.new`, file);
}

export async function removeProgress(file: string | null): Promise<void> {
  if (file !== null) await rm(file, { force: true });
}
