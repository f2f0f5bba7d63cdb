import Papa from 'papaparse';

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
}

/** A file as a table, read once from the beginning to the end. */
export interface TableFile {
  file: File;
  /** What is sent: the file itself, or a workbook as CSV. */
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
  /** The line of the first row of data, from 1. */
  firstLine: number;
  /** The column that looks most like addresses; −1: none. */
  emailColumn: number;
}

export interface ColumnCount {
  rows: number;
  /** Cells that are not empty. */
  addresses: number;
  distinct: number;
  /** The first row whose other cells are too long, and its longest column; null: none. */
  tooLong: { row: number; column: number } | null;
}

const PREVIEW_ROWS = 5;
/** Rows that decide which column has the addresses. */
const SAMPLE_ROWS = 200;
const CHUNK_BYTES = 1_000_000;
const LOOKS_LIKE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_NAMES = /^(e-?mail|e-?mail[ _-]?(address|adresse)|mail)$/i;

/** The service takes at most this much beside the address of a row, in UTF-8. */
const MAX_OTHER_BYTES = 16_384;

/** @returns null: the file is empty. @throws Error when it cannot be read. */
export async function readTableFile(
  file: File,
  nameOf: (index: number) => string,
  reading: Reading = {},
): Promise<TableFile | null> {
  const isWorkbook = /\.xlsx$/i.test(file.name);
  const content = isWorkbook ? await workbookAsCsv(file) : file;
  const mark = await markOf(content);
  const encoding = mark?.encoding ?? reading.encoding ?? (await encodingOf(content));
  const separator = await separatorOf(content, encoding);
  const lines = separator === null ? content : content.slice(separator.bytes);
  const { rows, delimiter } = await firstRows(lines, encoding, separator?.delimiter);
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
    content,
    lines,
    encoding,
    isEncodingOpen: !isWorkbook && mark === null,
    delimiter,
    hasHeader,
    header: hasHeader ? first : null,
    columns,
    firstRows: body.slice(0, PREVIEW_ROWS),
    firstLine: 1 + (hasHeader ? 1 : 0) + (separator === null ? 0 : 1),
    emailColumn: emailColumnOf(columns, body),
  };
}

/** The column as the service finds it: by its name if it is the only one with it, otherwise by its number from 1. */
export function columnParameter({ header }: TableFile, column: number): string {
  const name = header?.[column]?.trim() ?? '';
  const same = (header ?? []).filter((each) => each.trim().toLowerCase() === name.toLowerCase());
  return name !== '' && same.length === 1 && !/^\d+$/.test(name) ? name : String(column + 1);
}

/** Counts what a column would cost, without keeping its cells. */
export function countColumn(
  { lines, encoding, delimiter, hasHeader }: TableFile,
  column: number,
): Promise<ColumnCount> {
  const seen = new Set<number>();
  const count = { rows: 0, addresses: 0, tooLong: null as ColumnCount['tooLong'] };
  let isHeader = hasHeader;
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(lines as File, {
      delimiter,
      encoding,
      chunkSize: CHUNK_BYTES,
      skipEmptyLines: 'greedy',
      chunk: ({ data }) => {
        for (const row of data) {
          if (isHeader) {
            isHeader = false;
            continue;
          }
          count.tooLong ??= tooLongIn(row, column, count.rows);
          count.rows++;
          const cell = row[column]?.trim() ?? '';
          if (cell === '') continue;
          count.addresses++;
          seen.add(hashOf(cell.toLowerCase()));
        }
      },
      complete: () => resolve({ ...count, distinct: seen.size }),
      error: reject,
    });
  });
}

function tooLongIn(cells: readonly string[], column: number, row: number): ColumnCount['tooLong'] {
  const others = cells.map((cell, index) => (index === column ? '' : cell));
  const characters = others.reduce((sum, cell) => sum + cell.length, 0);
  // A character has at most three bytes.
  if (characters * 3 <= MAX_OTHER_BYTES) return null;
  const bytes = others.map((cell) => new TextEncoder().encode(cell).length);
  if (bytes.reduce((sum, length) => sum + length, 0) <= MAX_OTHER_BYTES) return null;
  return { row, column: bytes.indexOf(Math.max(...bytes)) };
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
  const [line, delimiter] = /^\uFEFF?sep=(.)\r?\n/i.exec(start) ?? [];
  if (line === undefined || delimiter === undefined) return null;
  const perCharacter = encoding.startsWith('utf-16') ? 2 : 1;
  const mark = line.startsWith('\uFEFF') ? (encoding === 'utf-8' ? 3 : 2) : 0;
  return { delimiter, bytes: mark + line.replace('\uFEFF', '').length * perCharacter };
}

async function bytesOf(content: Blob, from: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await content.slice(from, from + count).arrayBuffer());
}

async function workbookAsCsv(file: File): Promise<Blob> {
  const { readSheet } = await import('read-excel-file/browser');
  const rows = await readSheet(file);
  const text = rows.map((row) =>
    row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))),
  );
  return new Blob([Papa.unparse(text)], { type: 'text/csv' });
}

function firstRows(
  content: Blob,
  encoding: string,
  delimiter = '',
): Promise<{ rows: string[][]; delimiter: string }> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(content as File, {
      preview: SAMPLE_ROWS,
      encoding,
      delimiter,
      skipEmptyLines: 'greedy',
      complete: ({ data, meta }) => resolve({ rows: data, delimiter: meta.delimiter || ',' }),
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

/** 53 bits: among a million cells a collision has a probability of about 10⁻⁴. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}
