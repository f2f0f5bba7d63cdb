import { setTimeout as delay } from 'node:timers/promises';
import type { IQueueBackend, JobState, Queue } from 'bullmq';
import { z } from 'zod';
import { JobQueue, type QueuedJob, type JobHandler } from '../../kernel/job-queue.js';
import type { Clock } from '../../kernel/clock.js';
import { describeFault, type Log } from '../telemetry/log.js';
import type { QueueBackend } from './queue-backend.js';
import type { WorkerJob, RecoveringWorker } from './recovering-worker.js';

type BullQueue = Queue<unknown, void, string, unknown, void, string, IQueueBackend, unknown>;

/** How soon a ring comes back whose worker was killed: within about twice the sum of the two. */
export interface Pace {
  /** A worker that has not said for so long that it lives is taken for dead. */
  lockMs: number;
  /** How often the dead are looked for. */
  lookMs: number;
}

/** What waits and runs in one queue. */
export interface QueueCounts {
  /** To be handled now. */
  waiting: number;
  /** To be handled later. */
  delayed: number;
  active: number;
  /** Age of the ring that has waited longest; null: none waits. */
  oldestWaitingSeconds: number | null;
}

const PACE: Pace = { lockMs: 15_000, lookMs: 10_000 };
/** Rings that one command carries. */
const BATCH = 500;
/** Nobody reads the events of a ring; BullMQ keeps them all the same. */
const EVENTS_KEPT = 100;
/** Handlers that run on when the process ends may take this long. */
const GRACE_MS = 20_000;
const PARTING_MS = 2_000;
const RETRY_MS = 1_000;
const COMPLAIN_EVERY_MS = 10_000;

const Data = z.record(z.string(), z.union([z.string(), z.number()]));

/**
 * BullMQ, on whichever backend it is given.
 *
 * A ring is tried once, whatever comes of it, and leaves nothing behind: the
 * database knows what is still to be done, and a second book about it (attempts,
 * reasons, stack traces, which may quote what was handled) would be one too many.
 */
export class BullJobQueue extends JobQueue {
  private readonly queues = new Map<string, Promise<BullQueue>>();
  private readonly workers = new Set<{ worker: RecoveringWorker; end: () => Promise<void> }>();
  private readonly running = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private closed: Promise<void> | null = null;
  private readonly complainedAt = new Map<string, number>();

  /** Dials nothing yet. */
  constructor(
    private readonly backend: QueueBackend,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly pace = PACE,
  ) {
    super();
  }

  /** Tells an operator early of a store that is not there; waits no longer than a second for it. */
  open(): Promise<void> {
    return this.backend.open();
  }

  /** Loads the library now; else the first ring does, and everybody waits a moment. */
  async warmUp(): Promise<void> {
    await this.backend.factory();
  }

  override add(queue: string, ring: QueuedJob): Promise<void> {
    return this.addAll(queue, [ring]);
  }

  override async addAll(queue: string, rings: readonly QueuedJob[]): Promise<void> {
    const target = await this.queue(queue);
    for (let first = 0; first < rings.length; first += BATCH)
      await target.addBulk(rings.slice(first, first + BATCH).map(toJob));
  }

  override work(queue: string, concurrency: number, handler: JobHandler): void {
    void this.startWorker(queue, concurrency, handler);
  }

  /** @throws when the queue is out of reach. */
  async counts(name: string): Promise<QueueCounts> {
    const queue = await this.queue(name);
    const count = (...states: JobState[]) => queue.getJobCountByTypes(...states);
    const oldest = await queue.getJobs(['waiting', 'prioritized'], 0, 0, true);
    const since = oldest.map(({ timestamp, delay }) => timestamp + delay);
    const now = this.clock.now().getTime();
    return {
      waiting: await count('waiting', 'prioritized'),
      delayed: await count('delayed'),
      active: await count('active'),
      oldestWaitingSeconds: since.length === 0 ? null : Math.max(0, now - Math.min(...since)) / 1000,
    };
  }

  /** Takes no more rings, tells the handlers that run, and waits for them; rings may still be added. */
  async drain(): Promise<void> {
    this.ending.abort();
    const workers = [...this.workers];
    const closed = Promise.all(workers.map(({ worker }) => worker.close().catch(() => undefined)));
    const idle = Promise.all(this.running);
    if (!(await within(GRACE_MS, idle)))
      this.log.warn({}, 'handlers still run; the process ends without them');
    // A store that is away answers no good-bye.
    await within(PARTING_MS, closed);
    await within(PARTING_MS, Promise.all(workers.map(({ end }) => end())));
    this.workers.clear();
  }

  override close(): Promise<void> {
    return (this.closed ??= this.release());
  }

  private async release(): Promise<void> {
    await this.drain();
    for (const opening of this.queues.values()) {
      const queue = await opening.catch(() => null);
      if (queue) await within(PARTING_MS, queue.close());
    }
    this.queues.clear();
    await this.backend.close();
  }

  /** Opened when it is first needed, and anew after a failure: BullMQ would remember that for ever. */
  private async queue(name: string): Promise<BullQueue> {
    const connection = await this.backend.producerConnection();
    const known = this.queues.get(name);
    if (known) return known;
    const opening = this.openQueue(name, connection);
    this.queues.set(name, opening);
    opening.catch(() => this.queues.delete(name));
    return opening;
  }

  private async openQueue(name: string, connection: unknown): Promise<BullQueue> {
    const { Queue } = await import('bullmq');
    const queue: BullQueue = new Queue(
      name,
      { connection, skipVersionCheck: true, streams: { events: { maxLen: EVENTS_KEPT } } },
      await this.backend.factory(),
    );
    queue.on('error', (error) => this.logFailure(name, error));
    await queue.waitUntilReady();
    return queue;
  }

  /** Tries until there is a worker that found its store. */
  private async startWorker(name: string, concurrency: number, handler: JobHandler): Promise<void> {
    const { RecoveringWorker } = await import('./recovering-worker.js');
    const factory = await this.backend.factory();
    while (!this.ending.signal.aborted) {
      const { connection, end } = this.backend.workerConnection();
      const worker = new RecoveringWorker(
        name,
        (job) => this.handle(name, job, handler),
        {
          connection,
          concurrency,
          autorun: false,
          skipVersionCheck: true,
          drainDelay: this.backend.idleSeconds,
          runRetryDelay: RETRY_MS,
          lockDuration: this.pace.lockMs,
          stalledInterval: this.pace.lookMs,
        },
        factory,
      );
      worker.on('error', (error) => this.logFailure(name, error));
      worker.on('stalled', (ring) => this.log.info({ queue: name, ring }, 'a ring came back'));
      const hired = { worker, end };
      this.workers.add(hired);
      try {
        await worker.waitUntilReady();
        return await worker.run();
      } catch (error) {
        this.logFailure(name, error);
        this.workers.delete(hired);
        await worker.close().catch(() => undefined);
        await within(PARTING_MS, end());
        await delay(RETRY_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private handle(queue: string, job: WorkerJob, handler: JobHandler): Promise<void> {
    const run = this.attempt(queue, job, handler);
    this.running.add(run);
    return run.finally(() => this.running.delete(run));
  }

  /** Never rejects: BullMQ would store what went wrong. */
  private async attempt(queue: string, { id, data }: WorkerJob, handler: JobHandler): Promise<void> {
    const parsed = Data.safeParse(data);
    if (!parsed.success) return this.log.error({ queue, ring: id }, 'a ring says nothing that can be read');
    try {
      await handler(parsed.data, this.ending.signal);
    } catch (error) {
      this.log.error({ queue, ring: id, err: describeFault(error) }, 'a ring was not handled');
    }
  }

  /** A store that is away fails many times a second. */
  private logFailure(queue: string, error: unknown): void {
    const now = this.clock.monotonicMs();
    if (now - (this.complainedAt.get(queue) ?? -Infinity) < COMPLAIN_EVERY_MS) return;
    this.complainedAt.set(queue, now);
    this.log.warn({ queue, err: describeFault(error) }, 'the queue has trouble');
  }
}

function toJob({ id, data, delayMs = 0, priority = 0 }: QueuedJob) {
  const opts = { jobId: id, delay: delayMs, priority, removeOnComplete: true, removeOnFail: true };
  return { name: 'ring', data, opts };
}

/** Whether it came to an end in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  const late = delay(ms, false, { signal: done.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => done.abort());
}
