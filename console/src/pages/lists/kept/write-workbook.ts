import { cellOf as typedCell, type ColumnKind } from '../new-list/workbook-cells';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { workbookFiles, type Cell } from '../../../../../src/platform/http/downloads/workbook-files';

/** Columns of a verdict that are not texts. */
const NUMBERS = ['score', 'smtp_code', 'retry_after'];
const FLAGS = ['disposable', 'role', 'free', 'catch_all'];

/** The next sheet begins between two batches. */
const BATCH_ROWS = 1_000;

/** @param batches the header, then the rows. @param kinds of the columns before those of the verdict. */
export async function writeWorkbook(
  batches: AsyncGenerator<string[][], void, undefined>,
  kinds: readonly ColumnKind[],
): Promise<Blob> {
  const { header, rows } = await headed(batches);
  const cellOf = (cell: string, at: number): Cell => {
    const name = header[at] ?? '';
    if (cell === '') return cell;
    const kind = kinds[at];
    if (kind !== undefined) return typedCell(cell, kind);
    if (NUMBERS.includes(name)) return Number(cell);
    return FLAGS.includes(name) ? cell === 'true' : cell;
  };
  async function* cells() {
    for await (const batch of rows)
      for (let from = 0; from < batch.length; from += BATCH_ROWS)
        yield batch.slice(from, from + BATCH_ROWS).map((row) => row.map(cellOf));
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const archive = new Zip((error, part) => {
    if (error !== null) throw error;
    parts.push(part);
  });
  for await (const { name, text } of workbookFiles(header, cells())) {
    const file = new ZipDeflate(name);
    archive.add(file);
    for await (const part of text) file.push(strToU8(part));
    file.push(new Uint8Array(), true);
  }
  archive.end();
  return new Blob(parts);
}

/** Takes the header from the first batch. */
async function headed(
  batches: AsyncGenerator<string[][], void, undefined>,
): Promise<{ header: string[]; rows: AsyncIterable<string[][]> }> {
  let first: string[][] = [];
  for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
    first = next.value;
    if (first.length > 0) break;
  }
  const [header = [], ...rest] = first;
  async function* rows() {
    yield rest;
    yield* batches;
  }
  return { header, rows: rows() };
}
