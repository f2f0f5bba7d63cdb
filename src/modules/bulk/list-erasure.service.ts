import { Injectable } from '@nestjs/common';
import { VerificationService } from '../verification/verification.service.js';
import { ListErasureRepository, type KeptList } from './domain/list-erasure.repository.js';

/** What was erased from lists. */
export interface ErasedRows {
  rows: number;
  /** Jobs that hold the address and have not ended: nothing was taken out of these. */
  runningJobs: string[];
}

const LISTS_AT_ONCE = 1_000;

/** Takes one address out of the lists of all teams. */
@Injectable()
export class ListErasureService {
  constructor(
    private readonly lists: ListErasureRepository,
    private readonly verification: VerificationService,
  ) {}

  /** All its spellings count. It is committed piece by piece, and may be done again. */
  async erase(email: string): Promise<ErasedRows> {
    const hash = this.verification.identify(email);
    const erased: ErasedRows = { rows: 0, runningJobs: [] };
    let some: KeptList[] = [];
    do {
      some = await this.lists.lists(some.at(-1)?.list ?? null, LISTS_AT_ONCE);
      const ended = some.filter(({ isEnded }) => isEnded).map(({ list }) => list);
      const open = some.filter(({ isEnded }) => !isEnded).map(({ list }) => list);
      erased.rows += await this.lists.erase(ended, hash);
      // Who verifies them now holds the address in memory, and would write it down again.
      const holding = new Set(await this.lists.holding(open, hash));
      erased.runningJobs.push(...some.filter(({ list }) => holding.has(list)).map(({ jobId }) => jobId));
    } while (some.length === LISTS_AT_ONCE);
    return erased;
  }
}
