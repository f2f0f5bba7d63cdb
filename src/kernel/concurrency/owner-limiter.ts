/** Limits concurrency in total and per owner; owners are served round-robin. */
export class OwnerLimiter {
  private readonly running = new Map<string, number>();
  /** In the order in which owners are served; an owner without waiting work has no entry. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private free: number;

  constructor(
    all: number,
    private readonly perOwner: number,
  ) {
    this.free = all;
  }

  /** Waits for a slot and holds it while the work runs. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(owner);
    try {
      return await work();
    } finally {
      this.release(owner);
    }
  }

  /** The running and waiting work of an owner. */
  countOf(owner: string): number {
    return (this.running.get(owner) ?? 0) + (this.waiting.get(owner)?.length ?? 0);
  }

  private acquire(owner: string): Promise<void> {
    return new Promise((start) => {
      const queue = this.waiting.get(owner) ?? [];
      this.waiting.set(owner, queue);
      queue.push(start);
      this.startNext();
    });
  }

  private release(owner: string): void {
    const remaining = (this.running.get(owner) ?? 0) - 1;
    if (remaining === 0) this.running.delete(owner);
    else this.running.set(owner, remaining);
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
      // To the end of the order, if it has more waiting work.
      this.waiting.delete(owner);
      if (starts.length > 0) this.waiting.set(owner, starts);
    }
  }
}
