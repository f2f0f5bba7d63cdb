/** `single`: a call that a client waits for. `list`: a row of a list, or work in the background. */
export type Priority = 'single' | 'list';

/** Who makes a request: shared resources are divided by team and priority. */
export interface Requester {
  /** A team's id; '' without an account, as on the command line. */
  team: string;
  priority: Priority;
}

/** The map key of a requester. */
export function keyOf({ team, priority }: Requester): string {
  return `${priority} ${team}`;
}

/** After this many single calls in a row, a waiting list item is dequeued. */
const SINGLES_PER_LIST_ITEM = 3;

/**
 * A queue that is fair between teams: teams are served round-robin, so that one with a thousand items
 * does not delay one with a single item. Single calls come before list items, but every fourth item is
 * a list item, so that lists do not starve.
 */
export class FairQueue<T> {
  /** Teams in the order in which they are served. A team without items has no entry. */
  private readonly waiting: Readonly<Record<Priority, Map<string, T[]>>> = {
    single: new Map(),
    list: new Map(),
  };
  private consecutiveSingles = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  get hasSingles(): boolean {
    return this.waiting.single.size > 0;
  }

  sizeOf({ team, priority }: Requester): number {
    return this.waiting[priority].get(team)?.length ?? 0;
  }

  add(key: Requester, item: T): void {
    this.itemsOf(key).push(item);
    this.count += 1;
  }

  /** Puts the item at the front of its team's queue. */
  requeue(key: Requester, item: T): void {
    this.itemsOf(key).unshift(item);
    this.count += 1;
  }

  /** @param isEligible whether items of this key may be dequeued now; others keep their position. */
  dequeue(isEligible: (key: Requester) => boolean = () => true): T | null {
    for (const priority of this.order()) {
      const item = this.dequeueOf(priority, isEligible);
      if (item === null) continue;
      const delaysList = priority === 'single' && this.waiting.list.size > 0;
      this.consecutiveSingles = delaysList ? this.consecutiveSingles + 1 : 0;
      return item;
    }
    return null;
  }

  /** The key whose item would be dequeued next; null: none is eligible. */
  nextKey(isEligible: (key: Requester) => boolean = () => true): Requester | null {
    for (const priority of this.order())
      for (const team of this.waiting[priority].keys())
        if (isEligible({ team, priority })) return { team, priority };
    return null;
  }

  dequeueAll(): T[] {
    const all: T[] = [];
    for (let item = this.dequeue(); item !== null; item = this.dequeue()) all.push(item);
    return all;
  }

  /** @returns false when the item is not queued. */
  remove({ team, priority }: Requester, item: T): boolean {
    const items = this.waiting[priority].get(team) ?? [];
    const index = items.indexOf(item);
    if (index === -1) return false;
    items.splice(index, 1);
    if (items.length === 0) this.waiting[priority].delete(team);
    this.count -= 1;
    return true;
  }

  private order(): readonly Priority[] {
    const isListNext = this.consecutiveSingles >= SINGLES_PER_LIST_ITEM;
    return isListNext ? ['list', 'single'] : ['single', 'list'];
  }

  private dequeueOf(priority: Priority, isEligible: (key: Requester) => boolean): T | null {
    const teams = this.waiting[priority];
    for (const [team, items] of teams) {
      if (!isEligible({ team, priority })) continue;
      const item = items.shift();
      teams.delete(team);
      if (items.length > 0) teams.set(team, items);
      if (item === undefined) continue;
      this.count -= 1;
      return item;
    }
    return null;
  }

  private itemsOf({ team, priority }: Requester): T[] {
    const items = this.waiting[priority].get(team) ?? [];
    this.waiting[priority].set(team, items);
    return items;
  }
}
