/**
 * Caches the results of a pure function by key. When the cache has `max` entries, all are dropped: computing
 * them again costs less than tracking their use.
 */
export class Memo<Result> {
  private readonly results = new Map<string, Result>();

  constructor(private readonly max: number) {}

  /** @param compute its result depends only on the key. */
  get(key: string, compute: () => Result): Result {
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (this.results.size >= this.max) this.results.clear();
    this.results.set(key, result);
    return result;
  }
}
