import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import type { TeamJobs } from '../../kernel/queue/team-jobs.js';
import type { TeamWorker } from '../../kernel/queue/team-work.js';
import type { TeamJob } from './bull-team-jobs.js';
import { Lease } from './lease.js';

/**
 * Processes the jobs of teams. A job that has claimed a unit of work adds the team's next job before it works,
 * and again when it has released the unit: the team may have been at its limit in between. A job that claims nothing
 * ends.
 */
export abstract class TeamProcessor<Unit> extends WorkerHost {
  /** Units of each team in this process. */
  private readonly held = new Map<TeamId, number>();

  /** @param workers of its kinds of work; units of the first come first. */
  constructor(
    private readonly jobs: TeamJobs,
    private readonly clock: Clock,
    private readonly workers: readonly TeamWorker<Unit>[],
  ) {
    super();
  }

  /** The team's next unit of work; null: none waits, or the team has as many as it may have at a time. */
  async claim(team: TeamId): Promise<Lease<Unit> | null> {
    for (const worker of this.workers) {
      const unit = await (worker.claim?.(team) ?? worker.units.claim(team));
      if (unit !== null) return new Lease(worker, unit, this.clock);
    }
    return null;
  }

  /** @param signal aborts when the process shuts down. */
  work(lease: Lease<Unit>, signal: AbortSignal): Promise<void> {
    return lease.work(signal);
  }

  /** Adds jobs of teams with work that waits: it has become due, or its job or worker was lost. @returns how many teams. */
  async enqueueWaiting(): Promise<number> {
    const teams = new Set<TeamId>();
    for (const { units } of this.workers) for (const team of await units.listWaitingTeams()) teams.add(team);
    await this.jobs.enqueue([...teams]);
    return teams.size;
  }

  override async process(
    job: Job<TeamJob>,
    _token?: string,
    signal = new AbortController().signal,
  ): Promise<void> {
    const { team, held } = job.data;
    // From now on the team may have another waiting job.
    await job.removeDeduplicationKey();
    // A sweep adds the job again, for another process.
    if (signal.aborted) return;
    // Jobs of teams that hold fewer units come first.
    if (this.heldBy(team) > held) return this.enqueueNext(team);
    const lease = await this.claim(team);
    if (lease === null) return;
    this.held.set(team, this.heldBy(team) + 1);
    await this.enqueueNext(team);
    try {
      await this.work(lease, signal);
    } finally {
      const left = this.heldBy(team) - 1;
      if (left > 0) this.held.set(team, left);
      else this.held.delete(team);
      await this.enqueueNext(team);
    }
  }

  private heldBy(team: TeamId): number {
    return this.held.get(team) ?? 0;
  }

  /** If the queue is unavailable, a sweep adds the job. */
  private async enqueueNext(team: TeamId): Promise<void> {
    await this.jobs.enqueue([team], this.heldBy(team)).catch(() => undefined);
  }
}
