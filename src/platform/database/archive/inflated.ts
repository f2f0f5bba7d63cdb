import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { cutOff, damaged } from './archive-rejected.js';

/** Rows of tables have a tenth of this; a gzip stream of repeated bytes has 1,000. */
const MAX_RATIO = 200;
/** What may be compressed more. */
const FREE_BYTES = 67_108_864;
const CHUNK_BYTES = 65_536;

/** Whether `inflated` accepts an archive with this part. */
export function isRestorable({ bytes, compressed }: { bytes: number; compressed: number }): boolean {
  return bytes <= FREE_BYTES / 2 || bytes <= MAX_RATIO * compressed;
}

/** Decompresses gzip, of one part or several. @throws ArchiveRejected */
export async function* inflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  let [compressed, bytes] = [0, 0];
  const counted = async function* () {
    for await (const part of source) {
      compressed += part.length;
      yield part;
    }
  };
  const fed = pipeline(counted, gunzip);
  // The loop below throws the same error.
  fed.catch(() => undefined);
  try {
    for await (const part of gunzip as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > FREE_BYTES + MAX_RATIO * compressed)
        throw damaged(`it has more than ${MAX_RATIO} times as many bytes as its file`);
      yield part;
    }
    await fed;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE') throw cutOff();
    throw code.startsWith('Z_') ? damaged('it cannot be decompressed') : error;
  }
  if (gunzip.bytesWritten !== compressed) throw damaged('something follows its end');
}
