import { Injectable } from '@nestjs/common';
import type { IgnoredReport, OutcomeReport } from '../../kernel/outcome-report.js';
import type { TeamId } from '../../kernel/principal.js';
import { ListReadingService } from '../bulk/list-reading.service.js';
import { OutcomesService } from '../outcomes/outcomes.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { TooManyOutcomes } from './domain/outcome-intake.errors.js';
import { readEntry, readRow } from './domain/read-entry.js';
import { emptyReceipt, type Receipt } from './domain/receipt.js';
import { MessageParser } from './domain/reports/mail-message.js';
import { readReport } from './domain/reports/read-report.js';

export type OutcomeBody =
  | { format: 'json'; entries: readonly unknown[] }
  | { format: 'message'; message: Buffer }
  | { format: 'csv' | 'ndjson'; bytes: AsyncIterable<Buffer> };

type Entry = OutcomeReport | IgnoredReport;

const MAX_ROWS = 100_000;
/** Entries that are classified without a return to the event loop, and stored by one statement. */
const BATCH = 250;

/** Receives outcomes: entries of the API and of files, and reports as they arrive by mail. */
@Injectable()
export class OutcomeIntakeService {
  constructor(
    private readonly outcomes: OutcomesService,
    private readonly known: AddressFactsService,
    private readonly lists: ListReadingService,
    private readonly parser: MessageParser,
  ) {}

  /**
   * Stores entries while they arrive. An interrupted import can be repeated: what is stored already is a duplicate.
   *
   * @throws InvalidRequest, MalformedList, MalformedReport, TooManyOutcomes
   */
  async receive(teamId: TeamId, body: OutcomeBody): Promise<Receipt> {
    const receipt = emptyReceipt();
    for await (const entries of this.entries(body)) {
      if (receipt.received + entries.length > MAX_ROWS) throw new TooManyOutcomes(MAX_ROWS);
      await this.store(teamId, receipt, entries);
    }
    return receipt;
  }

  /** Adds entries to the receipt. */
  async store(teamId: TeamId, receipt: Receipt, entries: readonly Entry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH);
      const emails = batch.flatMap((entry) => ('message' in entry ? [] : [entry.email]));
      await this.known.rememberStored(teamId, emails);
      const { stored, duplicates, ignored } = await this.outcomes.record(teamId, batch);
      const first = receipt.received;
      receipt.ignored.push(...ignored.map((entry) => ({ ...entry, index: first + entry.index })));
      receipt.received += batch.length;
      receipt.stored += stored;
      receipt.duplicates += duplicates;
    }
  }

  private async *entries(body: OutcomeBody): AsyncGenerator<Entry[]> {
    if (body.format === 'message') yield readReport(await this.parser.parse(body.message));
    else if (body.format === 'json') yield body.entries.map(readEntry);
    else if (body.format === 'csv')
      for await (const rows of this.lists.records(body.bytes)) yield rows.map(readRow);
    else for await (const values of this.lists.values(body.bytes)) yield values.map(readEntry);
  }
}
