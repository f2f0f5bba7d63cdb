import type { Mode, Principal, TeamId } from '../../../kernel/language.js';
import type { Status } from '../../../kernel/verdict.js';

/** Units taken from a team's day. Plain data: a job stores it and settles it later, part by part. */
export interface Charge {
  readonly teamId: TeamId;
  /** Whose history it goes into: the key's user, or a service key itself. */
  readonly account: string;
  /** The database's UTC day, `YYYY-MM-DD`; what is given back goes back to it. */
  readonly day: string;
  readonly units: number;
  /** Of that day, when it was charged; null: none, and nothing is reserved. */
  readonly limit: number | null;
  /** The lease of this process that the units came from; null: the database itself keeps them, for a job. */
  readonly lease: string | null;
  /** What a test key does is neither charged nor counted. */
  readonly mode: Mode;
}

/** One address that was answered. */
export interface Answered {
  readonly kind: 'single' | 'bulk';
  readonly status: Status;
  /** Costs nothing: `unknown`, `blocked_domain`, a duplicate inside a job. */
  readonly free: boolean;
}

export function accountOf({ userId, keyId }: Principal): string {
  return userId ?? keyId;
}

/** Units of "reserved" that the charge holds. */
export function reservedFor({ limit, units }: Charge): number {
  return limit === null ? 0 : units;
}

/**
 * How many of these are to be paid.
 *
 * @throws RangeError when that is more than was charged: the quota would be overdrawn.
 */
export function payable({ units }: Charge, answered: readonly Answered[]): number {
  const paid = answered.filter(({ free }) => !free).length;
  if (paid > units) throw new RangeError(`${paid} to be paid, but only ${units} charged`);
  return paid;
}
