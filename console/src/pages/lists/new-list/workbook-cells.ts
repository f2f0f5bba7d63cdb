/** A cell as the reader of workbooks has it. */
export type WorkbookCell = string | number | boolean | Date | null | undefined;

/** What the cells of a column are beside texts. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'date';

const SECOND_MS = 1_000;
/** Times without a day are those of the first day that a workbook can have. */
const FIRST_DAY = Date.UTC(1900, 0, 1);
const TRUE = 'TRUE';
const FALSE = 'FALSE';
const DATE = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/** The text of a cell, of which `cellOf` makes the same cell. */
export function textOf(cell: WorkbookCell): string {
  if (cell instanceof Date) return textOfDate(cell);
  if (typeof cell === 'boolean') return cell ? TRUE : FALSE;
  return String(cell ?? '');
}

/** A workbook stores dates as fractions of days, which are off by less than a second. */
function textOfDate(date: Date): string {
  const rounded = new Date(Math.round(date.getTime() / SECOND_MS) * SECOND_MS);
  if (Number.isNaN(rounded.getTime())) return '';
  const [day = '', time = ''] = rounded.toISOString().slice(0, 19).split('T');
  if (rounded.getTime() < FIRST_DAY) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}

/** A column with texts that look like its other cells has texts only, so that none of them is changed. */
export function kindsOf(rows: readonly (readonly WorkbookCell[])[]): ColumnKind[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, at) => {
    const cells = rows.map((row) => row[at]);
    const kinds = new Set(cells.map(kindOf));
    const [kind, ...others] = [...kinds].filter((each) => each !== 'text');
    if (kind === undefined || others.length > 0) return 'text';
    const isText = (cell: WorkbookCell) => typeof cell === 'string' && cellOf(cell, kind) !== cell;
    return cells.some(isText) ? 'text' : kind;
  });
}

function kindOf(cell: WorkbookCell): ColumnKind {
  if (cell instanceof Date) return 'date';
  return typeof cell === 'number' || typeof cell === 'boolean'
    ? (typeof cell as 'number' | 'boolean')
    : 'text';
}

/** The cell of a text in a column of a kind; another text, such as the name of the column, is a text. */
export function cellOf(text: string, kind: ColumnKind): string | number | boolean | Date {
  if (kind === 'number' && text !== '' && String(Number(text)) === text) return Number(text);
  if (kind === 'boolean' && (text === TRUE || text === FALSE)) return text === TRUE;
  if (kind === 'date' && DATE.test(text))
    return new Date(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`);
  return text;
}
