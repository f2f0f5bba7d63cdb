import type { Language } from '../mail.js';

/** The largest maximum age of stored facts that can be asked for: a year, in seconds. */
export const MAX_AGE = 31_536_000;

export type ListFormat = 'json' | 'csv' | 'ndjson';

/** What is verified and charged once: an address in all spellings, or all addresses of a mailbox (`canonicalEmail`). */
export const UNIQUE_BY = ['address', 'canonical'] as const;
export type UniqueBy = (typeof UNIQUE_BY)[number];

/** The metadata of a list; complete once it was read to its end. */
export interface ListHeader {
  name: string | null;
  /** null: not specified. */
  refresh: boolean | null;
  /** The maximum age of stored facts in seconds; null: not specified. */
  maxAge: number | null;
  /** The language of the mail at the end; null: none. */
  notify: Language | null;
  /** null: not specified. */
  uniqueBy: UniqueBy | null;
  /** The columns of a CSV, in order. */
  columns: readonly string[] | null;
  /** Of a CSV. */
  delimiter: string | null;
  /** Whether a CSV began with a byte order mark. */
  bom: boolean;
  /** Whether a line of a CSV names the columns. */
  hasHeader: boolean | null;
  /** How a CSV was read. */
  format: CsvFormat | null;
}

/** How a CSV was read: as its options say, or as its first lines show. */
export interface CsvFormat {
  delimiter: string;
  /** The line that names the columns, from 1; null: none does. */
  header: number | null;
  /** The name of the column with the addresses, as in `ListHeader.columns`. */
  column: string;
  encoding: ListEncoding;
}

export function emptyHeader(): ListHeader {
  const unknown = { columns: null, delimiter: null, bom: false, hasHeader: null, format: null };
  return { name: null, refresh: null, maxAge: null, notify: null, uniqueBy: null, ...unknown };
}

/** Encodings of a CSV that a client can name. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
] as const;
export type ListEncoding = (typeof ENCODINGS)[number];

/** How to read a CSV. Other formats have no options. */
export interface ListOptions {
  /** The column with the addresses: its name in any case, or its number from 1; null: it is found. */
  column?: string | null | undefined;
  /** Whether a line names the columns, or its number from 1; null: by the cells. */
  header?: boolean | number | null | undefined;
  /** null: by the cells. */
  delimiter?: string | null | undefined;
  /** Whether quotation marks enclose cells; null: yes. */
  quotes?: boolean | null | undefined;
  /** Whether the first address of a cell is read that has more than an address; the cell stays a column. */
  extracts?: boolean | undefined;
  /** Whether entries have their line. */
  lines?: boolean | undefined;
  /** null: by the byte order mark and the first character that is not ASCII. */
  encoding?: ListEncoding | null | undefined;
}
