import { ArchiveRejected, cutOff, damaged } from './archive-rejected.js';
import { blocksOf } from './byte-queue.js';
import { MAX_HEADER_BYTES, notAnArchive, sealOf, type ChunkSeal } from './chunk-seal.js';

const CHUNK_BYTES = 65_536;
const LINE_END = 0x0a;

/** The header line, then sealed chunks of which all but the last have the same length. */
export async function* sealed(content: AsyncIterable<Buffer>, seal: ChunkSeal): AsyncGenerator<Buffer> {
  yield seal.header;
  let number = 0;
  let held = Buffer.alloc(0);
  for await (const chunk of blocksOf(content, CHUNK_BYTES)) {
    if (held.length > 0) yield seal.seal(held, { number: number++, isLast: false });
    held = chunk as Buffer<ArrayBuffer>;
  }
  yield seal.seal(held, { number, isLast: true });
}

/**
 * What was sealed.
 *
 * @param passphrase asked for when the archive is encrypted.
 * @throws ArchiveRejected when anything was changed or is missing; what was yielded before is as it was sealed.
 */
export async function* unsealed(
  archive: AsyncIterable<Buffer>,
  passphrase: () => Promise<string>,
): AsyncGenerator<Buffer> {
  const { header, rest } = await headerIn(archive[Symbol.asyncIterator]());
  const seal = await sealOf(header, passphrase);
  const size = CHUNK_BYTES + seal.overhead;
  let number = 0;
  let held: Buffer | null = null;
  for await (const block of blocksOf(rest, size)) {
    if (held !== null) {
      const chunk = seal.open(held, { number, isLast: false });
      if (chunk === null) throw unreadable(seal, number);
      yield chunk;
      number++;
    }
    held = block;
  }
  if (held === null) throw cutOff();
  const last = seal.open(held, { number, isLast: true });
  if (last !== null) {
    yield last;
    return;
  }
  // A whole chunk that is none of the end, or a part of one.
  const isCut = held.length === size && seal.open(held, { number, isLast: false }) !== null;
  const isPart = held.length < size && (number > 0 || !seal.isEncrypted);
  if (isCut || isPart) throw cutOff();
  throw unreadable(seal, number);
}

function unreadable(seal: ChunkSeal, number: number): ArchiveRejected {
  if (!seal.isEncrypted || number > 0) return damaged(`chunk ${number} was changed`);
  return new ArchiveRejected(
    'wrong_passphrase',
    'The passphrase is wrong, or the archive is damaged or cut off at its start.',
  );
}

async function headerIn(
  parts: AsyncIterator<Buffer>,
): Promise<{ header: string; rest: AsyncGenerator<Buffer> }> {
  let start = Buffer.alloc(0);
  let end = -1;
  while (end < 0 && start.length < MAX_HEADER_BYTES) {
    const next = await parts.next();
    if (next.done === true) throw start.length === 0 ? cutOff() : notAnArchive();
    start = Buffer.concat([start, next.value]);
    end = start.indexOf(LINE_END);
  }
  if (end < 0 || end > MAX_HEADER_BYTES) throw notAnArchive();
  return { header: start.toString('latin1', 0, end), rest: from(start.subarray(end + 1), parts) };
}

async function* from(start: Buffer, parts: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield start;
    for (let next; (next = await parts.next()).done !== true;) yield next.value;
  } finally {
    await parts.return?.();
  }
}
