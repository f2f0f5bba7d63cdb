import { orNullOnAbort } from '../../limits/adapters/or-null-on-abort.js';
import type { Requester } from '../../limits/requester.js';
import { Requesters } from './requesters.js';

interface SharedQuery<T> {
  result: Promise<T>;
  requesters: Requesters;
  cancel: AbortController;
}

/**
 * Shares queries: a request for a question that is already pending waits for the same result, and the
 * pending query waits for its slot on behalf of all its requesters. A requester that aborts does not
 * affect the others; when the last one aborts, the query is canceled.
 */
export class DnsQueries<T> {
  private readonly pending = new Map<string, SharedQuery<T>>();

  /**
   * @param start sends the query; must not reject, and settles soon after its signal aborts.
   * @returns null when `signal` aborts before the response arrives.
   */
  async join(
    key: string,
    requester: Requester,
    start: (requesters: Requesters, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | null> {
    if (signal.aborted) return null;
    const existing = this.pending.get(key);
    existing?.requesters.add(requester);
    const query = existing ?? this.begin(key, requester, start);
    const outcome = await orNullOnAbort(query.result, signal);
    query.requesters.remove(requester);
    if (outcome === null && query.requesters.isEmpty) this.cancel(key, query);
    return outcome;
  }

  private begin(
    key: string,
    requester: Requester,
    start: (requesters: Requesters, signal: AbortSignal) => Promise<T>,
  ): SharedQuery<T> {
    const cancel = new AbortController();
    const requesters = new Requesters();
    requesters.add(requester);
    const query = { result: start(requesters, cancel.signal), requesters, cancel };
    this.pending.set(key, query);
    void query.result.then(() => this.remove(key, query));
    return query;
  }

  private cancel(key: string, query: SharedQuery<T>): void {
    this.remove(key, query);
    query.cancel.abort();
  }

  private remove(key: string, query: SharedQuery<T>): void {
    if (this.pending.get(key) === query) this.pending.delete(key);
  }
}
