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
      await this.prepare(teamId, entries);
      await this.store(teamId, receipt, entries);
    }
    return receipt;
  }

  /** Stores the verdicts that the entries will find. It commits on its own: not inside a unit of work. */
  async prepare(teamId: TeamId, entries: readonly ReportEntry[]): Promise<void> {
    for (const batch of batchesOf(entries)) {
      const emails = batch.flatMap((entry) => ('message' in entry ? [] : [entry.email]));
      await this.known.rememberStored(teamId, emails);
    }
  }

  /** Adds entries to the receipt, after `prepare`. @param source null: the team itself reports them. */
  async store(
    teamId: TeamId,
    receipt: Receipt,
    entries: readonly ReportEntry[],
    source: string | null = null,
  ): Promise<void> {
    for (const batch of batchesOf(entries)) await this.outcomes.record(teamId, receipt, batch, source);
  }
}

function batchesOf<Entry>(entries: readonly Entry[]): (readonly Entry[])[] {
  const count = Math.ceil(entries.length / BATCH);
  return Array.from({ length: count }, (_, n) => entries.slice(n * BATCH, (n + 1) * BATCH));
}
