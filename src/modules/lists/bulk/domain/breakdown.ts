import { STATUS_OF, type Reason, type Status } from '../../../../kernel/verdict.js';

export const BREAKDOWNS = ['domain', 'provider'] as const;
export type BreakdownBy = (typeof BREAKDOWNS)[number];

/** Groups by themselves; the rows of all others are one. */
export const LARGEST_GROUPS = 20;

/** Rows of a group whose verdicts have the same reason. */
export interface GroupRows {
  /** '': no domain or provider; null: not one of the largest groups. */
  name: string | null;
  reason: Reason;
  rows: number;
}

export interface Group {
  name: string | null;
  rows: number;
  byStatus: Partial<Record<Status, number>>;
}

/** The rows of a list that have a verdict. */
export interface Breakdown {
  /** The group with the most rows first. */
  largest: Group[];
  other: Group;
}

/** @param counts a group may occur repeatedly, also with the same reason. */
export function toBreakdown(counts: readonly GroupRows[]): Breakdown {
  const groups = new Map<string, Group>();
  const other: Group = { name: null, rows: 0, byStatus: {} };
  for (const { name, reason, rows } of counts) {
    const group = name === null ? other : (groups.get(name) ?? { name: name || null, rows: 0, byStatus: {} });
    if (name !== null) groups.set(name, group);
    add(group, { rows, byStatus: { [STATUS_OF[reason]]: rows } });
  }
  const sorted = [...groups.values()].sort(
    (a, b) => b.rows - a.rows || (a.name ?? '').localeCompare(b.name ?? '', 'en'),
  );
  for (const group of sorted.slice(LARGEST_GROUPS)) add(other, group);
  return { largest: sorted.slice(0, LARGEST_GROUPS), other };
}

function add(group: Group, { rows, byStatus }: Omit<Group, 'name'>): void {
  group.rows += rows;
  for (const [status, count] of Object.entries(byStatus) as [Status, number][])
    group.byStatus[status] = (group.byStatus[status] ?? 0) + count;
}
