import type { ReaderThread } from './reader-thread.js';

/** A thread without a body ends after this time. */
const IDLE_MS = 30_000;

interface IdleThread {
  thread: ReaderThread;
  timer: NodeJS.Timeout;
}

/** Threads that have no body, and wait some time for the next one. */
export class IdleThreads {
  private threads: readonly IdleThread[] = [];
  private hasEnded = false;

  get count(): number {
    return this.threads.length;
  }

  /** @returns null: none can be used. */
  take(): ReaderThread | null {
    for (const { thread, timer } of this.threads) {
      this.threads = this.threads.slice(1);
      clearTimeout(timer);
      if (thread.isUsable) return thread;
    }
    return null;
  }

  keep(thread: ReaderThread): void {
    if (!thread.isUsable || this.hasEnded) return thread.end();
    const timer = setTimeout(() => {
      this.threads = this.threads.filter((one) => one.thread !== thread);
      thread.end();
    }, IDLE_MS).unref();
    // The last one is taken first, so that the others end.
    this.threads = [{ thread, timer }, ...this.threads];
  }

  /** Keeps no more threads. */
  end(): void {
    this.hasEnded = true;
    for (const { thread } of this.threads) thread.end();
    this.threads = [];
  }
}
