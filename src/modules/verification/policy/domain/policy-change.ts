import type { Rule } from './rule.js';

/** What a change of the rules was, for the audit log: ids only, because values and notes may name people. */
export interface PolicyChange {
  rules: { from: number; to: number };
  added?: readonly string[];
  removed?: readonly string[];
  changed?: readonly string[];
  /** Rules that both have are in another order. */
  reordered?: true;
}

/** null: the rules are the same. */
export function changeBetween(before: readonly Rule[], after: readonly Rule[]): PolicyChange | null {
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  const old = new Map(before.map((rule) => [rule.id, JSON.stringify(rule)]));
  const ids = new Set(after.map(({ id }) => id));
  const kept = after.filter(({ id }) => old.has(id));
  const added = after.filter(({ id }) => !old.has(id)).map(({ id }) => id);
  const removed = before.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const changed = kept.filter((rule) => old.get(rule.id) !== JSON.stringify(rule)).map(({ id }) => id);
  const order = before.filter(({ id }) => ids.has(id));
  const isReordered = kept.some(({ id }, n) => order[n]?.id !== id);
  return {
    rules: { from: before.length, to: after.length },
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
    ...(changed.length > 0 && { changed }),
    ...(isReordered && { reordered: true }),
  };
}
