import { setTimeout as delay } from 'node:timers/promises';

export class RunningJobs {
  private readonly shutdown = new AbortController();
  private readonly expiry = new AbortController();
  private readonly running = new Set<Promise<void>>();

  get isEnding(): boolean {
    return this.shutdown.signal.aborted;
  }

  /** @param work gets a signal that aborts when the worker ends. @throws its error, or after `end` when it is late. */
  async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    let expire = () => {};
    const late = new Promise<never>((_, reject) => (expire = () => reject(new Error('the process ends'))));
    this.expiry.signal.addEventListener('abort', expire);
    const run = Promise.race([work(this.shutdown.signal), late]);
    this.running.add(run);
    await run.finally(() => {
      this.running.delete(run);
      this.expiry.signal.removeEventListener('abort', expire);
    });
  }

  /** Aborts the signal of the jobs and waits for them. @returns false when some have not ended in time. */
  async end(ms: number): Promise<boolean> {
    this.shutdown.abort();
    const inTime = await within(ms, Promise.allSettled(this.running));
    this.expiry.abort();
    return inTime;
  }
}

/** Whether the work has settled in time. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  const late = delay(ms, false, { signal: done.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => done.abort());
}
