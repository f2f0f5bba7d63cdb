import { Injectable } from '@nestjs/common';
import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { BulkSlots } from '../domain/list.repository.js';
import { StoredVerdictsRepository, type VerdictPage } from '../domain/stored-verdicts.repository.js';

const MAX_LISTS = 1_000;
const PAGE = 500;

/** Some verdicts of a list. */
export interface ListVerdicts {
  jobId: string;
  verdicts: readonly Verdict[];
}

/** The verdicts of all lists of a team, for counting. */
@Injectable()
export class StoredVerdictsService {
  constructor(
    private readonly verdicts: StoredVerdictsRepository,
    private readonly slots: BulkSlots,
  ) {}

  /**
   * One for each address of each live list that has not ended, or ended since then; the newest list first. They have
   * the decision without the rules of the team. Each page waits for a slot, as the other reads of lists do. null at the
   * end: there are more lists, which are not read.
   */
  async *since(team: TeamId, since: Date): AsyncGenerator<ListVerdicts | null, void, undefined> {
    const lists = await this.verdicts.listSince(team, since, MAX_LISTS + 1);
    for (const { listId, jobId } of lists.slice(0, MAX_LISTS)) {
      let page = await this.page(team, listId, null);
      if (page.verdicts.length > 0) yield { jobId, verdicts: page.verdicts };
      while (page.last !== null) {
        page = await this.page(team, listId, page.last);
        if (page.verdicts.length > 0) yield { jobId, verdicts: page.verdicts };
      }
    }
    if (lists.length > MAX_LISTS) yield null;
  }

  private page(team: TeamId, listId: ListId, after: Buffer | null): Promise<VerdictPage> {
    return this.slots.run(team, () => this.verdicts.page(listId, after, PAGE));
  }
}
