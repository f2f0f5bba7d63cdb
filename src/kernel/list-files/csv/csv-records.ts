import { greatest } from '../../long-lists.js';
import { isEndOfFile } from '../../text/end-of-file.js';
import { areCells, type DividedRows } from './divided-rows.js';

/** A record of a CSV that is no empty line, and no mark of the end of the file. */
export interface CsvRecord {
  cells: string[];
  /** Where it begins, from 1. */
  line: number;
  /** A cell in quotation marks may have several. */
  lines: number;
  /** The cells of its only cell, if that is in quotation marks; missing: it has none. */
  parts?: string[];
}

export interface CsvFormat {
  /** One character. */
  delimiter: string;
  /** Whether a quotation mark at the beginning of a cell encloses it. */
  hasQuotes: boolean;
  /** Of a record, in characters; `MAX_RECORD_LENGTH` unless stated. */
  maxLength?: number;
  /** Which records of one cell in quotation marks are divided; null: none. */
  divided?: DividedRows | null;
}

export type CsvFaultKind = 'open_quote' | 'long_record';

/** A record that cannot be read. */
export class CsvFault extends Error {
  constructor(
    readonly kind: CsvFaultKind,
    /** Where the record begins, from 1. */
    readonly line: number,
    /** The cell that was read, from 0. */
    readonly column: number,
    /** Whether this cell begins with a quotation mark. */
    readonly isQuoted: boolean,
  ) {
    super(`Line ${line}, cell ${column + 1}: ${kind}`);
  }
}

/** Of a record, in characters. */
export const MAX_RECORD_LENGTH = 32_768;
const QUOTE = '"';
const NOTHING = Infinity;
/** More text is needed. */
const INCOMPLETE = -1;
/** A quotation mark closes no cell. */
const CLOSES_NONE = -2;

interface QuotedCell {
  text: string;
  /** Where its delimiter, its line break, or the end of the text is. */
  end: number;
}

/**
 * Reads the records of a CSV (RFC 4180) that arrives in pieces, in linear time and with the memory of a piece and
 * a record. Quotation marks that RFC 4180 does not allow are read as spreadsheets read them:
 *
 * - Spaces before a cell in quotes, and behind it, are ignored.
 * - A quotation mark inside a cell is a part of it, as is `\"`.
 * - A cell that begins with a quotation mark, and has no other one in front of a delimiter or line break
 *   (`"B" Street`), is a cell without quotes.
 */
export class CsvRecords {
  /** What has not been read, from the beginning of a record. */
  private rest = '';
  /** The length of `rest` at which reading it again is worth it: pieces may have one character each. */
  private wanted = 0;
  private line = 1;
  /** Behind the records that were returned. */
  private fault: CsvFault | null = null;
  private cells: string[] = [];
  /** Whether the cell behind `cells` begins with a quotation mark. */
  private isQuoted = false;
  /** Whether quotation marks enclose the last one of `cells`. */
  private isEnclosed = false;
  /** No quotation mark before this place closes a cell. */
  private openUntil = 0;
  /** Reads the cells of a cell. */
  private inner: CsvRecords | null = null;
  private readonly special: RegExp;
  private readonly maxLength: number;

  /** @param isInner whether the text is a cell. */
  constructor(
    private readonly format: CsvFormat,
    private readonly isInner = false,
  ) {
    this.maxLength = format.maxLength ?? MAX_RECORD_LENGTH;
    this.special = new RegExp(`[${format.delimiter.replace(/[\\^\]-]/, '\\$&')}\\r\\n]`, 'g');
  }

  /** @returns the records that are complete. @throws CsvFault */
  push(text: string): CsvRecord[] {
    if (this.fault !== null) throw this.fault;
    this.rest += text;
    return this.rest.length < this.wanted ? [] : this.read(false);
  }

  /** @returns the last records. @throws CsvFault */
  end(): CsvRecord[] {
    return this.read(true);
  }

  /** Records in front of a fault are returned first. */
  private read(isEnd: boolean): CsvRecord[] {
    if (this.fault !== null) throw this.fault;
    const records: CsvRecord[] = [];
    try {
      this.readInto(records, isEnd);
    } catch (error) {
      if (!(error instanceof CsvFault) || records.length === 0) throw error;
      this.fault = error;
    }
    return records;
  }

  private readInto(records: CsvRecord[], isEnd: boolean): void {
    const text = this.rest;
    let [lineFeed, carriageReturn, quote] = [-1, -1, this.format.hasQuotes ? -1 : NOTHING];
    let at = 0;
    while (at < text.length) {
      if (lineFeed < at) lineFeed = found(text, '\n', at);
      if (carriageReturn < at) carriageReturn = found(text, '\r', at);
      if (quote < at) quote = found(text, QUOTE, at);
      let end = Math.min(lineFeed, carriageReturn);
      if (quote < end) {
        end = this.quotedRecord(text, at, isEnd);
        if (end === INCOMPLETE) break;
      } else {
        if (end === NOTHING && isEnd) end = text.length;
        if (end === NOTHING) break;
        this.cells = end === at ? [] : text.slice(at, end).split(this.format.delimiter);
      }
      // A line feed that belongs to it may follow.
      if (text[end] === '\r' && end + 1 === text.length && !isEnd) break;
      if (end - at > this.maxLength) throw this.faultIn('long_record', this.longestCell());
      const lines = 1 + (quote < end ? breaksIn(text, at, end) : 0);
      if (end > at && !this.isEndOfFile()) records.push(this.recordOf(lines, quote < end));
      this.line += lines;
      at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    }
    this.rest = text.slice(at);
    if (this.rest.length > this.maxLength) {
      this.quotedRecord(this.rest, 0, false);
      throw this.faultIn('long_record', this.cells.length);
    }
    this.wanted = 2 * this.rest.length;
  }

  private isEndOfFile(): boolean {
    return this.cells.length === 1 && isEndOfFile(this.cells[0] ?? '');
  }

  private recordOf(lines: number, mayBeOneCell: boolean): CsvRecord {
    const { cells, line } = this;
    const { divided = null } = this.format;
    const parts = mayBeOneCell && cells.length === 1 && this.isEnclosed ? this.partsOf(cells[0] ?? '') : null;
    if (parts === null) return { cells, line, lines };
    return divided !== null && areCells(parts, divided)
      ? { cells: parts, line, lines }
      : { cells, line, lines, parts };
  }

  /** The cells of a cell; null: it has one, or several lines. */
  private partsOf(cell: string): string[] | null {
    if (this.isInner || !cell.includes(this.format.delimiter) || /[\r\n]/.test(cell)) return null;
    this.inner ??= new CsvRecords(this.format, true);
    const [record] = [...this.inner.push(cell), ...this.inner.end()];
    return record === undefined || record.cells.length < 2 ? null : record.cells;
  }

  /** Reads a record into `cells`. @returns the place of its line break, or the end of the text; or INCOMPLETE. */
  private quotedRecord(text: string, from: number, isEnd: boolean): number {
    this.cells = [];
    this.openUntil = 0;
    for (let at = from; ; at++) {
      const start = this.afterPadding(text, at);
      this.isQuoted = this.format.hasQuotes && text[start] === QUOTE;
      const cell = this.isQuoted ? this.quotedCell(text, start, isEnd) : null;
      if (cell === INCOMPLETE) return INCOMPLETE;
      const end = cell === null ? this.endOfCell(text, at) : cell.end;
      if (end === text.length && !isEnd) return INCOMPLETE;
      this.isEnclosed = cell !== null;
      this.cells.push(cell === null ? text.slice(at, end) : cell.text);
      if (text[end] !== this.format.delimiter) return end;
      at = end;
    }
  }

  /** @returns null: its quotation mark encloses no cell. */
  private quotedCell(text: string, open: number, isEnd: boolean): QuotedCell | null | typeof INCOMPLETE {
    /** Whether it has a quotation mark that is not doubled. */
    let isStray = false;
    let hasBackslashes = false;
    for (let at = open + 1; ;) {
      const quote = found(text, QUOTE, at);
      const until = Math.min(quote, text.length);
      if (isStray && ((isEnd && quote === NOTHING) || breaksIn(text, at, until) > 0)) {
        return this.openUpTo(until);
      }
      if (quote === NOTHING) {
        if (!isEnd) return INCOMPLETE;
        // An error for each cell would cost more than reading it.
        if (this.isInner) return null;
        throw this.faultIn('open_quote', this.cells.length);
      }
      at = quote + 1;
      const isBackslashed = text[quote - 1] === '\\' && quote - 1 > open;
      if (isBackslashed && hasBackslashes) continue;
      const isDoubled = text[at] === QUOTE;
      const end = this.closesAt(text, isDoubled ? at + 1 : at, isEnd);
      if (end === INCOMPLETE) return INCOMPLETE;
      const before = text[quote - 1] ?? '';
      const opensCell = before === this.format.delimiter || before === '\n' || before === '\r';
      if (isDoubled) {
        at++;
        if (end === CLOSES_NONE || !(isStray || isBackslashed)) continue;
        if (opensCell) return isStray ? this.openUpTo(quote) : null;
        return { text: contentOf(text.slice(open + 1, at - 1), hasBackslashes || isBackslashed), end };
      }
      if (end !== CLOSES_NONE) return { text: contentOf(text.slice(open + 1, quote), hasBackslashes), end };
      // The cell before has no end, if another one begins here.
      if (opensCell || (!isStray && quote < this.openUntil)) return isStray ? this.openUpTo(quote) : null;
      isStray = true;
      hasBackslashes ||= isBackslashed;
    }
  }

  /** No cell is enclosed whose text has its first stray quotation mark before this place. @returns null */
  private openUpTo(place: number): null {
    this.openUntil = Math.max(this.openUntil, place);
    return null;
  }

  /** @returns the end of a cell that a quotation mark before this place closes; CLOSES_NONE; INCOMPLETE. */
  private closesAt(text: string, after: number, isEnd: boolean): number {
    const at = this.afterPadding(text, after);
    if (at >= text.length) return isEnd ? text.length : INCOMPLETE;
    const character = text[at];
    return character === this.format.delimiter || character === '\n' || character === '\r' ? at : CLOSES_NONE;
  }

  private afterPadding(text: string, from: number): number {
    let at = from;
    while ((text[at] === ' ' || text[at] === '\t') && text[at] !== this.format.delimiter) at++;
    return at;
  }

  private endOfCell(text: string, from: number): number {
    this.special.lastIndex = from;
    return this.special.exec(text)?.index ?? text.length;
  }

  private longestCell(): number {
    const lengths = this.cells.map((cell) => cell.length);
    return lengths.indexOf(greatest(lengths));
  }

  private faultIn(kind: CsvFaultKind, column: number): CsvFault {
    return new CsvFault(kind, this.line, column, this.isQuoted && column === this.cells.length);
  }
}

function found(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? NOTHING : at;
}

function contentOf(text: string, hasBackslashes: boolean): string {
  if (!text.includes(QUOTE)) return text;
  return (hasBackslashes ? text.replaceAll('\\"', '"') : text).replaceAll('""', '"');
}

/** The number of line breaks. */
function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}
