import { isUsualAddress } from '../text/addresses-in-text.js';
import { emailNameRank } from './csv/email-column-names.js';
import { withoutSurroundingSpace } from '../text/surrounding-space.js';
import type { ListHeader } from './list-format.js';
import type { ListEntry } from './list-entry.js';

export const WARNING_CODES = [
  'encoding',
  'wrong_delimiter',
  'repeated_header',
  'several_addresses',
  'wrapped',
  'not_an_address',
  'empty_rows',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** What a person should look at before a list is verified. */
export interface ListWarning {
  code: WarningCode;
  /** Of the first such row, from 1; missing: the format has no lines. */
  line?: number;
  message: string;
}

/** A text whose only meaning is a column with addresses, as a line that was copied into the middle of a list has it. */
const MIN_NAME_RANK = 2;
/** What may be between cells. */
const BETWEEN_CELLS = /[;,|\t]/;

const MESSAGES: Readonly<Record<Exclude<WarningCode, 'encoding'>, (rows: string) => string>> = {
  wrong_delimiter: (rows) =>
    `${rows} an address and other cells in one cell. The cells may have another character between them: name it with delimiter.`,
  repeated_header: (rows) => `${rows} the name of the column in the place of the address.`,
  several_addresses: (rows) => `${rows} more than one address. None of them is verified.`,
  wrapped: (rows) =>
    `${rows} a name or marks around the address. With extract_address=true the address is verified without them.`,
  not_an_address: (rows) => `${rows} a text that is no address in the place of the address.`,
  empty_rows: (rows) => `${rows} nothing in the place of the address. They cost nothing.`,
};

/** Of rows; the others are of the list. */
type RowCode = keyof typeof MESSAGES;

/** Collects the warnings about a list: of each kind the number of rows, and the first line. */
export class ListWarnings {
  private readonly found = new Map<RowCode, { rows: number; line: number | undefined }>();

  /** @param error why the text is no address; null: it is one. */
  add(entry: ListEntry, header: ListHeader, error: string | null): void {
    if (error === null) return;
    const { line } = entry;
    const code = codeOf(entry, header, error);
    const known = this.found.get(code);
    if (known === undefined) this.found.set(code, { rows: 1, line });
    else known.rows++;
  }

  /**
   * Those of the list, then those of rows in the order of their lines.
   *
   * @param header of the list, after it was read to its end.
   */
  list({ format }: ListHeader): ListWarning[] {
    const warning = format?.warning ?? null;
    const ofList: ListWarning[] = warning === null ? [] : [{ code: 'encoding', message: warning }];
    // Rows are added as they are read.
    const ofRows = Array.from(this.found, ([code, { rows, line }]) => {
      const message = MESSAGES[code](rows === 1 ? '1 row has' : `${rows} rows have`);
      return { code, ...(line !== undefined && { line }), message };
    });
    return [...ofList, ...ofRows];
  }
}

function codeOf({ email, ref }: ListEntry, { format }: ListHeader, error: string): RowCode {
  if (error === 'empty') return isInFirstCell(ref) ? 'wrong_delimiter' : 'empty_rows';
  const text = withoutSurroundingSpace(email);
  const isName = text.toLowerCase() === format?.column.toLowerCase() || emailNameRank(text) >= MIN_NAME_RANK;
  if (isName) return 'repeated_header';
  if (error === 'several_addresses') return error;
  if (isDivided(text)) return 'wrong_delimiter';
  return error === 'wrapped' ? error : 'not_an_address';
}

/** Whether all of the row is in its first cell, with the address. */
function isInFirstCell(ref: ListEntry['ref']): boolean {
  if (ref === null || typeof ref === 'string') return false;
  const [first, ...others] = ref;
  return (
    typeof first === 'string' && isDivided(first) && others.every((cell) => cell === null || cell === '')
  );
}

/** Whether a text has an address and other cells. A final mark divides nothing. */
function isDivided(text: string): boolean {
  if (!text.includes('@')) return false;
  const parts = text
    .split(BETWEEN_CELLS)
    .map(withoutSurroundingSpace)
    .filter((part) => part !== '');
  return parts.length > 1 && parts.some(isUsualAddress);
}
