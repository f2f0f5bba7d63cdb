import type { TeamId } from '../principal.js';

/** How a unit of work is given back before it is done. */
export interface Release {
  /** Until a process may claim it again. */
  afterSeconds: number;
  /** false: not the unit is the reason, as when the process shuts down. */
  countsAsAttempt: boolean;
}

/** Another process, or this one, goes on with it. */
export const GOES_ON: Release = { afterSeconds: 0, countsAsAttempt: false };

/** Another process has the unit, or it was deleted: nothing is recorded under the lease. */
export class LeaseLost extends Error {}

/** The unit was deleted with what it belongs to, and its lease with it. */
export class UnitDeleted extends LeaseLost {}

/**
 * Port: units of work of one kind. A unit is claimed under a lease, by one process at a time. A lease that is not
 * renewed expires, so that the units of a process that has died are claimed again.
 */
export abstract class TeamWork<Unit> {
  abstract readonly leaseSeconds: number;

  /** The team's next unit; null: none waits, or the team has as many as it may have at a time. */
  abstract claim(team: TeamId): Promise<Unit | null>;

  /** @returns false: the lease was lost. */
  abstract renew(unit: Unit): Promise<boolean>;

  /** Ends the lease; does nothing if it was lost. */
  abstract release(unit: Unit, release: Release): Promise<void>;

  /** Teams with units that could be claimed: some in random order, if they are many. */
  abstract listWaitingTeams(): Promise<TeamId[]>;
}

/** What a process does with the units of one kind. Their leases are kept by `Lease` of the platform. */
export interface TeamWorker<Unit> {
  readonly units: TeamWork<Unit>;

  /** How often the lease is renewed, and its loss noticed. Default: three times in its duration. */
  readonly renewMs?: number;

  /** In place of `units.claim`. */
  claim?(team: TeamId): Promise<Unit | null>;

  /** In place of `units.renew`. @throws DomainError if the work may not go on: the signal aborts with that reason. */
  renew?(unit: Unit): Promise<boolean>;

  /**
   * @param signal aborts when the process shuts down, and with the reason `LeaseLost` when the lease was lost.
   * @returns how the unit is given back; null: it is done, and its lease has ended with what was recorded.
   * @throws if it failed: the unit is given back after a pause, and the attempt counts.
   */
  run(unit: Unit, signal: AbortSignal): Promise<Release | null>;

  /** Seconds after which a unit that has failed may be claimed again. */
  pauseAfter(unit: Unit): number;
}
