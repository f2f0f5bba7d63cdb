/** Bounds how much is done at once, over all owners and for each; those who wait are served owner by owner. */
export class FairSlots {
  private readonly running = new Map<string, number>();
  /** In the order in which the owners are served; an owner with nothing waiting is not here. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private free: number;

  constructor(
    all: number,
    private readonly perOwner: number,
  ) {
    this.free = all;
  }

  /** Waits for a slot, and holds it while the work lasts. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(owner);
    try {
      return await work();
    } finally {
      this.release(owner);
    }
  }

  /** How much of an owner's work waits or is done. */
  countOf(owner: string): number {
    return (this.running.get(owner) ?? 0) + (this.waiting.get(owner)?.length ?? 0);
  }

  private acquire(owner: string): Promise<void> {
    return new Promise((start) => {
      const own = this.waiting.get(owner) ?? [];
      this.waiting.set(owner, own);
      own.push(start);
      this.startNext();
    });
  }

  private release(owner: string): void {
    const left = (this.running.get(owner) ?? 0) - 1;
    if (left === 0) this.running.delete(owner);
    else this.running.set(owner, left);
    this.free++;
    this.startNext();
  }

  private startNext(): void {
    for (const [owner, starts] of this.waiting) {
      if (this.free === 0) return;
      const running = this.running.get(owner) ?? 0;
      if (running >= this.perOwner) continue;
      this.free--;
      this.running.set(owner, running + 1);
      starts.shift()?.();
      // To the end of the order, if more of it waits.
      this.waiting.delete(owner);
      if (starts.length > 0) this.waiting.set(owner, starts);
    }
  }
}
