import { DAY_MS } from '../../../kernel/durations.js';
export type Cell = string | number | boolean | Date | null;

/** Excel has at most 1,048,576 rows in a sheet, and as many characters in a cell. */
const MAX_ROWS = 1_000_000;
const MAX_CHARACTERS = 32_767;
/** Of one sheet: Excel and the ZIP format without extensions have files of at most 4 GB. */
const MAX_SHEET_CHARACTERS = 1_000_000_000;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A file of the archive that a workbook is. */
interface WorkbookFile {
  name: string;
  text: AsyncIterable<string> | Iterable<string>;
}

/** Of a column, in characters. */
const WIDTHS = { least: 8, most: 60 };

/**
 * The files of an Excel workbook (ECMA-376), each of which is written while its rows are read. Each sheet begins
 * with the header, which has a filter; columns are as wide as the texts of the first rows. Texts are texts: a
 * spreadsheet runs none of them as a formula. A date is that of its UTC time.
 */
export async function* workbookFiles(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<WorkbookFile, void, undefined> {
  const source = batches[Symbol.asyncIterator]();
  let sheets = 0;
  let isDone = false;
  try {
    while (!isDone) {
      const text = sheet(header, source, () => (isDone = true));
      yield { name: `xl/worksheets/sheet${++sheets}.xml`, text };
    }
    for (const [name, text] of Object.entries(frame(sheets))) yield { name, text: [text] };
  } finally {
    await source.return?.();
  }
}

async function* sheet(
  header: readonly string[],
  source: AsyncIterator<readonly (readonly Cell[])[]>,
  onEnd: () => void,
): AsyncGenerator<string, void, undefined> {
  const columns = header.map((_, at) => columnName(at));
  // The first row stays visible.
  const view = '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView>';
  let next = await source.next();
  const cols = columnWidths(header, next.done === true ? [] : next.value);
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews>${cols}<sheetData>`;
  yield rowOf(header, columns, 1);
  let rows = 0;
  for (let characters = 0; ; next = await source.next()) {
    if (next.done === true) {
      onEnd();
      break;
    }
    const first = rows + 2;
    const text = next.value.map((row, at) => rowOf(row, columns, first + at)).join('');
    rows += next.value.length;
    characters += text.length;
    yield text;
    // The next batch begins another sheet.
    if (rows >= MAX_ROWS || characters >= MAX_SHEET_CHARACTERS) break;
  }
  const filter = columns.length > 0 ? `<autoFilter ref="A1:${columns.at(-1)}${rows + 1}"/>` : '';
  yield `</sheetData>${filter}</worksheet>`;
}

/** As wide as their longest texts, within bounds. */
function columnWidths(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const widths = header.map((name, at) => {
    const longest = rows.reduce((most, row) => Math.max(most, lengthOf(row[at] ?? null)), name.length);
    return Math.min(Math.max(longest + 2, WIDTHS.least), WIDTHS.most);
  });
  const cols = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  return cols.length > 0 ? `<cols>${cols.join('')}</cols>` : '';
}

const lengthOf = (cell: Cell) => (cell instanceof Date ? DATE_LENGTH : String(cell ?? '').length);
const DATE_LENGTH = 16;

/** `A`, …, `Z`, `AA`, … */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

const rowOf = (cells: readonly Cell[], columns: readonly string[], row: number) =>
  `<row r="${row}">${columns.map((column, at) => cellOf(cells[at] ?? null, `${column}${row}`)).join('')}</row>`;

function cellOf(cell: Cell, at: string): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (cell instanceof Date) return dateOf(cell, at);
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
  const text = escaped(cell.slice(0, MAX_CHARACTERS));
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** The day of 1970-01-01. */
const FIRST_DAY = 25_569;
/** In `STYLES`. */
const [DAY_STYLE, TIME_STYLE] = [1, 2];

function dateOf(date: Date, at: string): string {
  const days = date.getTime() / DAY_MS + FIRST_DAY;
  return `<c r="${at}" s="${Number.isInteger(days) ? DAY_STYLE : TIME_STYLE}"><v>${days}</v></c>`;
}

/** The formats 14 and 22 are a date, and a date with a time, as the reader's region writes them. */
const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>` +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** XML cannot contain the others, not even escaped; Office writes them as `_x0000_`. */
const SPECIAL = /[&<>\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_(?=x[\da-f]{4}_)/gi;

const escaped = (text: string) =>
  text.replace(SPECIAL, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return ENTITIES[character] ?? `_x${code}_`;
  });

/** The files around the sheets. */
function frame(sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const overrides = numbers
    .map((no) => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${PART}.worksheet+xml"/>`)
    .join('');
  const named = numbers.map(
    (no) => `<sheet name="Results${no === 1 ? '' : ` ${no}`}" sheetId="${no}" r:id="s${no}"/>`,
  );
  const related = numbers.map(
    (no) => `<Relationship Id="s${no}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${no}.xml"/>`,
  );
  related.push(`<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/>`);
  return {
    'xl/styles.xml': STYLES,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${related.join('')}</Relationships>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="w" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${PART}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${PART}.styles+xml"/>${overrides}</Types>`,
  };
}
