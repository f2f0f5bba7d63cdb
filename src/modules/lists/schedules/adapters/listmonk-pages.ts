import { setImmediate } from 'node:timers/promises';
import { RunFailure } from '../domain/failure.js';

/** A page of results, by its number from 1. */
export interface AskedPage {
  page: number;
  perPage: number;
}

/** Where the reading of pages goes on. */
export interface PagesPlace {
  /** The position of the last row that was found, from 0. */
  start: number;
  /** Its id; null: none was found. */
  lastId: number | null;
  /** Rows of a page that is full. */
  size: number;
  /** Of the ids; null: not known yet. */
  order: 'ascending' | 'descending' | null;
  /** The source sends pages of its own size, whatever is asked for. */
  isFixed: boolean;
}

export interface FoundRows<Row> {
  /** Each id once, over all pages. */
  rows: readonly Row[];
  /** After the last of these rows. */
  place: PagesPlace;
}

/** A page has more bytes than it may have. Smaller ones may not. */
export class PageTooLarge extends RunFailure {
  constructor() {
    super('too_large');
  }
}

/** Rows of consecutive positions: those of one page, or of two where pages cannot overlap. */
interface Span {
  /** The position of its first row. */
  start: number;
  length: number;
  pages: readonly AskedPage[];
}

/** What has come of a span. */
interface SentSpan<Row> {
  rows: readonly Row[];
  /** A page was not full, so that nothing came after it. */
  isShort: boolean;
}

/** Rows that are asked for at once. A source may send fewer. */
export const PAGE_ROWS = 250;
/** Smaller pages are not asked for where a page has too many bytes. */
const MIN_ROWS = 2;
/** Pages that are asked for before the one that is read has arrived. */
const AHEAD = 2;
/** Rows of a piece. */
const PIECE_ROWS = 1_000;
/** Times that a source may say that there is nothing more, although there is. */
const MAX_FALSE_ENDS = 5;

/**
 * Reads all pages of a list that is in the order of its ids, in either direction, without a cursor. No row that was
 * there all the time is missed, and none is found twice, although rows come and go meanwhile.
 *
 * Each span begins with a row that was found before: all rows between were found too, whenever the two were sent, because
 * both are consecutive rows in one order. If it does not, rows have been removed and those after them have moved forward:
 * the span before is read again. The end is a span without a row that is new, and with nothing after it. What the source
 * says about its number of rows is not used.
 *
 * Where pages cannot overlap, because the source has a size of its own or a tiny one, two are read in the place of one.
 * That holds while rows leave, and not if others join before them at the same moment.
 */
export class ListmonkPages<Row extends { id: number }> {
  private place: PagesPlace;
  /** Spans that were asked for, by their pages. */
  private readonly asked = new Map<string, Promise<SentSpan<Row>>>();
  /** Consecutive spans that did not begin with a row that was found. */
  private gaps = 0;
  private falseEnds = 0;
  /** Whether the last span was full, so that others come after it. */
  private isSteady = false;

  /** @param fetch throws PageTooLarge and RunFailure. @param place null: from the beginning. */
  constructor(
    private readonly fetch: (page: AskedPage) => Promise<readonly Row[]>,
    place: PagesPlace | null,
  ) {
    this.place = { ...(place ?? BEGINNING) };
  }

  /** @throws RunFailure */
  async *read(): AsyncGenerator<FoundRows<Row>, void> {
    for (let found = await this.next(); found !== null; found = await this.next()) {
      for (let from = 0; from < found.length; from += PIECE_ROWS) {
        const rows = found.slice(from, from + PIECE_ROWS);
        const left = found.length - from - rows.length;
        const { id: lastId } = rows.at(-1)!;
        yield { rows, place: { ...this.place, lastId, start: this.place.start - left } };
        await setImmediate();
      }
    }
  }

  /** The rows of the next span that are new, in order; null: there are no more. */
  private async next(): Promise<Row[] | null> {
    const { lastId } = this.place;
    const span = lastId === null ? first(this.place.size) : this.spanAt(this.place.start);
    const sent = await this.take(span);
    if (sent === null) return [];
    const { rows, isShort } = sent;
    if (lastId === null) {
      if (rows.length === 0) return null;
      const isFixed = rows.length > span.length;
      this.place = { ...this.place, size: rows.length, isFixed };
    } else if (rows.length > span.length) {
      this.askForOwnPages();
      return [];
    }
    this.learnOrder(rows);
    const begins = rows[0];
    if (lastId !== null && span.start > 0 && (begins === undefined || this.isNew(begins.id))) {
      this.stepBack(span);
      return [];
    }
    const found = rows.filter(({ id }, at) => this.isNew(id) && id !== rows[at - 1]?.id);
    if (found.length === 0) {
      if (begins === undefined || (isShort && (await this.isEnd(span, begins)))) return null;
    } else this.gaps = 0;
    this.isSteady = !isShort;
    const start = span.start + Math.max(rows.length - 1, 0);
    this.place = { ...this.place, start, lastId: found.at(-1)?.id ?? lastId };
    return found;
  }

  /** null: its pages have too many bytes, and smaller ones are asked for. */
  private async take(span: Span): Promise<SentSpan<Row> | null> {
    const sent = this.ask(span);
    for (let [ahead, at] = [0, span]; this.isSteady && ahead < AHEAD; ahead++) {
      at = this.spanAt(at.start + at.length - 1);
      void this.ask(at);
    }
    try {
      return await sent;
    } catch (error) {
      if (!(error instanceof PageTooLarge)) throw error;
      if (this.place.isFixed || this.place.size <= MIN_ROWS) throw new RunFailure('not_listmonk');
      const size = Math.max(MIN_ROWS, Math.floor(this.place.size / 5));
      this.replan({ size });
      return null;
    } finally {
      this.asked.delete(keyOf(span));
      // What is not next any more is not used.
      for (const key of [...this.asked.keys()].slice(0, -AHEAD)) this.asked.delete(key);
    }
  }

  private ask(span: Span): Promise<SentSpan<Row>> {
    const key = keyOf(span);
    const known = this.asked.get(key);
    if (known !== undefined) return known;
    const sent = this.sentOf(span);
    sent.catch(() => undefined);
    this.asked.set(key, sent);
    return sent;
  }

  /**
   * Of two pages the second one is asked for first: what has moved from it to the first one meanwhile is found there.
   */
  private async sentOf({ pages: [page, after] }: Span): Promise<SentSpan<Row>> {
    if (after === undefined) {
      const rows = await this.fetch(page!);
      return { rows, isShort: rows.length < page!.perPage };
    }
    const later = await this.fetch(after);
    const earlier = await this.fetch(page!);
    const [most, least] = [later.length, earlier.length].sort((one, other) => other - one);
    if (most! > after.perPage) throw new RunFailure('not_listmonk');
    // A source that sends the whole list as each page sends it twice.
    const isSame = later[0]?.id === earlier[0]?.id;
    const last = earlier.at(-1);
    const isAfter = ({ id }: Row) =>
      last !== undefined && (this.place.order === null ? id !== last.id : this.isBefore(last.id, id));
    return { rows: [...earlier, ...later.filter(isAfter)], isShort: least! < after.perPage || isSame };
  }

  /** The pages with the position `start`, the one after it, and as many others as possible. */
  private spanAt(start: number): Span {
    const { size, isFixed } = this.place;
    let perPage = size;
    if (!isFixed)
      for (let fewer = size - 1; fewer > covered(start, perPage); fewer--)
        if (covered(start, fewer) > covered(start, perPage)) perPage = fewer;
    if (covered(start, perPage) > 1) {
      const page = Math.floor(start / perPage);
      return { start: page * perPage, length: perPage, pages: [{ page: page + 1, perPage }] };
    }
    const page = Math.floor(start / size);
    const pages = [page + 1, page + 2].map((number) => ({ page: number, perPage: size }));
    return { start: page * size, length: 2 * size, pages };
  }

  private learnOrder(rows: readonly Row[]): void {
    const next = rows.findIndex(({ id }) => id !== rows[0]?.id);
    if (next > 0) this.place.order ??= rows[next]!.id > rows[0]!.id ? 'ascending' : 'descending';
    const isInOrder = rows.every(({ id }, at) => at === 0 || !this.isBefore(id, rows[at - 1]!.id));
    if (!isInOrder) throw new RunFailure('not_listmonk');
  }

  private isNew(id: number): boolean {
    return this.place.lastId === null || this.isBefore(this.place.lastId, id);
  }

  private isBefore(one: number, other: number): boolean {
    return this.place.order === 'descending' ? one > other : one < other;
  }

  private stepBack({ start }: Span): void {
    this.gaps++;
    if (this.gaps > 1 && !this.place.isFixed) return this.askForOwnPages();
    this.replan({ start: Math.max(0, start - this.place.size) });
  }

  /** The pages do not begin where they should: the source has a size of its own, which is that of the first page. */
  private askForOwnPages(): void {
    if (this.place.isFixed) throw new RunFailure('not_listmonk');
    this.gaps = 0;
    this.replan({ isFixed: true });
  }

  private replan(changed: Partial<PagesPlace>): void {
    this.place = { ...this.place, ...changed };
    this.isSteady = false;
    this.asked.clear();
  }

  /** Whether nothing comes after a span that was not full: a source may send less than there is. */
  private async isEnd({ pages }: Span, begins: Row): Promise<boolean> {
    const { page, perPage } = pages.at(-1)!;
    const after = await this.fetch({ page: page + 1, perPage }).catch((error: unknown) => {
      if (error instanceof PageTooLarge) return null;
      throw error;
    });
    if (after?.length === 0 || after?.[0]?.id === begins.id) return true;
    if (++this.falseEnds > MAX_FALSE_ENDS) throw new RunFailure('not_listmonk');
    this.asked.clear();
    return false;
  }
}

const BEGINNING: PagesPlace = {
  start: 0,
  lastId: null,
  size: PAGE_ROWS,
  order: null,
  isFixed: false,
};

const first = (perPage: number): Span => ({ start: 0, length: perPage, pages: [{ page: 1, perPage }] });

const keyOf = ({ pages }: Span) => JSON.stringify(pages);

/** The positions of the page of `start` from there on. */
function covered(start: number, perPage: number): number {
  return perPage - (start % perPage);
}
