import type { Priority, Requester } from '../domain/requester.js';

/** After this many single calls in a row, a row of a list that waits is taken. */
const SINGLES_PER_ROW = 3;

/**
 * A queue that is fair by owner: who brings a thousand things waits for nobody else's one.
 * Single calls come before rows of lists, except that every fourth take is a row's, so that
 * no list waits for ever.
 */
export class FairQueue<T> {
  /** Owners in the order in which they are next; nobody is here without something that waits. */
  private readonly waiting: Readonly<Record<Priority, Map<string, T[]>>> = {
    single: new Map(),
    list: new Map(),
  };
  private singlesInARow = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** How much a requester has waiting here. */
  sizeOf({ owner, priority }: Requester): number {
    return this.waiting[priority].get(owner)?.length ?? 0;
  }

  add(requester: Requester, item: T): void {
    this.of(requester).push(item);
    this.count += 1;
  }

  /** Back to where it came from: it is its owner's next. */
  putBack(requester: Requester, item: T): void {
    this.of(requester).unshift(item);
    this.count += 1;
  }

  /** @param mayTake whose things may be taken now; the others keep their place. */
  take(mayTake: (requester: Requester) => boolean = () => true): T | null {
    const isRowNext = this.singlesInARow >= SINGLES_PER_ROW;
    for (const priority of isRowNext ? (['list', 'single'] as const) : (['single', 'list'] as const)) {
      const item = this.takeOf(priority, mayTake);
      if (item === null) continue;
      const isBeforeARow = priority === 'single' && this.waiting.list.size > 0;
      this.singlesInARow = isBeforeARow ? this.singlesInARow + 1 : 0;
      return item;
    }
    return null;
  }

  takeAll(): T[] {
    const all: T[] = [];
    for (let item = this.take(); item !== null; item = this.take()) all.push(item);
    return all;
  }

  /** @returns false when it does not wait here. */
  remove({ owner, priority }: Requester, item: T): boolean {
    const items = this.waiting[priority].get(owner) ?? [];
    const index = items.indexOf(item);
    if (index === -1) return false;
    items.splice(index, 1);
    if (items.length === 0) this.waiting[priority].delete(owner);
    this.count -= 1;
    return true;
  }

  private takeOf(priority: Priority, mayTake: (requester: Requester) => boolean): T | null {
    const owners = this.waiting[priority];
    for (const [owner, items] of owners) {
      if (!mayTake({ owner, priority })) continue;
      const item = items.shift();
      owners.delete(owner);
      if (items.length > 0) owners.set(owner, items);
      if (item === undefined) continue;
      this.count -= 1;
      return item;
    }
    return null;
  }

  private of({ owner, priority }: Requester): T[] {
    const items = this.waiting[priority].get(owner) ?? [];
    this.waiting[priority].set(owner, items);
    return items;
  }
}
