import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { mapConcurrently } from '../../../../kernel/concurrency/map-concurrently.js';
import { withDeadline } from '../../../../kernel/deadline.js';
import type { DomainOverview } from '../../../../engine/list-preview.js';
import { GOES_ON, type Release, type TeamWorker } from '../../../../kernel/queue/team-work.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { AddressOverviewsService } from '../../../verification/verification/lists/address-overviews.service.js';
import { FIRST_RECHECK_SECONDS } from '../../../verification/verification/rechecks/rechecks.service.js';
import type { Caller } from '../../../verification/verification/single/verification.service.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { ChunkRepository } from '../domain/chunk.repository.js';
import { BulkSlots, ListRepository } from '../domain/list.repository.js';
import { PreviewRepository, type LeasedPreview } from '../domain/preview.repository.js';

/** Chunks that are counted between two saves: less than a second of work is repeated after a failure. */
const SAVED_TOGETHER = 25;
/** Look-ups of one preview at a time; those of other teams have their turn between them. */
const LOOK_UPS = 32;
/** For all of them together: a person waits. */
const LOOK_UPS_MS = 60_000;
const PAUSE_SECONDS = 5;

/** Makes the previews of held lists: a part of the addresses in memory at a time, and no mail server is asked. */
@Injectable()
export class ListPreviewsService implements TeamWorker<LeasedPreview> {
  /** A list that is canceled or started meanwhile, or whose team is deleted, ends the work. */
  readonly renewMs = 5_000;

  constructor(
    readonly units: PreviewRepository,
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly slots: BulkSlots,
    private readonly addresses: AddressOverviewsService,
    private readonly teams: TeamsService,
    private readonly config: Config,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  pauseAfter({ attempts }: LeasedPreview): number {
    return PAUSE_SECONDS * attempts;
  }

  async run(preview: LeasedPreview, signal: AbortSignal): Promise<Release | null> {
    return (await this.isMade(preview, signal)) ? null : GOES_ON;
  }

  /** @returns false: the signal stopped it. */
  private async isMade(preview: LeasedPreview, signal: AbortSignal): Promise<boolean> {
    const { listId, teamId } = preview;
    const job = await this.jobs.findByList(listId);
    const access = await this.teams.access(teamId, null);
    // It was started or canceled, or the team was deleted.
    if (access === null || !job?.isHeld) return this.units.finish(preview).then(() => true);
    const caller = { ...access, teamId, mode: job.mode };
    if (!(await this.count(caller, job, preview, signal))) return false;
    const domains = await this.lookUp(caller, preview.counts.largestDomains(), signal);
    if (signal.aborted) return false;
    await this.store(preview, domains);
    return true;
  }

  private async count(
    caller: Caller,
    { refresh, maxAge }: BulkJob,
    preview: LeasedPreview,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { listId, counts } = preview;
    for (;;) {
      const parts = await this.chunks.listKeys(listId, preview.nextChunk, SAVED_TOGETHER);
      if (parts.length === 0) return true;
      for (const part of parts) {
        if (signal.aborted) return false;
        const listed = await this.slots.run(caller.teamId, () => this.lists.listAddresses(listId, part));
        const emails = listed.map(({ email }) => email);
        for (const address of await this.addresses.of(caller, emails, refresh ? 0 : maxAge))
          counts.add(address);
      }
      preview.nextChunk += parts.length;
      if (!(await this.units.save(preview))) return false;
    }
  }

  private async lookUp(
    caller: Caller,
    domains: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, DomainOverview>> {
    const found = new Map<string, DomainOverview>();
    if (caller.mode === 'test') return found;
    const lookUpAll = async (ended: AbortSignal) => {
      const lookUps = mapConcurrently(domains, LOOK_UPS, async (domain) => {
        if (!ended.aborted) found.set(domain, await this.addresses.lookUp(caller, domain, ended));
      });
      for await (const _ of lookUps) void _;
    };
    await withDeadline(LOOK_UPS_MS, signal, (ended) => lookUpAll(ended()), this.clock);
    return found;
  }

  /** Unless the list was started in the meantime. */
  private store(preview: LeasedPreview, domains: ReadonlyMap<string, DomainOverview>): Promise<void> {
    return this.work.run(async () => {
      const job = await this.jobs.findForUpdate(preview.listId);
      if (!(await this.units.finish(preview)) || !job?.isHeld) return;
      const deferral = { low: FIRST_RECHECK_SECONDS, high: this.config.bulkDeadlineMs / 1_000 };
      job.preview = preview.counts.preview(job, domains, { isLive: job.mode === 'live', deferral });
      await this.jobs.save(job);
    });
  }
}
