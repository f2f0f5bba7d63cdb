import { Injectable } from '@nestjs/common';
import type { ReportEntry } from '../../kernel/outcome-report.js';
import type { TeamId } from '../../kernel/principal.js';
import { emptyReceipt, OutcomesService, type Receipt } from '../outcomes/outcomes.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { TooManyOutcomes } from './domain/outcome-intake.errors.js';

const MAX_ROWS = 100_000;
/** Entries that are classified without a return to the event loop, and stored by one statement. */
const BATCH = 250;

/** Stores outcomes that are received. */
@Injectable()
export class OutcomeIntakeService {
  constructor(
    private readonly outcomes: OutcomesService,
    private readonly known: AddressFactsService,
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

  /** Adds entries to the receipt. */
  async store(teamId: TeamId, receipt: Receipt, entries: readonly ReportEntry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH);
      const emails = batch.flatMap((entry) => ('message' in entry ? [] : [entry.email]));
      await this.known.rememberStored(teamId, emails);
      await this.outcomes.record(teamId, receipt, batch);
    }
  }
}
