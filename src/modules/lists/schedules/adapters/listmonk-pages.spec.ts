import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { ListmonkPages, type AskedPage, type PagesPlace } from './listmonk-pages.js';

interface Row {
  id: number;
}

/** A source of rows by page. Each request sees the rows of the moment at which it is answered. */
class Source {
  requests = 0;
  most = 0;
  private open = 0;
  /** Called before each answer, with its number from 1. */
  before: (request: number) => void = () => undefined;
  /** Of a page. */
  cut: (asked: AskedPage) => { from: number; to: number } = ({ page, perPage }) => ({
    from: (page - 1) * perPage,
    to: page * perPage,
  });
  answers: () => Promise<unknown> = () => setImmediate();

  constructor(public rows: Row[]) {}

  fetch = async (asked: AskedPage): Promise<Row[]> => {
    const number = ++this.requests;
    this.most = Math.max(this.most, ++this.open);
    await this.answers();
    this.open--;
    this.before(number);
    const { from, to } = this.cut(asked);
    return this.rows.slice(from, to);
  };

  remove(from: number, count: number): void {
    this.rows.splice(from, count);
  }
}

/** Later than what is done between two requests. */
async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

const upTo = (count: number, from = 1): Row[] => Array.from({ length: count }, (_, n) => ({ id: from + n }));

async function idsFrom(source: Source, place: PagesPlace | null = null): Promise<number[]> {
  const found: number[] = [];
  for await (const { rows } of new ListmonkPages<Row>(source.fetch, place).read())
    found.push(...rows.map(({ id }) => id));
  return found;
}

const SIZES = [0, 1, 2, 3, 4, 5, 7, 50, 249, 250, 251, 499, 500, 501, 1_000, 2_000, 2_003];

describe('pages', () => {
  it.each(SIZES)('of %i rows are read to their end, each row once, in both orders', async (count) => {
    const source = new Source(upTo(count));
    expect(await idsFrom(source)).toEqual(upTo(count).map(({ id }) => id));
    const reversed = new Source(upTo(count).reverse());
    expect(await idsFrom(reversed)).toEqual(
      upTo(count)
        .reverse()
        .map(({ id }) => id),
    );
  });

  it.each(SIZES)('have each of %i rows once, however often a row is sent', async (count) => {
    const source = new Source(upTo(count).flatMap((row) => [row, row, row]));
    expect(await idsFrom(source)).toEqual(upTo(count).map(({ id }) => id));
  });

  it.each([1, 2, 3, 7, 20, 50, 100])(
    'are read to their end where the source has at most %i rows of a page',
    async (cap) => {
      for (const count of [0, 1, cap - 1, cap, cap + 1, 2 * cap, 101, 503]) {
        const source = new Source(upTo(count));
        source.cut = ({ page, perPage }) => {
          const size = Math.min(perPage, cap);
          return { from: (page - 1) * size, to: page * size };
        };
        expect(await idsFrom(source)).toHaveLength(count);
      }
    },
  );

  it.each([1, 3, 100, 250, 251, 1_000, 5_000])(
    'are read to their end where the source has pages of %i rows, whatever is asked for',
    async (size) => {
      for (const count of [0, 1, size - 1, size, size + 1, 2 * size, 1_003]) {
        const source = new Source(upTo(count));
        source.cut = ({ page }) => ({ from: (page - 1) * size, to: page * size });
        expect(await idsFrom(source)).toHaveLength(count);
      }
    },
  );

  it('of which each is the whole list are read once', async () => {
    const source = new Source(upTo(5_000));
    source.cut = () => ({ from: 0, to: 5_000 });
    expect(await idsFrom(source)).toHaveLength(5_000);
    expect(source.requests).toBeLessThan(10);
  });

  it('in no order are none', async () => {
    const source = new Source(upTo(600).map(({ id }) => ({ id: (id * 7919) % 601 })));
    await expect(idsFrom(source)).rejects.toMatchObject({ code: 'not_listmonk' });
  });

  it('arrive in pieces of at most a thousand rows', async () => {
    const source = new Source(upTo(10_000));
    source.cut = ({ page }) => ({ from: (page - 1) * 10_000, to: page * 10_000 });
    for await (const { rows } of new ListmonkPages<Row>(source.fetch, null).read())
      expect(rows.length).toBeLessThanOrEqual(1_000);
  });

  it('miss nobody who was there all the time, while many leave and join at any moment', async () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let turn = 0; turn < 300; turn++) {
      const count = 1 + random(1_500);
      const all = upTo(count).map(({ id }) => ({ id: 2 * id }));
      if (turn % 2 === 1) all.reverse();
      const source = new Source([...all]);
      const own = [250, 1 + random(60), 1 + random(300)][turn % 3] ?? 250;
      if (turn % 3 === 1)
        source.cut = ({ page, perPage }) => {
          const size = Math.min(perPage, own);
          return { from: (page - 1) * size, to: page * size };
        };
      if (turn % 3 === 2) source.cut = ({ page }) => ({ from: (page - 1) * own, to: page * own });
      const gone = new Set<number>();
      let changes = 8;
      source.before = () => {
        if (random(3) > 0 || changes-- <= 0) return;
        const removed = source.rows.splice(random(source.rows.length + 1), random(400));
        for (const { id } of removed) gone.add(id);
        // Tiny pages, and those of a size of the source, cannot overlap.
        if (own < 20 || turn % 3 === 2 || random(4) > 0) return;
        const direction = turn % 2 === 1 ? -1 : 1;
        const joined = Array.from({ length: random(40) }, () => ({ id: 1 + 2 * random(count) }));
        const byId = new Map([...source.rows, ...joined].map((row) => [row.id, row]));
        source.rows = [...byId.values()].sort((one, other) => direction * (one.id - other.id));
      };
      const found = await idsFrom(source);
      expect(new Set(found).size).toBe(found.length);
      const stayed = all.map(({ id }) => id).filter((id) => !gone.has(id));
      const missed = stayed.filter((id) => !found.includes(id));
      expect({ turn, missed }).toEqual({ turn, missed: [] });
    }
  });

  it('go on at the place where another process has left them', async () => {
    const source = new Source(upTo(2_000));
    const found: number[] = [];
    let place: PagesPlace | null = null;
    for (let goesOn = true; goesOn;) {
      goesOn = false;
      const stored = JSON.parse(JSON.stringify(place)) as PagesPlace | null;
      for await (const piece of new ListmonkPages<Row>(source.fetch, stored).read()) {
        found.push(...piece.rows.map(({ id }) => id));
        ({ place } = piece);
        source.remove(0, 5);
        goesOn = true;
        break;
      }
    }
    expect(found).toEqual(upTo(2_000).map(({ id }) => id));
  });

  it('of a million rows, 50 of a page, take a third of the time that they take one after the other', async () => {
    const source = new Source(upTo(1_000_000));
    source.cut = ({ page, perPage }) => {
      const size = Math.min(perPage, 50);
      return { from: (page - 1) * size, to: page * size };
    };
    // An answer takes 200 ms, which are one step. All requests that are open at that time are answered with it.
    let steps = 0;
    let next: Promise<unknown> | null = null;
    source.answers = () =>
      (next ??= afterTurns(20).then(() => {
        steps++;
        next = null;
      }));
    let last = 0;
    let isInOrder = true;
    for await (const { rows } of new ListmonkPages<Row>(source.fetch, null).read())
      for (const { id } of rows) {
        isInOrder &&= id === last + 1;
        last = id;
      }
    expect({ last, isInOrder, most: source.most }).toEqual({ last: 1_000_000, isInOrder: true, most: 3 });
    expect(source.requests).toBeLessThan(25_000);
    expect(steps).toBeLessThan(9_000);
  }, 60_000);
});
