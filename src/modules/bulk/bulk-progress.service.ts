import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import { TeamsService } from '../teams/teams.service.js';
import { isFree, UsageService, type ChargeableVerdict } from '../usage/usage.service.js';
import type { Caller } from '../verification/verification.service.js';
import { BulkDeletionService } from './bulk-deletion.service.js';
import type { BulkJob, Progress } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import type { AddressResult } from './domain/list.repository.js';

/** Applies results to a job, from chunks and rechecks. */
@Injectable()
export class BulkProgressService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly teams: TeamsService,
    private readonly usage: UsageService,
    private readonly deletion: BulkDeletionService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /**
   * Charges the results, updates the job and publishes the event of its end, within the open unit of
   * work.
   */
  async advance(
    job: BulkJob,
    results: readonly AddressResult[],
    moved: Omit<Progress, 'charged'>,
  ): Promise<void> {
    // Those of test keys are neither charged nor counted.
    const chargeable = job.mode === 'live' ? results.flatMap(chargeableOf) : [];
    const charged = chargeable.filter(({ free }) => !free).length;
    if (job.charge !== null)
      await this.usage.chargeReserved({ ...job.charge, units: results.length }, chargeable);
    const event = job.advance(results, { ...moved, charged }, this.clock.now());
    if (job.isEnded) await this.deletion.releaseUnverified(job);
    await this.jobs.save(job);
    if (event !== null) await this.events.publish(event);
  }

  /** The caller with the current rules and tier; null: the team was deleted. */
  async callerFor({ teamId, mode }: Pick<BulkJob, 'teamId' | 'mode'>): Promise<Caller | null> {
    const access = await this.teams.access(teamId, null);
    return access && { teamId, mode, tier: access.tier, rules: access.rules };
  }
}

/** One per row; only the first row of an address may be charged. */
function chargeableOf({ verdict, rows }: AddressResult): ChargeableVerdict[] {
  const free: ChargeableVerdict = { kind: 'bulk', status: verdict.status, free: true };
  const verdicts = new Array<ChargeableVerdict>(rows).fill(free);
  verdicts[0] = { ...free, free: isFree(verdict) };
  return verdicts;
}
