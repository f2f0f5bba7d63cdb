import { InvalidRequest } from '../../../kernel/errors.js';
import type { ListOptions } from '../../../kernel/list-files/list-format.js';
import type { ReportEntry } from '../../../kernel/outcome-report.js';
import { jsonIn } from '../../../platform/http/body/json-body.js';
import { jsonPointer } from '../../../platform/http/validation/json-pointer.js';
import { ndjsonValues } from '../../../platform/list-files/ndjson-list.js';
import { csvRecords } from '../../../platform/list-files/read-list.js';
import { OUTCOME_MEMBERS, readEntry, readRow } from './domain/read-entry.js';
import { notificationIn } from './domain/providers/sns-mail.js';
import type { MailMessage } from './domain/reports/mail-message.js';
import { parseMessage } from './domain/reports/parse-message.js';
import { readReport } from './domain/reports/read-report.js';

export type OutcomeFormat = 'json' | 'csv' | 'ndjson' | 'message';

interface OutcomeReading {
  format: OutcomeFormat;
  options: ListOptions;
}

const MAX_ENTRIES = 1_000;
const SEND_OUTCOMES = 'Send 1 to 1,000 outcomes; more are a CSV or NDJSON.';

/** Reads outcomes in a thread: JSON and messages as a whole, the others while they arrive. */
export async function* read(
  bytes: AsyncIterable<Buffer>,
  { format, options }: OutcomeReading,
): AsyncGenerator<ReportEntry[], void> {
  if (format === 'json') yield entriesIn(jsonIn(await wholeOf(bytes))).map(readEntry);
  else if (format === 'message') yield readMessage(parseMessage(await wholeOf(bytes)));
  else if (format === 'csv') for await (const rows of csvRecords(bytes, options)) yield rows.map(readRow);
  else for await (const lines of ndjsonValues(bytes)) yield lines.map(({ value }) => readEntry(value));
}

function readMessage(message: MailMessage): ReportEntry[] {
  return notificationIn(message) ?? readReport(message);
}

async function wholeOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

function entriesIn(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('', 'invalid_type', 'Send one outcome, or an object with outcomes.');
  const { outcomes, ...others } = body as Record<string, unknown>;
  const known = outcomes === undefined ? OUTCOME_MEMBERS : [];
  const unknown = Object.keys(others).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalid(jsonPointer([unknown]), 'unknown_member', 'This member is not known.');
  if (outcomes === undefined) return [body];
  if (!Array.isArray(outcomes)) throw invalid('/outcomes', 'invalid_type', SEND_OUTCOMES);
  if (outcomes.length === 0) throw invalid('/outcomes', 'too_small', SEND_OUTCOMES);
  if (outcomes.length > MAX_ENTRIES) throw invalid('/outcomes', 'too_big', SEND_OUTCOMES);
  return outcomes as readonly unknown[];
}

function invalid(pointer: string, code: string, message: string): InvalidRequest {
  return new InvalidRequest([{ pointer, code, message }]);
}
