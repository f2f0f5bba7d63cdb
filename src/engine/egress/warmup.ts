/** The daily ceilings of a new egress. */
export interface WarmupPlan {
  /** Provider → probes on the first day. Other providers have no ceiling. */
  starts: ReadonlyMap<string, number>;
  /** Growth factor after a day on which the ceiling was used and refusals were rare. */
  growth: number;
  /** Share of a team's probes; a team with more refusals votes for a lower ceiling. */
  maxRejections: number;
  /** A ceiling above this is removed. */
  until: number;
}

/** The probes of an egress at a provider on one day (UTC), by all processes. */
export interface WarmupDay {
  /** As in `2026-11-22`. */
  day: string;
  /** null: none any more. */
  ceiling: number | null;
  /** Probes of all teams. */
  used: number;
}

/** The teams with enough probes on a day to vote. */
export interface WarmupVotes {
  teams: number;
  /** Of these, the teams whose share of refusals was above that of the plan. */
  rejected: number;
}

/** A team with fewer probes on a day has no vote. */
export const MIN_PROBES_TO_VOTE = 10;
/** After this time without probes the ceiling starts again: the reputation of an unused address is lost. */
const IDLE_DAYS = 30;
const DAY_MS = 86_400_000;

/** The counters of today. @param start probes on the first day. @param votes of the last day. */
export function warmupOn(
  today: string,
  last: WarmupDay | null,
  votes: WarmupVotes,
  start: number,
  plan: WarmupPlan,
): WarmupDay {
  if (last?.day === today) return last;
  const isNew = last === null || Date.parse(today) - Date.parse(last.day) > IDLE_DAYS * DAY_MS;
  return { day: today, ceiling: isNew ? start : nextCeiling(last, votes, start, plan), used: 0 };
}

/**
 * Probes that a team may send now: at the start of the day half of what the other teams have left, at its
 * end all of it.
 *
 * @param mine probes that the team has sent today.
 * @param dayLeft remaining part of the day, 0 to 1.
 */
export function probesLeftFor({ ceiling, used }: WarmupDay, mine: number, dayLeft: number): number {
  if (ceiling === null) return Infinity;
  const leftByOthers = ceiling - (used - mine);
  const share = Math.max(1, Math.floor(leftByOthers * (1 - dayLeft / 2)));
  return Math.max(0, Math.min(ceiling - used, share - mine));
}

/** Whether a team votes for a lower ceiling; null: it has no vote. */
export function isVoteAgainst(used: number, rejected: number, plan: WarmupPlan): boolean | null {
  return used < MIN_PROBES_TO_VOTE ? null : rejected > plan.maxRejections * used;
}

/**
 * Grows if at least half of it was used. Falls after refusals, but not below the start: one team may
 * provoke refusals of its own domains, so more than half of the teams must have met them.
 */
function nextCeiling(
  { ceiling, used }: WarmupDay,
  { teams, rejected }: WarmupVotes,
  start: number,
  plan: WarmupPlan,
): number | null {
  if (ceiling === null) return null;
  if (2 * rejected > teams) return Math.max(start, Math.floor(ceiling / plan.growth));
  if (used < ceiling / 2) return Math.max(start, ceiling);
  const grown = Math.ceil(Math.max(start, ceiling) * plan.growth);
  return grown > plan.until ? null : grown;
}
