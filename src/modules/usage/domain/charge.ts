import type { Mode, Principal, TeamId } from '../../../kernel/principal.js';
import type { Status } from '../../../kernel/verdict.js';

/** Units reserved in a team's day. Plain data: a job stores it and settles it later, part by part. */
export interface Charge {
  readonly teamId: TeamId;
  /** Whose history it goes into: the key's user, or a service key itself. */
  readonly account: string;
  /** The database's UTC day, `YYYY-MM-DD`; what is given back goes back to it. */
  readonly day: string;
  readonly units: number;
  /** Of that day, when it was charged; null: none, and nothing is reserved. */
  readonly limit: number | null;
  /** Always null. A worker of the version before, which had leases, looks for it in a stored charge. */
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

export function accountOf({ userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): string {
  return userId ?? keyId;
}

/** Units of "reserved" that the charge holds. */
export function reservedFor({ limit, units }: Charge): number {
  return limit === null ? 0 : units;
}

/** How many units these cost. */
export function costOf(answered: readonly Answered[]): number {
  return answered.filter(({ free }) => !free).length;
}

/**
 * How many of the charge's units these cost.
 *
 * @throws RangeError when that is more than was charged: the quota would be overdrawn.
 */
export function payable({ units }: Charge, answered: readonly Answered[]): number {
  const paid = costOf(answered);
  if (paid > units) throw new RangeError(`${paid} to be paid, but only ${units} charged`);
  return paid;
}
