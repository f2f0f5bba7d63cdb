import { isUsualAddress } from '../../kernel/text/addresses-in-text.js';
import type { CsvColumns } from '../../kernel/list-files/csv/csv-columns.js';
import { CsvFault, MAX_RECORD_LENGTH, type CsvRecord } from '../../kernel/list-files/csv/csv-records.js';
import { DELIMITER, type CsvReading } from '../../kernel/list-files/csv/csv-reading.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';

const MAX_NAMES_SHOWN = 20;
const MAX_NAME_SHOWN = 60;
const NAME_ONE = 'Name one with email_column.';
const WITHOUT_QUOTES = 'With quotes=false, quotation marks are characters like others.';

export function malformed(line: number, sentence: string): MalformedList {
  return new MalformedList(`Line ${line}: ${sentence}`);
}

/** @returns the index of the column with the addresses. @param given its name or number. @throws MalformedList */
export function requireColumn(reading: CsvReading, given: string | null): number {
  const { column, trouble, separator, width } = reading;
  if (width === 0) throw new MalformedList('The list is empty.');
  if (column !== null && trouble === null) return column;
  if (trouble === 'separator')
    throw new MalformedList(
      `Each cell has ${shown(separator ?? '')} between an address and another text. ${separatorAdvice(separator)}`,
    );
  if (trouble === 'no_such_column')
    throw new MalformedList(`No column is named ${shown(given ?? '')}. ${columnsIn(reading)}`);
  const reason = trouble === 'several_columns' ? 'several columns contain' : 'no column contains';
  throw new MalformedList(
    `No column is named email, e-mail, email address, e-mail address or mail, and ${reason} addresses in most cells. ${columnsIn(reading)}`,
  );
}

/** Not each character can be given as the delimiter. */
function separatorAdvice(separator: string | null): string {
  const isDelimiter = DELIMITER.test(separator ?? '');
  return isDelimiter
    ? 'Name the delimiter with delimiter, or the column with email_column to verify the cells as they are.'
    : 'It cannot be the delimiter: put a comma in its place.';
}

/** Runs `read`. @param names of the columns. @throws MalformedList for a CsvFault */
export function asMalformedList<T>(names: readonly string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    const { kind, line, column } = error;
    const name = names[column];
    const where = `column ${column + 1}${name === undefined ? '' : ` (${shown(name)})`}`;
    throw malformed(
      line,
      kind === 'open_quote'
        ? `A quote is not closed, in ${where}. ${WITHOUT_QUOTES}`
        : `A row may have at most ${MAX_RECORD_LENGTH} bytes. A quote that is not closed may be the reason, in ${where}. ${WITHOUT_QUOTES}`,
    );
  }
}

/**
 * Refuses a cell of several lines that has swallowed rows: a quotation mark opens it, and one in a later row closes
 * it. Without them, its first and its last line would be rows with an address.
 *
 * @throws MalformedList
 */
export function requireApart(
  { cells, line, lines: count }: CsvRecord,
  { names, email }: CsvColumns,
  delimiter: string,
): void {
  const at = count === 1 ? -1 : cells.findIndex((cell) => cell.includes('\n'));
  if (at === -1 || names.length < 2) return;
  const lines = cells[at]?.split('\n') ?? [];
  const first = [...cells.slice(0, at), ...(lines[0] ?? '').split(delimiter)];
  const last = [...(lines.at(-1) ?? '').split(delimiter), ...cells.slice(at + 1)];
  const areRows = [first, last].every(
    (row) => row.length === names.length && isUsualAddress(row[email] ?? ''),
  );
  if (areRows)
    throw malformed(
      line,
      `A quote is not closed, in column ${at + 1} (${shown(names[at] ?? '')}), and takes in rows behind it. ${WITHOUT_QUOTES}`,
    );
}

/** Lists the columns by number and name, as `email_column` takes both. */
function columnsIn({ top, width }: CsvReading): string {
  const cells = top?.cells ?? [];
  const names = Array.from({ length: Math.max(cells.length, width) }, (_, at) => cells[at] ?? '');
  const columns = names.slice(0, MAX_NAMES_SHOWN).map((name, at) => `${at + 1} ${shown(name)}`);
  const more = names.length > MAX_NAMES_SHOWN ? ` and ${names.length - MAX_NAMES_SHOWN} more` : '';
  const line = top === null || top.line === 1 ? 'The first line' : `Line ${top.line}`;
  return `${line} has: ${columns.join(', ')}${more}. ${NAME_ONE}`;
}

/** Escapes characters that change how a message is displayed. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_NAME_SHOWN)).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
