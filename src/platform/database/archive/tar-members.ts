import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { cutOff, damaged } from './archive-rejected.js';
import { paddedSize } from './tar-head.js';

/** Heads, padding and the end of the archive, and what the decoder reads ahead. */
const FREE_BYTES = 4_194_304;
const FREE_BYTES_OF_MEMBER = 65_536;
const TRUNCATED = 'Tar archive is truncated.';
/** Attributes of a file that other programs write (pax). All others change what its bytes mean. */
const KNOWN_ATTRIBUTES = /^(?:path|size|[amc]time|uid|gid|uname|gname|comment|LIBARCHIVE\.\w+|SCHILY\.\w+)$/;

/** The members of a tar file, each asked for by its name: the first one that is another ends the reading. */
export class TarMembers {
  private readonly entries: AsyncIterator<ParsedTarEntry>;
  private bytes = 0;
  private limit = FREE_BYTES;

  constructor(content: AsyncIterable<Buffer>) {
    const source = ReadableStream.from(this.limited(content)) as ReadableStream<Uint8Array>;
    this.entries = source.pipeThrough(createTarDecoder({ strict: true }))[Symbol.asyncIterator]();
  }

  /** The bytes of the next member, which must be read before the next call. @throws ArchiveRejected */
  async next(name: string, maxBytes = Infinity): Promise<AsyncIterable<Buffer>> {
    const entry = await this.read();
    if (entry === null) throw cutOff();
    const { header, body } = entry;
    const isFile = header.type === 'file' && header.name === name;
    if (!isFile || !Object.keys(header.pax ?? {}).every((key) => KNOWN_ATTRIBUTES.test(key)))
      throw damaged(`it has another member in the place of ${name}`);
    if (header.size > maxBytes) throw damaged(`its ${name} has more than ${maxBytes} bytes`);
    this.limit += paddedSize(header.size) + FREE_BYTES_OF_MEMBER;
    return buffersOf(body);
  }

  /** @throws ArchiveRejected when there is another member, or the archive is cut off after the last one. */
  async end(): Promise<void> {
    if ((await this.read()) !== null) throw damaged('it has a member after its end');
  }

  /** Ends the reading early, and closes the source. */
  async close(): Promise<void> {
    // An error was thrown before.
    await this.entries.return?.().catch(() => undefined);
  }

  private async read(): Promise<ParsedTarEntry | null> {
    const next = await translated(this.entries.next());
    return next.done === true ? null : next.value;
  }

  /** The decoder itself reads any number of attributes, and of zeros at the end. */
  private async *limited(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of content) {
      this.bytes += part.length;
      if (this.bytes > this.limit) throw damaged('it has bytes that belong to none of its members');
      yield part;
    }
  }
}

async function* buffersOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const parts = body[Symbol.asyncIterator]();
  try {
    for (let next; (next = await translated(parts.next())).done !== true;) {
      const { buffer, byteOffset, byteLength } = next.value;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  } finally {
    await parts.return?.().catch(() => undefined);
  }
}

/** The decoder throws plain errors; those of the source have a class or a code. */
function translated<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: Error & { code?: string }) => {
    if (error.message === TRUNCATED) throw cutOff();
    throw error.constructor === Error && error.code === undefined ? damaged('its tar cannot be read') : error;
  });
}
