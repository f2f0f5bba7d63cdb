import readWorkbook from 'read-excel-file/web-worker';
import Papa from 'papaparse';
import type { Sheet } from './workbook';

/** Reads workbooks beside the page, which stays responsive. */
addEventListener('message', ({ data }: MessageEvent<File>) => {
  read(data).then(
    (result) => postMessage({ result }),
    (error: Error) => postMessage({ error: error.message }),
  );
});

async function read(file: File): Promise<Sheet[]> {
  const sheets = await readWorkbook(file);
  return sheets.map(({ sheet: name, data }) => {
    const rows = data.map((row) =>
      row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))),
    );
    const addresses = rows.reduce((sum, row) => sum + row.filter((cell) => cell.includes('@')).length, 0);
    // All cells in quotes, so that no character of the first row is taken for the delimiter.
    const content = new Blob([Papa.unparse(rows, { quotes: true })], { type: 'text/csv' });
    return { name, content, addresses };
  });
}
