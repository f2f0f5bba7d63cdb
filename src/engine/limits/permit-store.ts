import type { LimitName } from './connection-limit.js';
import type { ConnectionUse } from './connection-permits.js';

export interface PermitTimes {
  /** Permits end when they are not renewed for this time, by the clock of the store. */
  ttlMs: number;
  /** How often permits are renewed. */
  renewalMs: number;
  /** How long a process keeps a connection when there are more processes than connections. */
  turnMs: number;
  /**
   * Before the end of permits that were not renewed: sessions are closed after their current recipient, and those that
   * are left in the last third of this time at once.
   */
  closingMs: number;
}

/** Two renewals may fail. */
export const PERMIT_TIMES: PermitTimes = {
  ttlMs: 15_000,
  renewalMs: 5_000,
  turnMs: 10_000,
  closingMs: 3_000,
};

export interface PermitRequest extends Omit<ConnectionUse, 'idle'> {
  egress: string;
  /** '': the egress itself. */
  provider: string;
}

export interface PermitGrant {
  /** Connections that may be held from now on; fewer than those held: close some. */
  granted: number;
  /** Open sessions of other processes. */
  others: number;
  /** Connections that other processes may hold. */
  othersHeld: number;
  /** Another process has requested more connections than it has. */
  contended: boolean;
  /** Processes with work at this provider. */
  processes: number;
  /** Connections that all processes may hold together. */
  total: number;
}

/** The permits of one provider, of all processes. */
export interface PermitUsage {
  egress: string;
  /** '': the egress itself. */
  provider: string;
  limit: number;
  used: number;
  /** Requests that wait for a session, as last reported. */
  waiting: number;
  /** Why, in the process where most of them wait. */
  blockedBy: LimitName | null;
}

/** Port: stores the permits of all processes. `grantOf` decides who gets how many; times are those of the store. */
export abstract class PermitStore {
  /** Requests, renews and releases permits, in one transaction. @returns a grant for each request. */
  abstract sync(process: string, requests: readonly PermitRequest[]): Promise<PermitGrant[]>;

  /** The permits of all processes. */
  abstract listUsage(): Promise<PermitUsage[]>;

  /** @returns the number of deleted rows. */
  abstract deleteExpired(): Promise<number>;
}
