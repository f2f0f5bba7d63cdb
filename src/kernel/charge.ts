import type { Mode, TeamId } from './principal.js';

/** Units reserved in a team's day. Plain data: a job stores it and charges it in parts. */
export interface Charge {
  readonly teamId: TeamId;
  /** The account of the usage history: the key's user; or the key, if it is a service key or publishable. */
  readonly account: string;
  /** The database's UTC day, `YYYY-MM-DD`; released units go back to it. */
  readonly day: string;
  readonly units: number;
  /** The day's limit when it was charged; null: none, and nothing is reserved. */
  readonly limit: number | null;
  /** Charged to a publishable key, so that the units count for the share of these keys. */
  readonly publishable?: true;
  /** Test keys are neither charged nor counted. */
  readonly mode: Mode;
}
