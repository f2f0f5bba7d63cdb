/** The daily ceilings of a new egress. */
export interface WarmupPlan {
  /** Provider → probes on the first day. Other providers have no ceiling. */
  starts: ReadonlyMap<string, number>;
  /** Growth factor after a day on which the ceiling was used and refusals were rare. */
  growth: number;
  /** Share of refusals above which the ceiling falls. */
  maxRefusals: number;
  /** A ceiling above this is removed. */
  until: number;
}

/** The probes of an egress at a provider on one day (UTC), by all processes. */
export interface WarmupDay {
  /** As in `2026-11-22`. */
  day: string;
  /** null: none any more. */
  ceiling: number | null;
  /** Probes that processes have taken. */
  used: number;
  refused: number;
}

/** The report of a process about its last block, and whether it requests a new one. */
export interface BlockRequest {
  /** The day of the last block; null: there was none. */
  day: string | null;
  /** Probes of the last block that were not sent. */
  returned: number;
  refused: number;
  needsBlock: boolean;
}

/** How today's probes are divided among teams. */
export interface TeamDivision {
  /** Probes that the requesting team has taken today. */
  mine: number;
  /** Probes taken today by each other team that took some today or yesterday. */
  others: readonly number[];
  /** Remaining part of the day, 0 to 1. */
  dayLeft: number;
}

/** Minimum number of probes to evaluate refusals. */
const MIN_PROBES = 10;
/** After this time without probes the ceiling starts again: the reputation of an unused address is lost. */
const IDLE_DAYS = 30;
const DAY_MS = 86_400_000;
const MAX_BLOCK = 50;
/** Minimum number of blocks per day, so that several processes get one. */
const BLOCKS_PER_DAY = 20;

export interface WarmupSituation {
  today: string;
  /** Probes on the first day. */
  start: number;
  plan: WarmupPlan;
  division: TeamDivision;
}

export interface TakenBlock {
  /** The day after the request. */
  day: WarmupDay;
  /** Probes that the team has taken today, after the request. */
  mine: number;
  /** Probes that the process may send for the team; null: any number. */
  granted: number | null;
}

export function takeBlock(
  stored: WarmupDay | null,
  request: BlockRequest,
  { today, start, plan, division }: WarmupSituation,
): TakenBlock {
  const mine = Math.max(0, division.mine - (request.day === today ? request.returned : 0));
  const reported = stored === null ? null : withReport(stored, request);
  const day = reported?.day === today ? reported : nextDay(reported, { today, start, plan });
  if (!request.needsBlock || day.ceiling === null)
    return { day, mine, granted: request.needsBlock ? null : 0 };
  const block = Math.min(MAX_BLOCK, Math.ceil(day.ceiling / BLOCKS_PER_DAY));
  const granted = Math.max(0, Math.min(block, availableTo({ ...division, mine }, day.ceiling, day.used)));
  return { day: { ...day, used: day.used + granted }, mine: mine + granted, granted };
}

/**
 * Probes that one team may take now. Each team has an equal share of the ceiling, and one share is reserved
 * for further teams. Unused shares become available to all in the course of the day.
 */
export function availableTo({ mine, others, dayLeft }: TeamDivision, ceiling: number, used: number): number {
  const share = ceiling / (others.length + 2);
  const reserved = others.reduce((sum, other) => sum + Math.max(0, share - other), share);
  const left = ceiling - used;
  const ownShare = Math.max(1, Math.floor(share)) - mine;
  return Math.max(Math.min(left, ownShare), Math.floor(left - dayLeft * reserved));
}

/** Ignores a report of an earlier day than the stored one. */
function withReport(stored: WarmupDay, { day, returned, refused }: BlockRequest): WarmupDay {
  if (stored.day !== day) return stored;
  return {
    ...stored,
    used: Math.max(0, stored.used - returned),
    refused: stored.refused + refused,
  };
}

function nextDay(
  last: WarmupDay | null,
  { today, start, plan }: Omit<WarmupSituation, 'division'>,
): WarmupDay {
  const isNew = last === null || Date.parse(today) - Date.parse(last.day) > IDLE_DAYS * DAY_MS;
  return { day: today, ceiling: isNew ? start : nextCeiling(last, start, plan), used: 0, refused: 0 };
}

/** Grows if at least half of it was used; falls after refusals, but not below the start. */
function nextCeiling({ ceiling, used, refused }: WarmupDay, start: number, plan: WarmupPlan): number | null {
  if (ceiling === null) return null;
  const isRefused = used >= MIN_PROBES && refused > plan.maxRefusals * used;
  if (isRefused) return Math.max(start, Math.floor(ceiling / plan.growth));
  if (used < ceiling / 2) return Math.max(start, ceiling);
  const grown = Math.ceil(Math.max(start, ceiling) * plan.growth);
  return grown > plan.until ? null : grown;
}
