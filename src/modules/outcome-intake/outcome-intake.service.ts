import { Injectable } from '@nestjs/common';
import type { TeamId } from '../../kernel/principal.js';
import { ListReadingService } from '../bulk/list-reading.service.js';
import { isOutcomeKind, OutcomesService, type OutcomeReport } from '../outcomes/outcomes.service.js';
import { KnownAddressesService } from '../verification/known-addresses.service.js';
import type { OutcomeFormat } from './domain/outcome-formats.js';
import { TooManyOutcomes } from './domain/outcome-intake.errors.js';
import { OutcomeReader } from './domain/outcome-reader.js';
import { readEntry, readRow, type IgnoredEntry, type OutcomeEntry } from './domain/read-entry.js';
import { emptyReceipt, type Receipt } from './domain/receipt.js';
import { MessageParser } from './domain/reports/mail-message.js';
import { readReport } from './domain/reports/read-report.js';
import { reportOf } from './domain/reports/report-of.js';

/** A body that has not been read yet. */
export interface OpenedOutcomes {
  format: OutcomeFormat;
  bytes: AsyncIterable<Buffer>;
}

const MAX_ROWS = 100_000;
/** Entries that are classified without a return to the event loop, and stored by one statement. */
const BATCH = 250;

/** Takes in outcomes: entries of the API and of files, and reports as they arrive by mail. */
@Injectable()
export class OutcomeIntakeService {
  constructor(
    private readonly outcomes: OutcomesService,
    private readonly known: KnownAddressesService,
    private readonly lists: ListReadingService,
    private readonly reader: OutcomeReader,
    private readonly parser: MessageParser,
  ) {}

  /**
   * Stores entries while they arrive. An interrupted import can be repeated: what is stored already is a duplicate.
   *
   * @throws InvalidRequest, MalformedList, MalformedReport, TooManyOutcomes
   */
  async receive(teamId: TeamId, { format, bytes }: OpenedOutcomes): Promise<Receipt> {
    const receipt = emptyReceipt();
    if (format === 'message') {
      const report = readReport(await this.parser.parse(await this.reader.message(bytes)));
      const entries = report.recipients.map((recipient) => reportOf(recipient, report.messageId));
      await this.store(teamId, receipt, entries);
      return receipt;
    }
    for await (const entries of this.entries(format, bytes)) {
      if (receipt.received + entries.length > MAX_ROWS) throw new TooManyOutcomes(MAX_ROWS);
      await this.store(teamId, receipt, entries);
    }
    return receipt;
  }

  /** Stores outcomes of a provider. */
  async store(
    teamId: TeamId,
    receipt: Receipt,
    entries: readonly (OutcomeReport | IgnoredEntry)[],
  ): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH)
      await this.storeBatch(teamId, receipt, entries.slice(from, from + BATCH));
  }

  private async storeBatch(
    teamId: TeamId,
    receipt: Receipt,
    entries: readonly (OutcomeReport | IgnoredEntry)[],
  ): Promise<void> {
    const first = receipt.received;
    const reports: { report: OutcomeReport; index: number }[] = [];
    for (const [position, entry] of entries.entries()) {
      const index = first + position;
      if ('message' in entry) receipt.ignored.push({ index, code: entry.code, message: entry.message });
      else reports.push({ report: entry, index });
    }
    const emails = reports.map(({ report }) => report.email);
    await this.known.rememberStored(teamId, emails);
    const recorded = await this.outcomes.record(
      teamId,
      reports.map(({ report }) => report),
    );
    for (const { position, reason } of recorded.unusable)
      receipt.ignored.push({ index: reports[position]?.index ?? 0, ...reason });
    receipt.ignored.sort((a, b) => a.index - b.index);
    receipt.received += entries.length;
    receipt.stored += recorded.stored;
    receipt.duplicates += recorded.duplicates;
  }

  private async *entries(
    format: Exclude<OutcomeFormat, 'message'>,
    bytes: AsyncIterable<Buffer>,
  ): AsyncGenerator<(OutcomeReport | IgnoredEntry)[]> {
    if (format === 'json') yield (await this.reader.entries(bytes)).map(readEntry).map(asReport);
    else if (format === 'csv')
      for await (const rows of this.lists.records(bytes)) yield rows.map(readRow).map(asReport);
    else for await (const values of this.lists.values(bytes)) yield values.map(readEntry).map(asReport);
  }
}

function asReport(entry: OutcomeEntry | IgnoredEntry): OutcomeReport | IgnoredEntry {
  if ('message' in entry) return entry;
  const { outcome, ...others } = entry;
  if (!isOutcomeKind(outcome)) throw new Error('The outcome was validated');
  return { ...others, outcome };
}
