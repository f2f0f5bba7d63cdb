import { open, opendir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.js';
import { UsageError } from '../../terminal.js';
import { LineSplitter, type Line } from './line-splitter.js';
import { firstLineOf, type LogPlace } from './log-place.js';
import { append } from '../../../kernel/long-lists.js';

/** Lines that arrived together. */
export interface LogChunk {
  lines: readonly Line[];
  /** They were written until then. */
  latest: Date;
  /** After these lines; null: the input has no places. */
  place: LogPlace | null;
  /** Nothing more is there for now. */
  isLast: boolean;
}

export interface ReadingOptions {
  clock: Clock;
  follow: boolean;
  place: LogPlace | null;
  say: (sentence: string) => void;
  signal?: AbortSignal;
}

export const POLL_MS = 1_000;
/** Attempts to open a log that was created again, one each time it is polled. */
const REOPENINGS = 10;
const CHUNK_BYTES = 65_536;
const GZIP = Buffer.from('1f8b', 'hex');

/** The lines of standard input. */
export async function* linesOfStream(bytes: AsyncIterable<Buffer>, clock: Clock): AsyncGenerator<LogChunk> {
  const lines = new LineSplitter();
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) refuseGzip(chunk, 'standard input', '-');
    isFirst = false;
    yield { lines: [...lines.add(chunk)], latest: clock.now(), place: null, isLast: false };
  }
  yield { lines: [...lines.finish()], latest: clock.now(), place: null, isLast: true };
}

/** The lines of a file from a place on. It is followed by its name, as `tail -F` does, also when it is rotated. */
export class LogReader {
  constructor(
    private readonly path: string,
    private readonly options: ReadingOptions,
  ) {}

  async *read(): AsyncGenerator<LogChunk> {
    const { follow, place } = this.options;
    let file = await this.opened();
    let start = 0;
    if (file !== null && place !== null) {
      if (await isAt(file, place)) start = place.offset;
      else yield* this.restOf(place);
    }
    while (file !== null) {
      const hasEnded = yield* this.linesOf(file, start, follow);
      if (!hasEnded || !follow) return;
      file = await this.opened(REOPENINGS);
      start = 0;
    }
  }

  /**
   * @param attempts while a new log has not got its owner and mode yet.
   * @returns null: the signal ended the wait for it. @throws UsageError
   */
  private async opened(attempts = 1): Promise<FileHandle | null> {
    for (let attempt = 1; ; attempt++) {
      const file = await openedOrNull(this.path, attempt < attempts);
      if (file !== null) {
        if ((await file.stat()).isFile()) return file;
        await file.close();
        throw new UsageError(`${this.path} is no file; name the log, or - for standard input`);
      }
      if (!this.options.follow)
        throw new UsageError(`there is no file ${this.path}; name the log, or - for standard input`);
      if (!(await this.pause())) return null;
    }
  }

  /** What was added after the place, to its file and those that followed, before the last of them was renamed. */
  private async *restOf(place: LogPlace): AsyncGenerator<LogChunk> {
    const [first, ...others] = await rotatedSince(this.path, place);
    if (first === undefined)
      this.options.say(
        `${this.path} was rotated, and the file with the last place is not beside it; import the rotated files too, which counts nothing twice`,
      );
    else yield* this.linesOf(first, place.offset, false);
    for (const path of others) {
      const file = await openedOrNull(path);
      if (file !== null) yield* this.linesOf(file, 0, false);
    }
  }

  /** Reads the file, and closes it. @returns whether another file took its place. */
  private async *linesOf(
    file: FileHandle,
    start: number,
    follow: boolean,
  ): AsyncGenerator<LogChunk, boolean> {
    try {
      let lines = new LineSplitter(start);
      let first = await firstLineOf(file);
      let isRotated = false;
      for (;;) {
        if ((await file.stat()).size < lines.next || (first !== null && (await firstLineOf(file)) !== first))
          lines = new LineSplitter();
        first = await firstLineOf(file);
        yield* this.available(file, lines, first, isRotated || !follow);
        if (isRotated || !follow) return true;
        if (!(await this.pause())) return false;
        isRotated = await isReplaced(file, this.path);
        // The program that writes the log may write to the renamed file until it opens the new one.
        if (isRotated && !(await this.pause())) return false;
      }
    } finally {
      await file.close();
    }
  }

  /** @param isComplete the last line needs no end. */
  private async *available(
    file: FileHandle,
    lines: LineSplitter,
    first: string | null,
    isComplete: boolean,
  ): AsyncGenerator<LogChunk> {
    const { ino } = await file.stat({ bigint: true });
    for (;;) {
      const at = lines.next;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (at === 0) refuseGzip(buffer.subarray(0, bytesRead), this.path, this.path);
      const found = [...lines.add(buffer.subarray(0, bytesRead))];
      const isLast = bytesRead === 0;
      // A line that is not complete is read again from its beginning.
      const place = first === null ? null : { inode: String(ino), offset: lines.position, first_line: first };
      if (isLast && isComplete) append(found, lines.finish());
      const now = this.options.clock.now();
      const { mtime } = await file.stat();
      yield { lines: found, latest: mtime < now ? mtime : now, place, isLast };
      if (isLast) return;
    }
  }

  private async pause(): Promise<boolean> {
    const { clock, signal } = this.options;
    await clock.pause(POLL_MS, signal);
    return signal?.aborted !== true;
  }
}

async function openedOrNull(path: string, mayBeForbidden = false): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || (mayBeForbidden && error.code === 'EACCES')) return null;
    throw error;
  });
}

async function isAt(file: FileHandle, place: LogPlace): Promise<boolean> {
  const { ino } = await file.stat({ bigint: true });
  return String(ino) === place.inode && (await hasPlace(file, place));
}

async function hasPlace(file: FileHandle, { offset, first_line }: LogPlace): Promise<boolean> {
  return (await file.stat()).size >= offset && (await firstLineOf(file)) === first_line;
}

async function isReplaced(file: FileHandle, path: string): Promise<boolean> {
  const named = await stat(path, { bigint: true }).catch(() => null);
  const { ino, dev } = await file.stat({ bigint: true });
  // Between the renaming and the creation of the new file there is none.
  return named !== null && (named.ino !== ino || named.dev !== dev);
}

const COMPRESSED = /\.(gz|xz|bz2|zst)$/;

/**
 * The file of the place, which was renamed or copied, opened, and the paths of later ones. Their names begin with
 * that of the log.
 */
async function rotatedSince(path: string, place: LogPlace): Promise<[FileHandle, ...string[]] | []> {
  const files: { path: string; time: bigint }[] = [];
  for await (const { name } of await opendir(dirname(path))) {
    const isRotated = name.startsWith(basename(path)) && name !== basename(path) && !COMPRESSED.test(name);
    const other = join(dirname(path), name);
    const found = await stat(other, { bigint: true }).catch(() => null);
    if (found?.isFile() !== true) continue;
    if (isRotated || String(found.ino) === place.inode) files.push({ path: other, time: found.mtimeNs });
  }
  files.sort((one, other) => (one.time < other.time ? -1 : 1));
  for (const [index, candidate] of files.entries()) {
    const file = await openedOrNull(candidate.path);
    const later = files.slice(index + 1).filter((each) => each.path !== path);
    if (file !== null && (await hasPlace(file, place))) return [file, ...later.map((each) => each.path)];
    await file?.close();
  }
  return [];
}

function refuseGzip(bytes: Buffer, name: string, path: string): void {
  if (bytes.subarray(0, GZIP.length).equals(GZIP))
    throw new UsageError(
      `${name} is compressed; send its lines: zcat ${path === '-' ? 'FILE' : path} | rcpt outcomes import --postfix-log -`,
    );
}
