/**
 * Keeps the results of a pure function by key. When `max` results are kept, all are dropped: computing them
 * again costs less than knowing which were used last.
 */
export class Memo<Result> {
  private readonly results = new Map<string, Result>();

  constructor(private readonly max: number) {}

  /** @param compute its result depends on the key alone. */
  get(key: string, compute: () => Result): Result {
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (this.results.size >= this.max) this.results.clear();
    this.results.set(key, result);
    return result;
  }
}
