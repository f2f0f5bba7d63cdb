import { strToU8, Zip, ZipDeflate } from 'fflate';
import { workbookFiles, type Cell } from '../../../../../src/platform/http/downloads/workbook-files';

/** Columns of a verdict that are not texts. */
const NUMBERS = ['score', 'smtp_code', 'retry_after'];
const FLAGS = ['disposable', 'role', 'free', 'catch_all'];

/** The next sheet begins between two batches. */
const BATCH_ROWS = 1_000;

/** @param batches the header, then the rows. @param width the number of cells before those of the verdict. */
export async function writeWorkbook(
  batches: AsyncGenerator<string[][], void, undefined>,
  width: number,
): Promise<Blob> {
  const first = await batches.next();
  const [header = []] = first.value ?? [];
  const cellOf = (cell: string, at: number): Cell => {
    const name = header[at] ?? '';
    if (at < width || cell === '') return cell;
    if (NUMBERS.includes(name)) return Number(cell);
    return FLAGS.includes(name) ? cell === 'true' : cell;
  };
  async function* cells() {
    for await (const rows of batches)
      for (let from = 0; from < rows.length; from += BATCH_ROWS)
        yield rows.slice(from, from + BATCH_ROWS).map((row) => row.map(cellOf));
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
