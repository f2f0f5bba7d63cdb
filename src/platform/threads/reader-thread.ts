import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { processorMs } from './processor-time.js';
import type { ThreadAnswer, ThreadReady, ThreadRequest } from './thread-messages.js';
import { ReadingTooCostly } from './threads.errors.js';

/** Of one body. */
export interface ReadingLimits {
  /** Processor time for a piece, and for the whole besides that for its size. */
  computeMs: number;
  computeMsPerMegabyte: number;
  /** Of the heap between two pieces, and by which the process may grow during one that computes. */
  memoryBytes: number;
  /** How often a thread that computes is looked at. */
  lookEveryMs: number;
  /** How often it is asked whether the key of a body is still valid. */
  keyCheckMs: number;
}

const PROGRAM = new URL(import.meta.resolve('./reader.thread.js'));
/**
 * V8 ends the process, and not the thread, when some objects reach this limit. `memoryBytes` is far below it, so that the
 * pool ends the thread before.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * The growth of the process is that of all its threads. One that starts adds about 10 MB and its modules, and one that
 * has hardly computed did not use the memory.
 */
const START_BYTES = 32_000_000;
const LEAST_COMPUTED_MS = 50;

const END = { kind: 'end' } as const;

interface Exchange {
  resolve: (answer: ThreadAnswer) => void;
  reject: (error: Error) => void;
}

/** A thread that reads one body at a time. */
export class ReaderThread {
  /** Threads of this process, as many as there ever were. */
  private static started = 0;
  private static loaded = 0;

  private readonly worker = new Worker(PROGRAM, { resourceLimits: HEAP, env: {}, name: 'reader' });
  private readonly ready: Promise<ThreadReady>;
  private exchange: Exchange | null = null;
  /** The last request. */
  private pending: Promise<unknown> = Promise.resolve();
  /** Whether it waits for a piece. */
  private isOpen = false;
  private ended: Error | null = null;
  private task: string | null = null;
  /** As of the last answer. */
  private use = { cpuMs: 0, heapBytes: 0 };
  private allowedCpuMs = 0;
  private isLoading = true;

  constructor(private readonly limits: ReadingLimits) {
    ReaderThread.started += 1;
    this.worker.once('error', (error) => this.fail(causeOf(error)));
    this.worker.once('exit', () => this.fail(new Error('A reading thread has ended')));
    this.ready = new Promise((resolve, reject) => {
      this.exchange = { resolve: () => undefined, reject };
      this.worker.once('message', (message: ThreadReady) => {
        this.worker.on('message', (answer: ThreadAnswer) => this.receive(answer));
        this.worker.unref();
        resolve(message);
      });
    });
    this.ready.catch(() => undefined);
  }

  /** Whether it can read another body. */
  get isUsable(): boolean {
    return this.ended === null && !this.isOpen && this.use.heapBytes <= this.limits.memoryBytes;
  }

  /** Loads the reader: that is no cost of the body. */
  async open(module: string, options: unknown): Promise<ThreadAnswer> {
    this.task = (await this.ready).task;
    const answer = await this.ask({ kind: 'open', module, options });
    this.endLoading();
    this.allowedCpuMs = this.use.cpuMs + this.limits.computeMs;
    return answer;
  }

  /** @param piece null: the end. @throws ReadingTooCostly, and the error of a thread that crashed. */
  async read(piece: Uint8Array | null): Promise<ThreadAnswer> {
    this.allowedCpuMs += ((piece?.length ?? 0) / 1e6) * this.limits.computeMsPerMegabyte;
    // A copy: the memory of a chunk may have others in it.
    const request = piece === null ? END : { kind: 'bytes' as const, bytes: new Uint8Array(piece) };
    const stopLooking = this.lookAt();
    const answer = await this.ask(request).finally(stopLooking);
    this.requireWithinLimits();
    return answer;
  }

  /** Gives up a body. The thread is ended if it does not return in time. */
  async stop(graceMs: number): Promise<void> {
    const late = setTimeout(() => this.end(), graceMs);
    try {
      await this.pending;
      if (this.isOpen) await this.ask({ kind: 'stop' });
    } catch {
      // It has ended.
    } finally {
      clearTimeout(late);
    }
  }

  end(error = new Error('A reading thread was ended')): void {
    this.fail(error);
    void this.worker.terminate();
  }

  private ask(request: ThreadRequest): Promise<ThreadAnswer> {
    if (this.ended !== null) return Promise.reject(this.ended);
    const answer = new Promise<ThreadAnswer>((resolve, reject) => (this.exchange = { resolve, reject }));
    this.pending = answer;
    // While nobody waits for it, it does not keep the process running.
    this.worker.ref();
    if (request.kind === 'bytes') this.worker.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
    else this.worker.postMessage(request);
    return answer;
  }

  private receive(answer: ThreadAnswer): void {
    this.use = answer.use;
    this.isOpen = answer.state === 'more';
    this.worker.unref();
    this.exchange?.resolve(answer);
    this.exchange = null;
  }

  private endLoading(): void {
    if (this.isLoading) ReaderThread.loaded += 1;
    this.isLoading = false;
  }

  private fail(error: Error): void {
    this.endLoading();
    this.ended ??= error;
    this.exchange?.reject(this.ended);
    this.exchange = null;
  }

  /** Ends the thread when the piece that it reads costs too much. @returns ends the looking. */
  private lookAt(): () => void {
    const beganMs = performance.now();
    const loadedBefore = ReaderThread.loaded;
    let rssBytes: number | null = null;
    const look = async () => {
      // This process may have been busy: an answer that has arrived comes first.
      const { exchange } = this;
      await setImmediate();
      if (this.exchange !== exchange || exchange === null) return;
      const shown = this.task === null ? null : processorMs(this.task);
      const cpuMs = shown === null ? performance.now() - beganMs : shown - this.use.cpuMs;
      const now = process.memoryUsage.rss();
      rssBytes ??= now;
      const ofOthers = (ReaderThread.started - loadedBefore) * START_BYTES;
      const ofThis = cpuMs < LEAST_COMPUTED_MS ? 0 : now - rssBytes - ofOthers;
      if (ofThis > this.limits.memoryBytes) this.end(new ReadingTooCostly('memory'));
      else if (cpuMs > this.limits.computeMs) this.end(new ReadingTooCostly('time'));
    };
    const timer = setInterval(() => void look(), this.limits.lookEveryMs);
    return () => clearInterval(timer);
  }

  private requireWithinLimits(): void {
    if (this.ended !== null) return;
    if (this.use.heapBytes > this.limits.memoryBytes) throw new ReadingTooCostly('memory');
    if (this.use.cpuMs > this.allowedCpuMs) throw new ReadingTooCostly('time');
  }
}

function causeOf(error: unknown): Error {
  const { code } = error as { code?: unknown };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new ReadingTooCostly('memory');
  return error instanceof Error ? error : new Error('A reading thread has crashed');
}
