import { strFromU8, unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/web-worker';
import Papa from 'papaparse';
import { kindsOf, textOf, type WorkbookCell } from './workbook-cells';
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
  const hidden = hiddenSheets(new Uint8Array(await file.arrayBuffer()));
  const visible = sheets.filter((_, at) => !hidden.has(at));
  return (visible.length > 0 ? visible : sheets).map(({ sheet: name, data }) => {
    // The types of the reader name the class of dates instead of its instances.
    const cells = data as WorkbookCell[][];
    const rows = cells.map((row) => row.map(textOf));
    const addresses = rows.reduce((sum, row) => sum + row.filter((cell) => cell.includes('@')).length, 0);
    // All cells in quotes, so that no character of the first row is taken for the delimiter.
    const content = new Blob([Papa.unparse(rows, { quotes: true })], { type: 'text/csv' });
    return { name, content, addresses, kinds: kindsOf(cells) };
  });
}

const WORKBOOK = 'xl/workbook.xml';
const SHEET = /<(?:\w+:)?sheet\s[^>]*>/g;
const HIDDEN = /\sstate\s*=\s*["'](?:hidden|veryHidden)["']/;

/** The positions of the sheets that Excel does not show. */
function hiddenSheets(archive: Uint8Array): ReadonlySet<number> {
  const files = unzipSync(archive, { filter: ({ name }) => name === WORKBOOK });
  const tags = strFromU8(files[WORKBOOK] ?? new Uint8Array()).match(SHEET) ?? [];
  return new Set(tags.flatMap((tag, at) => (HIDDEN.test(tag) ? at : [])));
}
