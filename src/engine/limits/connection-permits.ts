import type { LimitName } from './connection-limit.js';

/** The connections of this process to one provider, and its demand. */
export interface ConnectionUse {
  /** Connections that are open, being opened or being closed. */
  held: number;
  /** Of these, greeted sessions. */
  open: number;
  /** Of these, sessions without work. They are kept only while no other process requests a connection. */
  idle: number;
  /** Open connections, and those that the waiting requests could use. */
  wanted: number;
  /** Requests that wait for a session. */
  queued: number;
  /** Why waiting requests get no session; null: none waits. */
  blockedBy: LimitName | null;
  /** The limit of the provider: the configured one, or a lower one that was observed. */
  limit: number;
  /** What the provider allows is not known: connections are added one at a time. */
  isLearned: boolean;
}

/** A share of the connections to all servers of a provider, or through an egress. */
export interface ProviderPermits {
  /** Connections that this process may hold now. */
  readonly allowed: number;
  /** Sessions of other processes with the provider, as they last reported. */
  readonly others: number;
  /** Connections that other processes may hold, as far as known. */
  readonly othersHeld: number;
  /** Processes with work at the provider, including this one, as far as known; at least 1. */
  readonly processes: number;
  /** Connections that all processes may hold together, as far as known. */
  readonly total: number;

  /** Must be called after each change. */
  update(use: ConnectionUse): void;

  /** Must be called when a connection is about to be opened. */
  onOpening(): void;
}

/** The name of an egress itself where permits have that of a provider. */
export const EGRESS_ITSELF = '';

/**
 * Port: divides the connections that a mail provider, or an egress, allows between the processes of the installation,
 * separately for each egress.
 */
export abstract class ConnectionPermits {
  /**
   * @param provider `EGRESS_ITSELF`: of the egress.
   * @param onChange is called when `allowed` may have changed.
   * @param onEnd is called when the permits end: connections that are still held must be closed at once.
   */
  abstract permitsFor(
    egress: string,
    provider: string,
    onChange: () => void,
    onEnd?: () => void,
  ): ProviderPermits;

  /** Releases the permits of connections that are closed; those of others end by themselves. */
  async close(): Promise<void> {}
}

const OF_ONE_PROCESS: ProviderPermits = {
  allowed: Infinity,
  others: 0,
  othersHeld: 0,
  processes: 1,
  total: Infinity,
  update: () => undefined,
  onOpening: () => undefined,
};

/** For a process without a store, such as a run of the command line: only its own limits apply. */
export const NO_SHARED_PERMITS: ConnectionPermits = new (class extends ConnectionPermits {
  permitsFor(): ProviderPermits {
    return OF_ONE_PROCESS;
  }
})();
