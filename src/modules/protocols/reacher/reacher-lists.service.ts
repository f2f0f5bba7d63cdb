import { Injectable } from '@nestjs/common';
import { InvalidRequest, NotFound } from '../../../kernel/errors.js';
import type { RowResult } from '../../../kernel/list-files/list-entry.js';
import type { Principal } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { ListIntakeService, type ArrivingList } from '../../lists/bulk/intake/list-intake.service.js';
import { BulkJobsService } from '../../lists/bulk/jobs/bulk-jobs.service.js';
import { BulkResultsService, type RowRange } from '../../lists/bulk/results/bulk-results.service.js';
import { JobNumbers } from './domain/job-numbers.js';

type BulkJob = Awaited<ReturnType<BulkJobsService['get']>>;

/** Results of a list that has ended. */
interface ListResults {
  rows: AsyncIterable<readonly RowResult[]>;
  endedAt: Date;
}

const NUMBER = /^[1-9]\d{0,8}$/;
const NO_JOB = 'There is no such bulk job.';
const RUNS = 'The job is still running. Read its results when its job_status is Completed.';

/** Lists under numbers, which are counted within a team. */
@Injectable()
export class ReacherListsService {
  constructor(
    private readonly intake: ListIntakeService,
    private readonly jobs: BulkJobsService,
    private readonly results: BulkResultsService,
    private readonly numbers: JobNumbers,
    private readonly work: UnitOfWork,
  ) {}

  /** Maximum body size of this caller in bytes. */
  maxBytes(caller: Principal): number {
    return this.intake.maxBytes(caller, false);
  }

  /**
   * Receives a list, and queues it under the next number.
   *
   * @param finish is called in the unit of work that queues it. @throws as `ListIntakeService`
   */
  async submit(
    caller: Principal,
    list: ArrivingList,
    finish: (number: number) => Promise<void>,
  ): Promise<number> {
    const upload = await this.intake.receive(caller, list);
    try {
      return await this.work.run(async () => {
        const { id } = await this.intake.accept(caller, upload);
        const number = await this.numbers.add(caller.teamId, id);
        await finish(number);
        return number;
      });
    } catch (error) {
      await this.intake.discard(upload.listId, upload.size.total);
      throw error;
    }
  }

  /** @param name the number, as it was sent. @throws NotFound */
  async get(caller: Principal, name: string): Promise<{ number: number; job: BulkJob }> {
    const number = NUMBER.test(name) ? Number(name) : null;
    const id = number === null ? null : await this.numbers.find(caller.teamId, number);
    if (number === null || id === null) throw new NotFound(NO_JOB);
    return { number, job: await this.jobs.get(caller, id) };
  }

  /** @throws NotFound; InvalidRequest while the list runs */
  async resultsOf(caller: Principal, name: string, range: RowRange): Promise<ListResults> {
    const { job } = await this.get(caller, name);
    if (job.finishedAt === null)
      throw new InvalidRequest([{ pointer: '/job_id', code: 'running', message: RUNS }], RUNS);
    return { rows: this.results.all(caller, job, {}, range), endedAt: job.finishedAt };
  }
}
