import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { RechecksService, type ListRows } from '../verification/rechecks.service.js';
import {
  VerificationService,
  type Caller,
  type CheckedAddress,
} from '../verification/verification.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { Grouped } from './domain/grouped.js';
import { only } from './domain/hash-range.js';
import { ListRepository } from './domain/list.repository.js';
import type { AddressResult } from './domain/chunk.js';

type Claimed = Parameters<ListRows['record']>[0];
type Known = Pick<Claimed, 'hash' | 'email' | 'rows' | 'verdict'>;

interface Answer {
  claimed: Claimed;
  result: AddressResult;
}

/** The rows of lists that are rechecked. */
@Injectable()
export class BulkRechecksService implements ListRows {
  /** Of one list, whose transactions wait for each other at its job: they must not take up the pool. */
  private readonly answers = new Grouped<Answer>((list, answers) => this.recordAll(list, answers));

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly rechecks: RechecksService,
    private readonly verification: VerificationService,
    private readonly progress: BulkProgressService,
    private readonly work: UnitOfWork,
  ) {}

  async isOpen(list: string): Promise<boolean> {
    return (await this.jobs.get(list))?.isOpen ?? false;
  }

  record(claimed: Claimed, { verdict, asked }: CheckedAddress): Promise<void> {
    const { list, hash, rows } = claimed;
    const result = { hash, rows, email: claimed.email ?? verdict.email, verdict, asked };
    return list === null ? Promise.resolve() : this.answers.add(list, { claimed, result });
  }

  async giveUp(claimed: Claimed): Promise<void> {
    const { list } = claimed;
    const job = list === null ? null : await this.jobs.get(list);
    const asker = job && (await this.progress.askerFor(job));
    if (list === null || asker === null) return;
    await this.answers.add(list, { claimed, result: await this.known(list, asker, claimed) });
  }

  /** Closes some of what a list has deferred with what is known. @returns false: nothing was left. */
  closeDeferred(list: string, limit: number): Promise<boolean> {
    return this.work.run(async () => {
      const job = await this.jobs.lockForUpdate(list);
      const asker = job && (await this.progress.askerFor(job));
      if (!job?.isOpen || asker === null) return false;
      const taken = await this.rechecks.takeOfList(list, limit);
      if (taken.length === 0) return false;
      const results: AddressResult[] = [];
      for (const each of taken) results.push(await this.known(list, asker, each));
      await this.lists.record(list, results);
      await this.progress.advance(job, results, { deferred: -results.length, chunks: 0 });
      return true;
    });
  }

  private recordAll(list: string, answers: readonly Answer[]): Promise<void> {
    return this.work.run(async () => {
      const job = await this.jobs.lockForUpdate(list);
      // Ended meanwhile: what it has deferred is dropped.
      if (!job?.isOpen) return;
      const taken = await this.rechecks.take(answers.map(({ claimed }) => claimed));
      const results = answers.filter(({ claimed }) => taken.has(claimed.id)).map(({ result }) => result);
      if (results.length === 0) return;
      await this.lists.record(list, results);
      await this.progress.advance(job, results, { deferred: -results.length, chunks: 0 });
    });
  }

  /** The latest answer; where that cannot be read, what is said of an address that could not be checked. */
  private async known(
    list: string,
    asker: Caller,
    { hash, email, rows, verdict }: Known,
  ): Promise<AddressResult> {
    const address = email ?? (await this.lists.addresses(list, only(hash)))[0]?.email ?? '';
    const latest = verdict && { ...verdict, retryAfter: null };
    return {
      hash,
      rows,
      email: address,
      verdict: latest ?? this.verification.giveUp(asker, address),
      asked: false,
    };
  }
}
