import type { ConnectionUse } from './connection-permits.js';
import type { ReceivedEntry, SharedEntry } from './shared-state.js';

export interface PermitTimes {
  /** Permits end when they are not renewed for this time, by the clock of the store. */
  ttlMs: number;
  /** How often permits are renewed. */
  renewalMs: number;
  /** How long a process keeps a connection when there are more processes than connections. */
  turnMs: number;
}

/** Two renewals may fail. */
export const PERMIT_TIMES: PermitTimes = { ttlMs: 15_000, renewalMs: 5_000, turnMs: 10_000 };

export interface PermitRequest extends Omit<ConnectionUse, 'idle'> {
  egress: string;
  server: string;
}

export interface PermitGrant {
  /** Connections that may be held from now on; fewer than those held: close some. */
  granted: number;
  others: number;
  /** Another process has requested more connections than it has. */
  contended: boolean;
  /** Processes with work at this server. */
  processes: number;
}

/** The permits of one server, of all processes. */
export interface PermitUsage {
  egress: string;
  server: string;
  limit: number;
  used: number;
  /** Requests that wait for a session, as last reported. */
  waiting: number;
}

export interface SharedPage {
  entries: (ReceivedEntry & { version: string })[];
  cursor: string;
  isLast: boolean;
}

/**
 * Port: stores the permits and the shared state of all processes.
 *
 * While connections are free, a process gets as many as it requests. When another process has fewer than
 * its fair share (the limit divided by the processes with work for the server) and requests more, those
 * with more than theirs are granted less at their next request. The connections that a process still holds count
 * as granted until it reports that they are closed, so the sum of all grants is never above the limit.
 * With more processes than connections, each holds one for a limited time, and the one that has waited
 * longest is next. Times are those of the store.
 */
export abstract class LimitsStore {
  /** Requests, renews and releases permits, in one round trip. @returns a grant for each request. */
  abstract sync(process: string, requests: readonly PermitRequest[]): Promise<PermitGrant[]>;

  /** The permits of all processes, of servers whose name begins so. */
  abstract listUsage(prefix: string): Promise<PermitUsage[]>;

  /**
   * Writes entries, and reads those of other processes that changed after the cursor, in one round trip.
   * It may return an entry more than once, with the same version.
   *
   * @param cursor null: all valid entries.
   */
  abstract exchange(
    process: string,
    entries: readonly SharedEntry[],
    cursor: string | null,
  ): Promise<SharedPage>;

  /** @returns the number of deleted rows. */
  abstract deleteExpired(): Promise<number>;
}
