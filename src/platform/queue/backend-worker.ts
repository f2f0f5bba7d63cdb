import { setTimeout as delay } from 'node:timers/promises';
import {
  UnrecoverableError,
  Worker,
  type IQueueBackend,
  type Job,
  type JobJson,
  type JobProgress,
  type Processor,
  type WorkerOptions,
} from 'bullmq';
import { GRACE_MS } from '../../kernel/lifecycle.js';
import { describeFault } from '../telemetry/log.js';
import type { QueueBackend } from './queue-backend.js';

type WorkerJob = Job<unknown, void, string, JobProgress>;

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

/**
 * A BullMQ worker in the store that is passed as its connection. It reconnects after a failure of the
 * store and closes in bounded time. It does not pass error messages to BullMQ, which would store them:
 * they may contain data of the job.
 */
export class BackendWorker extends Worker<unknown, void, string, IQueueBackend, JobProgress, unknown> {
  private readonly store: QueueBackend;
  private readonly endConnection: () => Promise<void>;
  private readonly shutdown = new AbortController();
  private readonly handling = new Set<Promise<void>>();
  private ended: Promise<void> | null = null;

  constructor(
    queue: string,
    processor: Processor<unknown, void, string, JobProgress>,
    options: WorkerOptions<QueueBackend>,
  ) {
    const store = options.connection;
    const { connection, end } = store.workerConnection();
    super(
      queue,
      processor,
      { drainDelay: store.idleSeconds, ...OPTIONS, ...options, connection },
      store.factory,
    );
    this.store = store;
    this.endConnection = end;
    this.on('error', (error) => store.logFailure(queue, error));
    this.on('stalled', (job) => store.log.info({ queue, job }, 'stalled job enqueued again'));
    store.workers.add(this);
  }

  /** Fetches no more jobs, aborts the signal of running jobs, and waits for them for a limited time. */
  override close(): Promise<void> {
    return (this.ended ??= this.end());
  }

  private async end(): Promise<void> {
    this.shutdown.abort();
    const closed = super.close().catch(() => undefined);
    if (!(await within(GRACE_MS, Promise.allSettled(this.handling))))
      this.store.log.warn({ queue: this.name }, 'jobs still run; the process ends without them');
    await within(CLOSE_MS, closed);
    await within(CLOSE_MS, this.endConnection());
    this.store.workers.delete(this);
  }

  /** Data that is not JSON becomes empty: the job fails, and the worker continues. */
  protected override createJob(json: JobJson, id: string): WorkerJob {
    try {
      return super.createJob(json, id);
    } catch {
      return super.createJob({ ...json, data: 'null' }, id);
    }
  }

  protected override async moveToActive(token: string, name?: string): Promise<WorkerJob> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await delay(RECOVERY_MS, undefined, { ref: false });
      throw error;
    }
  }

  protected override callProcessJob(job: WorkerJob, token: string): Promise<void> {
    const run = this.attempt(job, token);
    this.handling.add(run);
    return run.finally(() => this.handling.delete(run));
  }

  private async attempt(job: WorkerJob, token: string): Promise<void> {
    const { id, name } = job;
    if (!carriesIds(job.data)) {
      this.store.log.error({ queue: this.name, job: id, name }, 'the data of the job cannot be read');
      throw new UnrecoverableError('the data cannot be read');
    }
    try {
      await super.callProcessJob(job, token, this.shutdown.signal);
    } catch (error) {
      this.store.log.error({ queue: this.name, job: id, name, err: describeFault(error) }, 'job failed');
      throw new Error('the log contains the reason');
    }
  }
}

function carriesIds(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  return Object.values(data).every((value) => typeof value === 'string' || typeof value === 'number');
}

/** Whether the work has settled in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  const late = delay(ms, false, { signal: done.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => done.abort());
}
