import type { ConnectionUse } from './connection-permits.js';

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

/** Port: stores the permits of all processes. `grantOf` decides who gets how many; times are those of the store. */
export abstract class PermitStore {
  /** Requests, renews and releases permits, in one transaction. @returns a grant for each request. */
  abstract sync(process: string, requests: readonly PermitRequest[]): Promise<PermitGrant[]>;

  /** The permits of all processes, of servers whose name begins so. */
  abstract listUsage(prefix: string): Promise<PermitUsage[]>;

  /** @returns the number of deleted rows. */
  abstract deleteExpired(): Promise<number>;
}
