import { CsvFault, CsvRecords, type CsvRecord } from '../../../../../src/kernel/list-files/csv/csv-records';
import {
  CsvSample,
  namedDelimiter,
  readingOf,
  type CsvReading,
} from '../../../../../src/kernel/list-files/csv/csv-reading';
import { mayBeHeader } from '../../../../../src/kernel/list-files/csv/csv-table';
import { textOf } from '../kept/csv-records';
import { isWorkbook } from './file-kind';
import { readSheets, type Sheet } from './workbook';
import type { ColumnKind } from './workbook-cells';
import { greatest } from '../../../../../src/kernel/long-lists';

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
  /** Whether a line names the columns, or the number of that line in `content`, from 1. */
  header?: boolean | number;
  delimiter?: string;
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
  divided: CsvReading['divided'];
  hasHeader: boolean;
  /** The cells of the line that names the columns; null: none does. */
  header: string[] | null;
  /** The number of that line in `content`, from 1. */
  headerLine: number | null;
  /** The header, or generated names; unique. */
  columns: string[];
  /** Without the header and what is above it. */
  firstRows: string[][];
  /** What begins before this line of `lines` is no row. */
  firstRow: number;
  /** The line in the file where `lines` begins, from 1. */
  firstLine: number;
  /** Of the columns of a workbook; null: the file is none. */
  kinds: readonly ColumnKind[] | null;
  /** The column that looks most like addresses; −1: none. */
  emailColumn: number;
  /** What the first lines show of each column. */
  samples: CsvReading['columns'];
}

const PREVIEW_ROWS = 5;
const TEXT_FILE = /\.txt$/i;
/** It divides no line of a text without it. */
const UNUSED = '\t';
/** Characters of a row that cannot be read. */
const MAX_SHOWN = 1_000;
const CHUNK_BYTES = 1_000_000;

// As the service has them.

/** Of `email_column`. */
const MAX_PARAMETER = 200;
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
  const firstLine = separator === null ? 1 : 2;
  const start = await startOf(lines, encoding);
  const { header: asked } = reading;
  const readWith = (header: boolean | number | undefined) =>
    readingOf(start.text, start.isWhole, { delimiter: reading.delimiter ?? separator?.delimiter, header });
  let read = readWith(typeof asked === 'number' ? asked - firstLine + 1 : asked);
  if (TEXT_FILE.test(file.name) && isOneAddressALine(start.text, read))
    read = readingOf(start.text, start.isWhole, {
      delimiter: UNUSED,
      header: asked === true ? 1 : (asked ?? null),
    });
  // Here a person sees what the line is taken for.
  if (
    asked === undefined &&
    read.header === null &&
    read.top !== null &&
    mayBeHeader(read.top.cells, read.column)
  )
    read = readWith(read.top.line);
  if (read.width === 0) return null;
  const { delimiter, divided, firstRow, columns: samples } = read;
  const header = read.header?.cells ?? null;
  const width = Math.max(header?.length ?? 0, read.width);
  return {
    file,
    sheets: found,
    sheet: sheet?.name ?? null,
    content,
    lines,
    encoding,
    isEncodingOpen: sheet === null && mark === null,
    delimiter,
    divided,
    hasHeader: header !== null,
    header,
    headerLine: read.header === null ? null : read.header.line + firstLine - 1,
    columns: uniqueNames(
      Array.from({ length: width }, (_, index) => header?.[index]?.trim() || nameOf(index + 1)),
    ),
    firstRows: recordsIn(start, read)
      .filter(({ line }) => line >= firstRow)
      .slice(0, PREVIEW_ROWS)
      .map(({ cells }) => cells),
    firstRow,
    firstLine,
    kinds: sheet?.kinds ?? null,
    emailColumn: read.column ?? likelyColumn(samples),
    samples,
  };
}

/** A text without tabs in which no line names columns: a comma is a part of a name or an address. */
function isOneAddressALine(text: string, { header, column, width }: CsvReading): boolean {
  const isNamed = header !== null && width > 1 && column !== null;
  return !isNamed && !text.includes(UNUSED);
}

interface Start {
  text: string;
  isWhole: boolean;
}

async function startOf(lines: Blob, encoding: string): Promise<Start> {
  const sample = new CsvSample();
  for await (const text of textOf(lines, encoding))
    if (sample.push(text)) return { text: sample.text, isWhole: false };
  return { text: sample.text, isWhole: true };
}

/** The last one is shown as it is written if it cannot be read, which is reported when the rows are counted. */
function recordsIn({ text, isWhole }: Start, reading: CsvReading): CsvRecord[] {
  const records = new CsvRecords(reading);
  let found: CsvRecord[] = [];
  try {
    found = records.push(text);
    return found.concat(isWhole ? records.end() : records.push(''));
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    const { line } = error;
    const written = text.split(/\r\n|\n|\r/, line)[line - 1]?.slice(0, MAX_SHOWN) ?? '';
    return [...found, { cells: written.split(reading.delimiter), line, lines: 1 }];
  }
}

/** If several have addresses, the one with the most. */
function likelyColumn(samples: CsvReading['columns']): number {
  const counts = samples.map(({ addresses, wrapped }) => addresses + wrapped);
  const most = greatest(counts, 0);
  return most === 0 ? -1 : counts.indexOf(most);
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
  const hasMark = start.startsWith('\uFEFF');
  const named = namedDelimiter(hasMark ? start.slice(1) : start);
  if (named === null) return null;
  const perCharacter = encoding.startsWith('utf-16') ? 2 : 1;
  const mark = hasMark ? (encoding === 'utf-8' ? 3 : 2) : 0;
  const lineBreak = start.slice(Number(hasMark) + named.length).startsWith('\r\n') ? 2 : 1;
  return { delimiter: named.delimiter, bytes: mark + (named.length + lineBreak) * perCharacter };
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

function uniqueNames(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}
