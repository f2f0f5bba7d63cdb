import { untilAborted } from '../../../kernel/deadline.js';

interface SharedQuery<T> {
  result: Promise<T>;
  waiting: number;
  cancel: AbortController;
}

/**
 * Shares queries: a request for a question that is already pending waits for the same result. A request that
 * aborts does not affect the others; when the last one aborts, the query is canceled.
 */
export class DnsQueries<T> {
  private readonly pending = new Map<string, SharedQuery<T>>();

  /**
   * @param start sends the query; must not reject, and settles soon after its signal aborts.
   * @returns null when `signal` aborts before the response arrives.
   */
  async join(
    key: string,
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | null> {
    if (signal.aborted) return null;
    const query = this.pending.get(key) ?? this.begin(key, start);
    query.waiting += 1;
    const outcome = await untilAborted(query.result, signal);
    query.waiting -= 1;
    if (outcome === null && query.waiting === 0) {
      this.remove(key, query);
      query.cancel.abort();
    }
    return outcome;
  }

  private begin(key: string, start: (signal: AbortSignal) => Promise<T>): SharedQuery<T> {
    const cancel = new AbortController();
    const query = { result: start(cancel.signal), waiting: 0, cancel };
    this.pending.set(key, query);
    void query.result.then(() => this.remove(key, query));
    return query;
  }

  private remove(key: string, query: SharedQuery<T>): void {
    if (this.pending.get(key) === query) this.pending.delete(key);
  }
}
