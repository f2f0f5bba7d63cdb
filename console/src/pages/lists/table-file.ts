import Papa from 'papaparse';

/** A file as a table, read once from the beginning to the end. */
export interface TableFile {
  /** What is sent: the file itself, or a workbook as CSV. */
  content: Blob;
  fileName: string;
  delimiter: string;
  hasHeader: boolean;
  /** The header, or generated names; unique. */
  columns: string[];
  /** Without the header. */
  firstRows: string[][];
  /** The column that looks most like addresses; −1: none. */
  emailColumn: number;
}

export interface ColumnCount {
  rows: number;
  /** Cells that are not empty. */
  addresses: number;
  distinct: number;
}

const PREVIEW_ROWS = 5;
/** Rows that decide which column has the addresses. */
const SAMPLE_ROWS = 200;
const CHUNK_BYTES = 1_000_000;
const LOOKS_LIKE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_NAMES = /^(e-?mail|e-?mail[ _-]?(address|adresse)|mail)$/i;

/** @throws Error when the file is empty or cannot be read. */
export async function readTableFile(
  file: File,
  nameOf: (index: number) => string,
): Promise<TableFile | null> {
  const isWorkbook = /\.xlsx$/i.test(file.name);
  const content = isWorkbook ? await workbookAsCsv(file) : file;
  const { rows, delimiter } = await firstRows(content);
  const first = rows[0];
  if (first === undefined) return null;
  const hasHeader = !first.some((cell) => LOOKS_LIKE_ADDRESS.test(cell.trim()));
  const body = hasHeader ? rows.slice(1) : rows;
  const width = Math.max(...rows.map((row) => row.length));
  const columns = uniqueNames(
    Array.from({ length: width }, (_, index) => (hasHeader && first[index]?.trim()) || nameOf(index + 1)),
  );
  return {
    content,
    fileName: file.name,
    delimiter,
    hasHeader,
    columns,
    firstRows: body.slice(0, PREVIEW_ROWS),
    emailColumn: emailColumnOf(columns, body),
  };
}

/** Counts what a column would cost, without keeping its cells. */
export function countColumn(
  { content, delimiter, hasHeader }: TableFile,
  column: number,
): Promise<ColumnCount> {
  const seen = new Set<number>();
  const count = { rows: hasHeader ? -1 : 0, addresses: 0 };
  let isFirst = hasHeader;
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(content as File, {
      delimiter,
      chunkSize: CHUNK_BYTES,
      skipEmptyLines: 'greedy',
      chunk: ({ data }) => {
        for (const row of data) {
          count.rows++;
          const cell = row[column]?.trim() ?? '';
          if (!isFirst && cell !== '') {
            count.addresses++;
            seen.add(hashOf(cell.toLowerCase()));
          }
          isFirst = false;
        }
      },
      complete: () => resolve({ ...count, distinct: seen.size }),
      error: reject,
    });
  });
}

/** The file with a header, so that the chosen column has a name. */
export function withHeader({ content, hasHeader, columns, delimiter }: TableFile): Blob {
  if (hasHeader) return content;
  return new Blob([`${Papa.unparse([columns], { delimiter })}\n`, content]);
}

async function workbookAsCsv(file: File): Promise<Blob> {
  const { readSheet } = await import('read-excel-file/browser');
  const rows = await readSheet(file);
  const text = rows.map((row) =>
    row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))),
  );
  return new Blob([Papa.unparse(text)], { type: 'text/csv' });
}

function firstRows(content: Blob): Promise<{ rows: string[][]; delimiter: string }> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(content as File, {
      preview: SAMPLE_ROWS,
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
