import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { FairSemaphore, type SemaphoreLimits, type Slot } from '../../kernel/concurrency/fair-semaphore.js';
import { KeyedLimiter } from '../../kernel/concurrency/keyed-limiter.js';
import { withDeadline } from '../../kernel/deadline.js';
import { errorOf, InvalidCredential, RateLimited, type NamedError } from '../../kernel/errors.js';
import { ArrivingBody } from './arriving-body.js';
import type { BodyReader } from './body-reader.js';
import { IdleThreads } from './idle-threads.js';
import { ReaderThread, type ReadingLimits } from './reader-thread.js';
import type { ThreadAnswer } from './thread-messages.js';

/** Bodies that are read at a time; some threads are for teams that have none. */
export const THREADS: SemaphoreLimits = {
  total: 16,
  perKey: 4,
  queuedPerKey: 100,
  reserved: { slots: 4, few: 1 },
};
/** Bytes of bodies that wait for a thread. */
const WAITING = { total: 64_000_000, perKey: 16_000_000 };
const RETRY_AFTER_SECONDS = 5;
const BUSY = 'Too many bodies of this team wait to be read.';
/** While bodies wait, slow ones give way. */
const LOOK_EVERY_MS = 1_000;
/** For a thread whose body is given up. */
const STOP_MS = 250;

export const READING_LIMITS: ReadingLimits = {
  computeMs: 1_000,
  computeMsPerMegabyte: 500,
  memoryBytes: 128_000_000,
  lookEveryMs: 50,
  // A key is remembered for some seconds anyway.
  keyCheckMs: 5_000,
};

/** Whose body it is, and how it is read. */
export interface Reading<Options> {
  team: string;
  options: Options;
  /** Asked now and then, because a body may arrive for minutes: without a valid key it is not read on. */
  isKeyValid?: (() => Promise<boolean>) | undefined;
  /** Ends the reading. */
  signal?: AbortSignal | undefined;
}

interface Place {
  team: string;
  body: ArrivingBody;
}

/**
 * Reads bodies that strangers send in threads, so that one which costs more than it should delays nobody else. A thread
 * reads one body at a time, and is ended with it when that exceeds its limits.
 */
@Injectable()
export class ReaderThreads implements OnApplicationShutdown {
  private readonly slots: FairSemaphore;
  private readonly memory = new KeyedLimiter(WAITING);
  private readonly reading = new Set<Place>();
  private readonly waiting = new Set<Place>();
  private looking: NodeJS.Timeout | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly limits = READING_LIMITS,
    private readonly threads = THREADS,
    private readonly idle = new IdleThreads(),
  ) {
    this.slots = new FairSemaphore(threads);
  }

  /** Bodies that have a thread. */
  get inUse(): number {
    return this.slots.inUse;
  }

  /** Threads, with those that have no body. */
  get count(): number {
    return this.slots.inUse + this.idle.count;
  }

  onApplicationShutdown(): void {
    this.idle.end();
  }

  /**
   * The batches of a body, while it arrives: the next one is read while the caller works on one.
   *
   * @throws what the reader throws, ReadingTooCostly, RateLimited, RequestTimeout, InvalidCredential, and the errors of the
   * source.
   */
  async *read<Options, Batch>(
    { module, errors }: BodyReader<Options, Batch>,
    { team, options, isKeyValid, signal }: Reading<Options>,
    bytes: AsyncIterable<Buffer>,
  ): AsyncGenerator<Batch, void, undefined> {
    const body = new ArrivingBody(bytes, this.clock, signal);
    const closed = new AbortController();
    if (isKeyValid !== undefined) void this.watchKey(body, isKeyValid, closed.signal);
    try {
      await body.begin();
      const slot = await this.slotFor({ team, body }, signal);
      const thread = this.takeThread(slot);
      const place = { team, body };
      this.reading.add(place);
      try {
        for await (const { batches, error } of answers(thread, module, options, body)) {
          yield* batches as readonly Batch[];
          if (error !== undefined) throw asThrown(error, errors);
        }
      } finally {
        this.reading.delete(place);
        void this.release(thread, slot);
      }
    } finally {
      closed.abort();
      body.close();
    }
  }

  private async watchKey(
    body: ArrivingBody,
    isKeyValid: () => Promise<boolean>,
    closed: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await this.clock.pause(this.limits.keyCheckMs, closed);
      if (closed.aborted) return;
      // Where it cannot be found out, the next look may.
      if (!(await isKeyValid().catch(() => true))) return body.fail(new InvalidCredential());
    }
  }

  private async slotFor(place: Place, signal?: AbortSignal): Promise<Slot> {
    const { team, body } = place;
    const size = body.firstBytes;
    if (!this.memory.tryAcquire(team, size)) throw new RateLimited(RETRY_AFTER_SECONDS, BUSY);
    this.waiting.add(place);
    this.look();
    try {
      const slot = await this.slots.acquire({ team, priority: 'single' }, signal);
      if (slot !== null) return slot;
      signal?.throwIfAborted();
      throw new RateLimited(RETRY_AFTER_SECONDS, BUSY);
    } finally {
      this.waiting.delete(place);
      this.memory.release(team, size);
    }
  }

  private takeThread(slot: Slot): ReaderThread {
    try {
      return this.idle.take() ?? new ReaderThread(this.limits);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  private async release(thread: ReaderThread, slot: Slot): Promise<void> {
    await thread.stop(STOP_MS);
    this.idle.keep(thread);
    slot.release();
  }

  /** While bodies wait. */
  private look(): void {
    if (this.looking !== null) return;
    this.looking = setInterval(() => {
      if (this.waiting.size > 0) return this.makeRoom();
      clearInterval(this.looking ?? undefined);
      this.looking = null;
    }, LOOK_EVERY_MS).unref();
  }

  /** For each team that waits, the slowest body that has a place which it could get. */
  private makeRoom(): void {
    const isFull = this.slots.inUse >= this.threads.total;
    for (const team of new Set([...this.waiting].map((place) => place.team))) {
      const others = [...this.reading].filter((place) => isFull || place.team === team);
      const [slowest] = others.map(({ body }) => body).sort((one, other) => other.lateMs() - one.lateMs());
      if (slowest !== undefined && slowest.lateMs() > 0) slowest.giveWay();
    }
  }
}

/** Sends a body to a thread, a piece for each answer. */
async function* answers(
  thread: ReaderThread,
  module: string,
  options: unknown,
  body: ArrivingBody,
): AsyncGenerator<ThreadAnswer, void> {
  let isOver = false;
  try {
    let answer = await body.unlessFailed(thread.open(module, options));
    let next = caught(body.next());
    while (answer.state === 'more') {
      // While the caller works on an answer, the thread reads the next piece, and the one after that arrives.
      const reading: Promise<ThreadAnswer> = next.then((piece) => {
        if (isOver) throw new Error('Nobody waits for the body');
        const read = thread.read(piece);
        if (piece !== null) next = caught(body.next());
        return read;
      });
      void caught(reading);
      yield answer;
      try {
        answer = await body.unlessFailed(reading);
      } catch (error) {
        // What arrived before is read, unless that takes long.
        const last = await withDeadline(STOP_MS, null, () => reading).catch(() => null);
        if (last !== null) yield last;
        throw error;
      }
    }
    yield answer;
  } finally {
    isOver = true;
  }
}

/** A failure is thrown where the result is waited for. */
function caught<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

function asThrown(error: NonNullable<ThreadAnswer['error']>, errors: readonly NamedError[]): Error {
  if ('unexpected' in error) return error.unexpected;
  const { code } = error.expected;
  return (
    errorOf(error.expected, errors) ?? new Error(`A reader has thrown ${code}, which it does not declare`)
  );
}
