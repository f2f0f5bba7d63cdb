import { Injectable } from '@nestjs/common';
import type { ReportEntry } from '../../../kernel/outcome-report.js';
import type { TeamId } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { emptyReceipt, OutcomesService, type Receipt } from '../../verification/outcomes/outcomes.service.js';
import { AddressFactsService } from '../../verification/verification/facts/address-facts.service.js';
import { TooManyOutcomes } from './domain/outcome-intake.errors.js';

const MAX_ROWS = 100_000;
/** Entries that are classified without a return to the event loop, and stored by one transaction. */
const BATCH = 250;

/** Stores outcomes that are received. */
@Injectable()
export class OutcomeIntakeService {
  constructor(
    private readonly outcomes: OutcomesService,
    private readonly facts: AddressFactsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Stores entries while they arrive. An interrupted import can be repeated: what is stored already is a duplicate.
   *
   * @throws TooManyOutcomes, and what reading throws
   */
  async receive(teamId: TeamId, arriving: AsyncIterable<readonly ReportEntry[]>): Promise<Receipt> {
    const receipt = emptyReceipt();
    for await (const entries of arriving) {
      if (receipt.received + entries.length > MAX_ROWS) throw new TooManyOutcomes(MAX_ROWS);
      await this.store(teamId, receipt, entries);
    }
    return receipt;
  }

  /**
   * Stores entries, each batch on its own, and adds them to the receipt.
   *
   * @param source null: the team itself reports them.
   * @param claim runs in the transaction of the first batch: nothing is stored if it throws.
   */
  async store(
    teamId: TeamId,
    receipt: Receipt,
    entries: readonly ReportEntry[],
    source: string | null = null,
    claim?: () => Promise<void>,
  ): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH);
      const emails = batch.flatMap((entry) => ('message' in entry ? [] : [entry.email]));
      await this.facts.rememberStored(teamId, emails);
      await this.work.run(async () => {
        if (from === 0) await claim?.();
        await this.outcomes.record(teamId, receipt, batch, source);
      });
    }
  }
}
