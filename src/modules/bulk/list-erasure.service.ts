import { Injectable } from '@nestjs/common';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { BulkJobRepository, type StoredList } from './domain/bulk-job.repository.js';
import { ListRepository } from './domain/list.repository.js';

/** The number of deleted rows. */
export interface ErasedRows {
  rows: number;
  /** Open jobs that contain the address; nothing was deleted from them. */
  runningJobs: string[];
}

const LISTS_AT_ONCE = 1_000;

/** Deletes one address from the lists of all teams. */
@Injectable()
export class ListErasureService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly addresses: AddressFactsService,
  ) {}

  /**
   * All spellings of the address are included. Each step commits on its own, and the call can be
   * repeated.
   */
  async erase(email: string): Promise<ErasedRows> {
    const key = Buffer.from(this.addresses.locate(email).key, 'hex');
    const erased: ErasedRows = { rows: 0, runningJobs: [] };
    let some: StoredList[] = [];
    do {
      some = await this.jobs.listAll(some.at(-1)?.listId ?? null, LISTS_AT_ONCE);
      const ended = some.filter(({ isEnded }) => isEnded).map(({ listId }) => listId);
      const open = some.filter(({ isEnded }) => !isEnded).map(({ listId }) => listId);
      erased.rows += await this.lists.deleteAddress(ended, key);
      // A worker that is verifying them holds the address in memory and would store it again.
      const holding = new Set(await this.lists.listHolding(open, key));
      erased.runningJobs.push(...some.filter(({ listId }) => holding.has(listId)).map(({ jobId }) => jobId));
    } while (some.length === LISTS_AT_ONCE);
    return erased;
  }
}
