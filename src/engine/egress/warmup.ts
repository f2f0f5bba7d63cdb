import type { WarmupPlan } from '../../kernel/warmup-plan.js';
import { DAY_MS } from '../../kernel/durations.js';

/** The probes of an egress at a provider on one day (UTC), by all processes. */
export interface WarmupDay {
  /** As in `2026-11-22`. */
  day: string;
  /** null: none any more. */
  ceiling: number | null;
  /** Probes of all teams, also of those that have been deleted. */
  used: number;
  /** By id; only teams with probes. */
  teams: Readonly<Record<string, TeamProbes>>;
}

export interface TeamProbes {
  used: number;
  rejected: number;
}

/** The state of an egress that has never been used. */
export const NEVER_USED: WarmupDay = { day: '1970-01-01', ceiling: null, used: 0, teams: {} };

/** `return`: a probe was not sent. `rejection`: the provider rejected the egress. */
export interface WarmupEvent {
  kind: 'probe' | 'return' | 'rejection';
  team: string;
}

export interface WarmupTime {
  /** The day (UTC). */
  today: string;
  /** Its remaining part, 0 to 1. */
  dayLeft: number;
}

export interface WarmupChange extends WarmupTime {
  day: WarmupDay;
  /** For each event; a probe that is not granted must not be sent. */
  granted: boolean[];
}

const CHANGES = {
  probe: { used: 1, rejected: 0 },
  return: { used: -1, rejected: 0 },
  rejection: { used: 0, rejected: 1 },
};

/** A team with fewer probes on a day has no vote. */
const MIN_PROBES_TO_VOTE = 10;
/** After this time without probes the ceiling starts again: the reputation of an unused address is lost. */
const IDLE_DAYS = 30;

export function warmupTimeAt(now: Date): WarmupTime {
  return { today: now.toISOString().slice(0, 10), dayLeft: 1 - (now.getTime() % DAY_MS) / DAY_MS };
}

/** @param last the stored day. @param start probes on the first day. */
export function afterEvents(
  last: WarmupDay,
  events: readonly WarmupEvent[],
  time: WarmupTime,
  start: number,
  plan: WarmupPlan,
): WarmupChange {
  const { today, dayLeft } = time;
  const isToday = last.day === today;
  const teams = new Map(isToday ? Object.entries(last.teams) : []);
  const ceiling = isToday ? last.ceiling : nextCeiling(last, today, start, plan);
  let used = isToday ? last.used : 0;
  const granted = events.map(({ kind, team }) => {
    if (ceiling === null) return true;
    const own = teams.get(team) ?? { used: 0, rejected: 0 };
    const isPossible = kind === 'probe' ? probesLeft(ceiling, used, own.used, dayLeft) > 0 : own.used > 0;
    if (!isPossible) return false;
    const change = CHANGES[kind];
    used += change.used;
    teams.set(team, { used: own.used + change.used, rejected: own.rejected + change.rejected });
    if (own.used + change.used === 0) teams.delete(team);
    return true;
  });
  return { ...time, day: { day: today, ceiling, used, teams: Object.fromEntries(teams) }, granted };
}

/**
 * Probes that a team may send now: at the start of the day half of what the other teams have left, at its
 * end all of it.
 */
export function probesLeftFor(team: string, { ceiling, used, teams }: WarmupDay, dayLeft: number): number {
  return ceiling === null ? Infinity : probesLeft(ceiling, used, teams[team]?.used ?? 0, dayLeft);
}

/** @param own probes that the team has sent today. */
function probesLeft(ceiling: number, used: number, own: number, dayLeft: number): number {
  const leftByOthers = ceiling - (used - own);
  const share = Math.max(1, Math.floor(leftByOthers * (1 - dayLeft / 2)));
  return Math.max(0, Math.min(ceiling - used, share - own));
}

/**
 * Grows if at least half of it was used. Falls after rejections, but not below the start: one team may
 * provoke rejections of its own domains, so more than half of the teams must have met them.
 */
function nextCeiling(
  { day, ceiling, used, teams }: WarmupDay,
  today: string,
  start: number,
  plan: WarmupPlan,
): number | null {
  if (Date.parse(today) - Date.parse(day) > IDLE_DAYS * DAY_MS) return start;
  if (ceiling === null) return null;
  const voters = Object.values(teams).filter((team) => team.used >= MIN_PROBES_TO_VOTE);
  const against = voters.filter((team) => team.rejected > plan.maxRejections * team.used);
  if (2 * against.length > voters.length) return Math.max(start, Math.floor(ceiling / plan.growth));
  if (used < ceiling / 2) return Math.max(start, ceiling);
  const grown = Math.ceil(Math.max(start, ceiling) * plan.growth);
  return grown > plan.until ? null : grown;
}
