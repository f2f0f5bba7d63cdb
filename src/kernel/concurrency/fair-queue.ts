/** `single`: a call that a client waits for. `list`: work in the background. */
type Priority = 'single' | 'list';

/** By which items are divided. */
export interface QueueKey {
  owner: string;
  priority: Priority;
}

/** After this many single calls in a row, a waiting list item is taken. */
const SINGLES_PER_LIST_ITEM = 3;

/**
 * A queue that is fair between owners: owners are served round-robin, so that one with a thousand items
 * does not delay one with a single item. Single calls come before list items, but every fourth take is
 * a list item, so that lists do not starve.
 */
export class FairQueue<T> {
  /** Owners in the order in which they are served. An owner without items has no entry. */
  private readonly waiting: Readonly<Record<Priority, Map<string, T[]>>> = {
    single: new Map(),
    list: new Map(),
  };
  private consecutiveSingles = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Whether a single call waits. */
  get hasSingles(): boolean {
    return this.waiting.single.size > 0;
  }

  /** The number of queued items of a key. */
  sizeOf({ owner, priority }: QueueKey): number {
    return this.waiting[priority].get(owner)?.length ?? 0;
  }

  add(key: QueueKey, item: T): void {
    this.itemsOf(key).push(item);
    this.count += 1;
  }

  /** Puts the item at the front of its owner's queue. */
  requeue(key: QueueKey, item: T): void {
    this.itemsOf(key).unshift(item);
    this.count += 1;
  }

  /** @param isEligible whether items of this key may be taken now; others keep their position. */
  dequeue(isEligible: (key: QueueKey) => boolean = () => true): T | null {
    const isListNext = this.consecutiveSingles >= SINGLES_PER_LIST_ITEM;
    for (const priority of isListNext ? (['list', 'single'] as const) : (['single', 'list'] as const)) {
      const item = this.dequeueOf(priority, isEligible);
      if (item === null) continue;
      const delaysList = priority === 'single' && this.waiting.list.size > 0;
      this.consecutiveSingles = delaysList ? this.consecutiveSingles + 1 : 0;
      return item;
    }
    return null;
  }

  dequeueAll(): T[] {
    const all: T[] = [];
    for (let item = this.dequeue(); item !== null; item = this.dequeue()) all.push(item);
    return all;
  }

  /** @returns false when the item is not queued. */
  remove({ owner, priority }: QueueKey, item: T): boolean {
    const items = this.waiting[priority].get(owner) ?? [];
    const index = items.indexOf(item);
    if (index === -1) return false;
    items.splice(index, 1);
    if (items.length === 0) this.waiting[priority].delete(owner);
    this.count -= 1;
    return true;
  }

  private dequeueOf(priority: Priority, isEligible: (key: QueueKey) => boolean): T | null {
    const owners = this.waiting[priority];
    for (const [owner, items] of owners) {
      if (!isEligible({ owner, priority })) continue;
      const item = items.shift();
      owners.delete(owner);
      if (items.length > 0) owners.set(owner, items);
      if (item === undefined) continue;
      this.count -= 1;
      return item;
    }
    return null;
  }

  private itemsOf({ owner, priority }: QueueKey): T[] {
    const items = this.waiting[priority].get(owner) ?? [];
    this.waiting[priority].set(owner, items);
    return items;
  }
}
