import type { Language } from '../mail.js';
import type { ListEntry } from './list-entry.js';
import type { RowLine } from './row-lines.js';

/** The largest maximum age of stored facts that can be asked for: a year, in seconds. */
export const MAX_AGE = 31_536_000;

export type ListFormat = 'json' | 'csv' | 'ndjson';

/** What is verified and charged once: an address in all spellings, or all addresses of a mailbox (`canonicalEmail`). */
export const UNIQUE_BY = ['address', 'canonical'] as const;
export type UniqueBy = (typeof UNIQUE_BY)[number];

/** Some entries of a list. */
export interface ListPiece {
  entries: readonly ListEntry[];
  /** As far as it is known after these entries; the last piece has all of it. The same object until it changes. */
  header: ListHeader;
}

/** The metadata of a list. */
export interface ListHeader {
  readonly name: string | null;
  /** null: not specified. */
  readonly refresh: boolean | null;
  /** The maximum age of stored facts in seconds; null: not specified. */
  readonly maxAge: number | null;
  /** The language of the mail at the end; null: none. */
  readonly notify: Language | null;
  /** null: not specified. */
  readonly uniqueBy: UniqueBy | null;
  /** The columns of a CSV, in order. */
  readonly columns: readonly string[] | null;
  /** Of a CSV. */
  readonly delimiter: string | null;
  /** Whether a CSV began with a byte order mark. */
  readonly bom: boolean;
  /** Whether a line of a CSV names the columns. */
  readonly hasHeader: boolean | null;
  /** How a CSV was read. */
  readonly format: CsvFormat | null;
  /** Members of a JSON body besides its list, if `JsonNames` asks for them. */
  readonly others?: Readonly<Record<string, unknown>>;
}

/** How a CSV was read: as its options say, or as its first lines show. */
export interface CsvFormat {
  delimiter: string;
  /** The line that names the columns, from 1; null: none does. */
  header: number | null;
  /** The name of the column with the addresses, as in `ListHeader.columns`. */
  column: string;
  encoding: ListEncoding;
  /** Why it may be another encoding; the bytes of the cells are kept then. null: no reason; jobs of 0.2 have none. */
  warning: string | null;
  /** Complete at the end of the list; null: not known, as of jobs of earlier versions, which have none. */
  lines: readonly RowLine[] | null;
}

export function emptyHeader(): ListHeader {
  const unknown = { columns: null, delimiter: null, bom: false, hasHeader: null, format: null };
  return { name: null, refresh: null, maxAge: null, notify: null, uniqueBy: null, ...unknown };
}

/** Encodings of a CSV that a client can name: those of the Encoding Standard. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-874',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'ibm866',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
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

/** A JSON body that has its list under another name than `emails`, of texts only. */
export interface JsonNames {
  list: string;
  /** Names of members that are returned as they are, as whole texts: each may be as long as an entry. */
  others: RegExp;
}

/** How to read a list in any format. */
export interface ReadOptions extends ListOptions {
  /** Of a JSON body; absent: that of `POST /v1/verify/bulk`. */
  json?: JsonNames;
}
