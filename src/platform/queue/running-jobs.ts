import { withDeadline } from '../../kernel/deadline.js';

interface RunningJob {
  /** Of this job alone: Node warns of a leak when a signal has more than ten listeners. */
  shutdown: AbortController;
  /** Ends the wait for it with an error. */
  expire: () => void;
  run: Promise<void>;
}

export class RunningJobs {
  private readonly running = new Set<RunningJob>();
  private hasEnded = false;

  get isEnding(): boolean {
    return this.hasEnded;
  }

  /** @param work gets a signal that aborts when the worker ends. @throws its error, or after `end` when it is late. */
  async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const shutdown = new AbortController();
    if (this.hasEnded) shutdown.abort();
    let expire = () => {};
    const late = new Promise<never>((_, reject) => (expire = () => reject(new Error('the process ends'))));
    const job = { shutdown, expire, run: Promise.race([work(shutdown.signal), late]) };
    this.running.add(job);
    await job.run.finally(() => this.running.delete(job));
  }

  /** Aborts the signals of the jobs and waits for them. @returns false when some have not ended in time. */
  async end(ms: number): Promise<boolean> {
    this.hasEnded = true;
    const ending = [...this.running];
    for (const { shutdown } of ending) shutdown.abort();
    const ended = await withDeadline(ms, null, () => Promise.allSettled(ending.map(({ run }) => run)));
    for (const { expire } of this.running) expire();
    return ended !== null;
  }
}
