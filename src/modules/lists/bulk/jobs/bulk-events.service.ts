import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { RevocableSlots } from '../../../../kernel/concurrency/revocable-slots.js';
import { Lifecycle } from '../../../../kernel/service-state/lifecycle.js';
import { NotFound } from '../../../../kernel/errors.js';
import type { Principal } from '../../../../kernel/principal.js';
import { BulkJobsService, type JobDetails } from './bulk-jobs.service.js';
import { TooManyStreams } from '../domain/bulk.errors.js';
import type { BulkJob } from '../domain/bulk-job.js';

const INTERVAL_MS = 1_000;
/** A person waits for the preview of a held list. At first it is looked for more often: that of a short list takes less than a second. */
const PREVIEW = { intervalMs: 250, forMs: 5_000 };
/** Without an event for this time a comment is sent, so that proxies keep the connection. */
const KEEP_ALIVE_MS = 15_000;
/** What is reported when it changes. */
const STEPS = ['state', 'processed', 'deferredLeft', 'hasPreview'] as const;
/** Open streams in this process. */
const MAX_STREAMS = { own: 10, all: 200 };

/** The states of a job; `end` releases the stream and may be called twice. */
export interface JobStream {
  /** Null: nothing has changed, the stream is alive. */
  states: AsyncIterable<JobDetails | null>;
  end: () => void;
}

/** Follows bulk jobs, in a limited number of streams. */
@Injectable()
export class BulkEventsService {
  private readonly streams = new RevocableSlots(MAX_STREAMS.all, MAX_STREAMS.own);

  constructor(
    private readonly jobs: BulkJobsService,
    private readonly lifecycle: Lifecycle,
    private readonly clock: Clock,
  ) {}

  /**
   * The state now, and each change until the job ends or is deleted, the key becomes invalid, or the
   * process shuts down. It also ends when all streams are in use and another team with fewer streams needs
   * one.
   *
   * @throws NotFound, TooManyStreams
   */
  async follow(caller: Principal, id: string, isKeyValid: () => Promise<boolean>): Promise<JobStream> {
    const first = await this.jobs.get(caller, id);
    const ended = new AbortController();
    const release = this.streams.acquire(caller.teamId, () => ended.abort());
    if (release === null) throw new TooManyStreams(MAX_STREAMS.own);
    const end = () => {
      ended.abort();
      release();
    };
    return { states: this.states(caller, first, isKeyValid, ended.signal), end };
  }

  private async *states(
    caller: Principal,
    first: BulkJob,
    isKeyValid: () => Promise<boolean>,
    ended: AbortSignal,
  ): AsyncGenerator<JobDetails | null, void, undefined> {
    let last = first;
    const openedAtMs = this.clock.monotonicMs();
    let sentAtMs = openedAtMs;
    yield this.jobs.detailsOf(first);
    while (!last.isEnded) {
      const isNew = this.clock.monotonicMs() - openedAtMs < PREVIEW.forMs;
      const isAwaited = isNew && last.isHeld && !last.hasPreview;
      await this.clock.pause(isAwaited ? PREVIEW.intervalMs : INTERVAL_MS, ended);
      if (ended.aborted || this.lifecycle.isDraining || !(await isKeyValid())) return;
      const job = await this.jobs.get(caller, first.id).catch(orNull);
      if (job === null) return;
      const hasChanged = STEPS.some((step) => job[step] !== last[step]);
      const nowMs = this.clock.monotonicMs();
      if (!hasChanged && nowMs - sentAtMs < KEEP_ALIVE_MS) continue;
      sentAtMs = nowMs;
      last = job;
      yield hasChanged ? await this.jobs.detailsOf(job) : null;
    }
  }
}

function orNull(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
