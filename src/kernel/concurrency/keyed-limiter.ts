/**
 * Limits the units in use at the same time, per key and in total. What exceeds a limit is refused at once; where
 * it should wait, use a `FairSemaphore`.
 */
export class KeyedLimiter {
  private used = 0;
  /** A key without units in use has no entry. */
  private readonly usedBy = new Map<string, number>();

  constructor(private readonly limits: { perKey: number; total: number }) {}

  /** @returns false if a limit would be exceeded; then nothing is acquired. */
  tryAcquire(key: string, units = 1): boolean {
    const own = (this.usedBy.get(key) ?? 0) + units;
    if (own > this.limits.perKey || this.used + units > this.limits.total) return false;
    this.used += units;
    this.usedBy.set(key, own);
    return true;
  }

  /** @param units of those acquired, all or a part. */
  release(key: string, units = 1): void {
    const own = (this.usedBy.get(key) ?? 0) - units;
    this.used -= units;
    if (own > 0) this.usedBy.set(key, own);
    else this.usedBy.delete(key);
  }
}
