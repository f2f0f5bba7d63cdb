import { Injectable } from '@nestjs/common';
import type { RowResult } from '../../kernel/list-files/list-entry.js';
import type { Principal } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { BulkJobsService } from '../bulk/jobs/bulk-jobs.service.js';
import { BulkResultsService } from '../bulk/results/bulk-results.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { ResultWriter } from './domain/list-source.js';
import type { Schedule, SourceSecret } from './domain/schedule.js';
import { ScheduleMemberRepository, type MemberStatus } from './domain/schedule-member.repository.js';
import type { LeasedRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';

const PAGE_ROWS = 500;
/** After the age at which an address is verified again: until the next run of a month, with its statuses to compare. */
const KEPT_DAYS = 35;

/** Records the results of runs, and writes them to the source. */
@Injectable()
export class RunResultsService {
  constructor(
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly writer: ResultWriter,
    private readonly jobs: BulkJobsService,
    private readonly bulkResults: BulkResultsService,
    private readonly addresses: AddressFactsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * From the row after the last one that was recorded. What was written and not recorded is written again, which
   * changes nothing.
   *
   * @param end is called after the last row. @throws RunFailure, NotFound; LeaseLost by `end`
   */
  async record(
    leased: LeasedRun,
    schedule: Schedule,
    secret: SourceSecret,
    caller: Principal,
    signal: AbortSignal,
    end: () => Promise<void>,
  ): Promise<void> {
    const { run } = leased;
    const job = await this.jobs.get(caller, run.jobId ?? '');
    run.verified = job.addresses;
    for (let hasMore = true; hasMore;) {
      signal.throwIfAborted();
      const after = { at: new Date(run.position), id: job.id };
      const page = await this.bulkResults.page(job, { limit: PAGE_ROWS, after }, {});
      hasMore = page.next !== null;
      if (page.items.length === 0) break;
      await this.writer.write(schedule, secret, page.items, signal);
      if (!(await this.recordPage(leased, schedule, page.items))) return;
    }
    await end();
  }

  /** @returns false: the lease was lost. */
  private recordPage(leased: LeasedRun, schedule: Schedule, rows: readonly RowResult[]): Promise<boolean> {
    const { run } = leased;
    return this.work.run(async () => {
      const members = [...new Map(rows.flatMap((row) => this.memberOf(row))).values()];
      const recorded = await this.members.record(schedule.id, members, schedule.maxAgeDays + KEPT_DAYS);
      run.record(recorded, rows.at(-1)?.index ?? run.position);
      return this.runs.saveLeased(leased, false);
    });
  }

  private memberOf({ email, verdict }: RowResult): [string, MemberStatus][] {
    if (verdict === null) return [];
    const { addressKey } = this.addresses.locate(email);
    return [[addressKey, { addressKey, status: verdict.status, verifiedAt: verdict.verifiedAt }]];
  }
}
