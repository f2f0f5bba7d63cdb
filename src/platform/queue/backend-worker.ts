import { setTimeout as delay } from 'node:timers/promises';
import {
  UnrecoverableError,
  Worker,
  type IQueueBackend,
  type JobProgress,
  type Processor,
  type WorkerOptions,
} from 'bullmq';
import { withDeadline } from '../../kernel/deadline.js';
import { describeError, type Log } from '../telemetry/log.js';
import type { QueueBackend } from './queue-backend.js';
import { RunningJobs } from './running-jobs.js';

type WorkerProcessor = Processor<unknown, void, string, JobProgress>;

const OPTIONS = {
  skipVersionCheck: true,
  runRetryDelay: 1_000,
  // A job of a killed worker is processed again within about twice the sum of these two.
  lockDuration: 15_000,
  stalledInterval: 10_000,
};
/** Delay before the next query after the store has failed. */
const RECOVERY_MS = 1_000;
/** Time to close a connection: an unavailable store does not reply. */
const CLOSE_MS = 2_000;

/** A BullMQ worker in the store that is passed as its connection. It continues after a failure of the store. */
export class BackendWorker extends Worker<unknown, void, string, IQueueBackend, JobProgress, unknown> {
  private readonly store: QueueBackend;
  private readonly endConnection: () => Promise<void>;
  private readonly jobs: RunningJobs;
  private recovering = false;
  private isHalted = false;

  constructor(queue: string, processor: WorkerProcessor, options: WorkerOptions<QueueBackend>) {
    const store = options.connection;
    const { connection, end } = store.workerConnection();
    const jobs = new RunningJobs();
    super(
      queue,
      attempting(processor, jobs, store.log),
      { drainDelay: store.idleSeconds, ...OPTIONS, ...options, connection },
      store.factory,
    );
    this.store = store;
    this.endConnection = end;
    this.jobs = jobs;
    this.on('error', (error) => void this.recover(error));
    this.on('stalled', (job) => store.log.info({ queue, job }, 'stalled job enqueued again'));
    store.workers.add(this);
  }

  /** Fetches no more jobs, aborts the signal of running jobs, and waits for them for a limited time. */
  async drain(graceMs: number): Promise<void> {
    const closed = this.close();
    if (!(await this.jobs.end(graceMs)))
      this.store.log.warn({ queue: this.name }, 'jobs still run; the process ends without them');
    await withDeadline(CLOSE_MS, null, () => closed);
    await withDeadline(CLOSE_MS, null, () => this.endConnection());
    this.store.workers.delete(this);
  }

  /** Jobs that run are not ended. */
  async halt(): Promise<void> {
    this.isHalted = true;
    await this.pause(true);
  }

  async proceed(): Promise<void> {
    this.isHalted = false;
    if (!this.recovering && !this.jobs.isEnding) await this.resume();
  }

  /** BullMQ would query a store that refuses at once again and again. */
  private async recover(error: unknown): Promise<void> {
    // The process has ended the worker without a reply of the store, and may have stopped the database since.
    if (!this.store.workers.has(this)) return;
    this.store.logFailure(this.name, error);
    if (this.recovering || this.jobs.isEnding) return;
    this.recovering = true;
    await this.pause(true);
    await delay(RECOVERY_MS, undefined, { ref: false });
    this.recovering = false;
    if (!this.jobs.isEnding && !this.isHalted) await this.resume();
  }
}

/** BullMQ stores the messages of errors, which may contain data of the job, so it receives a fixed text. */
function attempting(processor: WorkerProcessor, jobs: RunningJobs, log: Log): WorkerProcessor {
  return async (job, token) => {
    const { id, name, queueName: queue } = job;
    if (!carriesIds(job.data)) {
      log.error({ queue, job: id, name }, 'the data of the job cannot be read');
      throw new UnrecoverableError('the data cannot be read');
    }
    try {
      await jobs.run((signal) => processor(job, token, signal));
    } catch (error) {
      log.error({ queue, job: id, name, err: describeError(error) }, 'job failed');
      throw new Error('the log contains the reason');
    }
  };
}

function carriesIds(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  return Object.values(data).every((value) => typeof value === 'string' || typeof value === 'number');
}
