import Papa from 'papaparse';
import { isWorkbook } from './file-kind';
import { readSheets, type Sheet } from './workbook';

/** Encodings that a CSV without a byte order mark can be read in. The service reads the same. */
export const ENCODINGS = [
  'utf-8',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'iso-8859-2',
  'shift_jis',
  'gb18030',
  'big5',
] as const;

/** How a file is read, where the person has chosen it. */
export interface Reading {
  encoding?: string;
  hasHeader?: boolean;
  /** The name of one of `sheets`. */
  sheet?: string;
}

/** A file as a table, read once from the beginning to the end. */
export interface TableFile {
  file: File;
  /** Of a workbook; empty: the file is none. */
  sheets: readonly Sheet[];
  sheet: string | null;
  /** What is sent: the file itself, or a sheet as CSV. */
  content: Blob;
  /** The lines of `content`, without `sep=` at the beginning. */
  lines: Blob;
  encoding: string;
  /** Whether the encoding can be chosen: the file is no workbook and has no byte order mark. */
  isEncodingOpen: boolean;
  delimiter: string;
  hasHeader: boolean;
  /** The cells of the first row; null: it is no header. */
  header: string[] | null;
  /** The header, or generated names; unique. */
  columns: string[];
  /** Without the header. */
  firstRows: string[][];
  /** The line in the file where `lines` begins, from 1. */
  firstLine: number;
  /** The column that looks most like addresses; −1: none. */
  emailColumn: number;
}

const PREVIEW_ROWS = 5;
/** Rows that decide which column has the addresses. */
const SAMPLE_ROWS = 200;
export const CHUNK_BYTES = 1_000_000;
const LOOKS_LIKE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_NAMES = /^(e-?mail|e-?mail[ _-]?(address|adresse)|mail)$/i;

// As the service has them.

/** Of `email_column`. */
const MAX_PARAMETER = 200;
const DELIMITERS = [',', ';', '\t'];
const NAMED_DELIMITER = /^\uFEFF?("?sep=([^"\r\n])"?)(\r\n|\n|\r)/i;
/** The first line is looked for in so many bytes. */
const FIRST_LINE_BYTES = 65_536;

/** @returns null: the file is empty. @throws Error when it cannot be read. */
export async function readTableFile(
  file: File,
  nameOf: (index: number) => string,
  reading: Reading = {},
  sheets?: readonly Sheet[],
): Promise<TableFile | null> {
  const found = sheets ?? ((await isWorkbook(file)) ? await readSheets(file) : []);
  const sheet = chosenSheet(found, reading);
  const content = sheet?.content ?? file;
  const mark = await markOf(content);
  const encoding = mark?.encoding ?? reading.encoding ?? (await encodingOf(content));
  const separator = await separatorOf(content, encoding);
  const lines = separator === null ? content : content.slice(separator.bytes);
  const delimiter = separator?.delimiter ?? (await delimiterOf(lines, encoding));
  const rows = await firstRows(lines, encoding, delimiter);
  const first = rows[0];
  if (first === undefined) return null;
  // A bad address is an address too.
  const hasHeader = reading.hasHeader ?? !first.some((cell) => cell.includes('@'));
  const body = hasHeader ? rows.slice(1) : rows;
  const width = Math.max(...rows.map((row) => row.length));
  const columns = uniqueNames(
    Array.from({ length: width }, (_, index) => (hasHeader && first[index]?.trim()) || nameOf(index + 1)),
  );
  return {
    file,
    sheets: found,
    sheet: sheet?.name ?? null,
    content,
    lines,
    encoding,
    isEncodingOpen: sheet === null && mark === null,
    delimiter,
    hasHeader,
    header: hasHeader ? first : null,
    columns,
    firstRows: body.slice(0, PREVIEW_ROWS),
    firstLine: separator === null ? 1 : 2,
    emailColumn: emailColumnOf(columns, body),
  };
}

/**
 * The column as the service finds it: by its name if it is the only one with it, otherwise by its number from 1.
 * The service takes a number for a name first, if a column has that name.
 */
export function columnParameter({ header }: TableFile, column: number): string {
  const fold = (text: string) => text.trim().toLowerCase();
  const names = (header ?? []).map(fold);
  const name = header?.[column]?.trim() ?? '';
  const isUnique = names.indexOf(fold(name)) === names.lastIndexOf(fold(name));
  if (name !== '' && isUnique && name.length <= MAX_PARAMETER) return name;
  const number = column + 1;
  return names.includes(`column_${number}`) ? String(number) : `column_${number}`;
}

const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

async function markOf(content: Blob) {
  const start = await bytesOf(content, 0, 3);
  return MARKS.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte)) ?? null;
}

/** As the service decides: by the first character that is not ASCII. */
async function encodingOf(content: Blob): Promise<string> {
  for (let offset = 0; offset < content.size; offset += CHUNK_BYTES) {
    const index = (await bytesOf(content, offset, CHUNK_BYTES)).findIndex((byte) => byte > 0x7f);
    if (index === -1) continue;
    const lead = await bytesOf(content, offset + index, 4);
    return isUtf8(lead.subarray(0, lengthOfCharacter(lead[0] ?? 0))) ? 'utf-8' : 'windows-1252';
  }
  return 'utf-8';
}

function lengthOfCharacter(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The line `sep=;`, which Excel writes; null: there is none. */
async function separatorOf(
  content: Blob,
  encoding: string,
): Promise<{ delimiter: string; bytes: number } | null> {
  const start = new TextDecoder(encoding, { ignoreBOM: true }).decode(await bytesOf(content, 0, 32));
  const [line, , delimiter] = NAMED_DELIMITER.exec(start) ?? [];
  if (line === undefined || delimiter === undefined) return null;
  const perCharacter = encoding.startsWith('utf-16') ? 2 : 1;
  const mark = line.startsWith('\uFEFF') ? (encoding === 'utf-8' ? 3 : 2) : 0;
  return { delimiter, bytes: mark + line.replace('\uFEFF', '').length * perCharacter };
}

async function bytesOf(content: Blob, from: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await content.slice(from, from + count).arrayBuffer());
}

/** The one with the most addresses, if none is chosen: many workbooks begin with a cover. */
function chosenSheet(sheets: readonly Sheet[], { sheet: name }: Reading): Sheet | null {
  const named = sheets.find((sheet) => sheet.name === name);
  const [first = null] = [...sheets].sort((a, b) => b.addresses - a.addresses);
  return named ?? first;
}

/** As the service decides: the most frequent one in the first line, outside of quotes. */
async function delimiterOf(content: Blob, encoding: string): Promise<string> {
  const start = new TextDecoder(encoding).decode(await bytesOf(content, 0, FIRST_LINE_BYTES));
  const [line = ''] = start.split(/[\r\n]/, 1);
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** Between records; the service skips it too. */
export function isEmptyLine(row: readonly string[]): boolean {
  return row.length === 1 && row[0] === '';
}

function firstRows(content: Blob, encoding: string, delimiter: string): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(content as File, {
      preview: SAMPLE_ROWS,
      encoding,
      delimiter,
      complete: ({ data }) => resolve(data.filter((row) => !isEmptyLine(row))),
      error: reject,
    });
  });
}

function emailColumnOf(columns: string[], rows: string[][]): number {
  const named = columns.findIndex((name) => EMAIL_NAMES.test(name.trim()));
  if (named >= 0) return named;
  const counts = columns.map(
    (_, index) => rows.filter((row) => LOOKS_LIKE_ADDRESS.test(row[index]?.trim() ?? '')).length,
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}

function uniqueNames(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}
