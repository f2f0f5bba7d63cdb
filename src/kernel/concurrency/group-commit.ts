interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Group commit: one commit per key runs at a time, and includes all items that were added while the
 * previous one ran.
 */
export class GroupCommit<Item, Outcome> {
  /** Keys with a running commit, and the items that wait for the next one. */
  private readonly waiting = new Map<string, Waiting<Item, Outcome>[]>();

  /** @param commit items of one key, in the order in which they were added → an outcome for each. */
  constructor(private readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>) {}

  /** @returns the item's outcome, once it is committed. @throws when the commit of its group fails. */
  add(key: string, item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.waiting.get(key);
      if (waiting !== undefined) waiting.push(entry);
      else void this.run(key, [entry]);
    });
  }

  private async run(key: string, first: Waiting<Item, Outcome>[]): Promise<void> {
    for (let group = first; group.length > 0; group = this.waiting.get(key) ?? []) {
      this.waiting.set(key, []);
      await this.commitGroup(group);
    }
    this.waiting.delete(key);
  }

  private async commitGroup(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.commit(group.map(({ item }) => item));
      for (const [n, outcome] of outcomes.entries()) group[n]?.resolve(outcome);
    } catch (error) {
      for (const entry of group) entry.reject(error);
    }
  }
}
