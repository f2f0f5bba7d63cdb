/** A queue in which owners take turns: who brings a thousand things waits for nobody else's one. */
export class FairQueue<T> {
  /** In the order of their turns; nobody is here without something that waits. */
  private readonly waiting = new Map<string, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(owner: string, item: T): void {
    this.of(owner).push(item);
    this.count += 1;
  }

  /** Back to where it came from: it is its owner's next. */
  putBack(owner: string, item: T): void {
    this.of(owner).unshift(item);
    this.count += 1;
  }

  take(): T | null {
    for (const [owner, items] of this.waiting) {
      const item = items.shift();
      this.waiting.delete(owner);
      if (items.length > 0) this.waiting.set(owner, items);
      if (item === undefined) continue;
      this.count -= 1;
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
  remove(owner: string, item: T): boolean {
    const items = this.waiting.get(owner) ?? [];
    const index = items.indexOf(item);
    if (index === -1) return false;
    items.splice(index, 1);
    if (items.length === 0) this.waiting.delete(owner);
    this.count -= 1;
    return true;
  }

  private of(owner: string): T[] {
    const items = this.waiting.get(owner) ?? [];
    this.waiting.set(owner, items);
    return items;
  }
}
