import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveRejected, damaged } from './archive-rejected.js';
import { recordsIn, type ArchiveRecord, type Manifest } from './archive-records.js';
import { unsealed } from './sealed-stream.js';

/**
 * Reads an archive from its start to its end, in constant memory.
 *
 * @param passphrase asked for once, when the archive is encrypted.
 * @throws ArchiveRejected as soon as something is wrong; only an archive that was read to its end is complete.
 */
export async function* readArchive(
  archive: AsyncIterable<Buffer>,
  passphrase: () => Promise<string>,
): AsyncGenerator<ArchiveRecord> {
  const gunzip = createGunzip();
  const fed = pipeline(Readable.from(unsealed(archive, passphrase)), gunzip);
  // The loop below throws the same error.
  fed.catch(() => undefined);
  try {
    yield* recordsIn(gunzip);
    await fed;
  } catch (error) {
    throw isOfZlib(error) ? damaged('it cannot be decompressed') : error;
  }
}

/** Reads the whole archive. @returns its manifest. @throws ArchiveRejected */
export async function validateArchive(
  archive: AsyncIterable<Buffer>,
  passphrase: () => Promise<string>,
): Promise<Manifest> {
  let manifest: Manifest | null = null;
  for await (const record of readArchive(archive, passphrase))
    if (record.kind === 'manifest') manifest = record.manifest;
  if (manifest === null) throw damaged('it has no manifest');
  return manifest;
}

function isOfZlib(error: unknown): boolean {
  if (error instanceof ArchiveRejected) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
