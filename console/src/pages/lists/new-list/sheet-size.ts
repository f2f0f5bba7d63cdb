/** As the service has it; the reader of workbooks makes a cell for each column of each row, also of those without one. */
const MAX_COLUMNS = 1_000;
/** Of a sheet in Excel. */
const MAX_ROWS = 1_048_576;
const MAX_CELLS = 10_000_000;
const PIECE_BYTES = 1_000_000;
/** Of the attributes of a row or a cell; programs write less than a tenth. */
const MAX_TAG_LENGTH = 2_000;
const TAG = /<(?:[\w.-]{1,40}:)?(c|row)(?=\s)/g;
const ATTRIBUTE = /\s*([\w:.-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const COORDINATES = /^([A-Z]{0,3})(\d{1,7})$/;

/** A sheet has too many columns or cells to be read in a browser. */
export class SheetTooLarge extends Error {
  constructor() {
    super('sheetTooLarge');
  }
}

/**
 * Checks the files of a workbook before it is read: one cell may be at `XFD1048576`. Any of them may be a sheet.
 *
 * @throws SheetTooLarge
 */
export function checkSheets(files: Readonly<Record<string, Uint8Array>>): void {
  for (const bytes of Object.values(files)) checkSheet(bytes);
}

function checkSheet(bytes: Uint8Array): void {
  const decoder = new TextDecoder('latin1');
  let columns = 0;
  let rows = 0;
  let rest = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    const text = rest + decoder.decode(bytes.subarray(from, from + PIECE_BYTES));
    const isLast = from + PIECE_BYTES >= bytes.length;
    // A tag that begins behind it may go on in the next piece.
    const whole = isLast ? text.length : text.length - MAX_TAG_LENGTH;
    let end = Math.max(0, whole);
    for (const { index, 0: start, 1: tag } of text.matchAll(TAG)) {
      if (index >= whole) {
        end = index;
        break;
      }
      const place = placeIn(text.slice(index + start.length, index + start.length + MAX_TAG_LENGTH));
      if (place === null) continue;
      const [, letters, digits] = COORDINATES.exec(place) ?? [];
      if (letters === undefined || (tag === 'c') !== (letters !== '')) throw new SheetTooLarge();
      columns = Math.max(columns, numberOf(letters));
      rows = Math.max(rows, Number(digits));
      if (columns > MAX_COLUMNS || rows > MAX_ROWS || columns * rows > MAX_CELLS) throw new SheetTooLarge();
    }
    rest = text.slice(end);
  }
}

/** @returns the attribute `r`; null: there is none. */
function placeIn(attributes: string): string | null {
  ATTRIBUTE.lastIndex = 0;
  let end = 0;
  for (let match = ATTRIBUTE.exec(attributes); match !== null; match = ATTRIBUTE.exec(attributes)) {
    if (match[1] === 'r') return match[2] ?? match[3] ?? '';
    end = ATTRIBUTE.lastIndex;
  }
  if (end === 0 || /^\s*\/?>/.test(attributes.slice(end))) return null;
  throw new SheetTooLarge();
}

/** `A` is 1, `AA` is 27. */
function numberOf(letters: string): number {
  return [...letters].reduce((number, letter) => 26 * number + letter.charCodeAt(0) - 64, 0);
}
