import type { LeaseUse } from './connection-leases.js';

export interface LeaseTimes {
  /** A lease is lost when it was not renewed for this time, by the clock of the store. */
  ttlMs: number;
  /** How often leases are renewed. */
  renewalMs: number;
  /** How long one of more processes than connections keeps a connection for which others wait. */
  turnMs: number;
}

/** Two renewals may fail. */
export const LEASE_TIMES: LeaseTimes = { ttlMs: 15_000, renewalMs: 5_000, turnMs: 10_000 };

export interface LeaseRequest extends Omit<LeaseUse, 'idle'> {
  egress: string;
  server: string;
  /** What this process would take without the store. It limits grants of a store that has lost its data. */
  share: number;
}

export interface LeaseGrant {
  /** Connections that may be held from now on; fewer than those held: close some. */
  granted: number;
  /** Sessions of other processes. */
  others: number;
  /** Another process wants more connections than it has. */
  contended: boolean;
  /** Processes with work at this server. */
  processes: number;
}

/**
 * Port: where the processes of an installation keep their leases.
 *
 * A process gets what it wants while connections are free. When another process has fewer than its fair
 * share (the limit divided by the processes with work at the server) and wants more, those with more
 * than theirs are granted less at their next request. The connections that a process still holds count
 * as granted until it reports that they are closed, so the sum of all grants is never above the limit.
 * With more processes than connections, each keeps one for a turn, and the one that has waited
 * longest is next. Times are those of the store.
 */
export abstract class LeaseStore {
  /** Requests, renews and gives back leases, in one round trip. @returns a grant for each request. */
  abstract sync(process: string, requests: readonly LeaseRequest[]): Promise<LeaseGrant[]>;

  /** Fields for the log. */
  describe(error: unknown): Record<string, unknown> {
    return { err: error instanceof Error ? error.message : String(error) };
  }

  /** Deletes what has expired, where the store does not. @returns the number of deleted rows. */
  async deleteExpired(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {}
}
