import { randomId } from '../../api/random-id';
import { toConditions, type Condition } from './condition-fields';
import { MEMBERS, valuesOf, type Conditions, type PolicyRule } from './rules';

/** A rule as it is edited. */
export interface RuleDraft {
  decision: PolicyRule['decision'];
  when: readonly Condition[];
  unless: readonly Condition[];
  note: string;
  /** The last day, in UTC; '': none. */
  until: string;
}

const DAY_MS = 86_400_000;

/** @param rule null: a new one. */
export function draftOf(rule: PolicyRule | null): RuleDraft {
  if (rule === null)
    return {
      decision: 'reject',
      when: [{ member: 'checks', values: [], match: 'any' }],
      unless: [],
      note: '',
      until: '',
    };
  return {
    decision: rule.decision,
    when: conditionsOf(rule.when),
    unless: conditionsOf(rule.unless),
    note: rule.note ?? '',
    until: lastDayOf(rule.expires_at),
  };
}

const conditionsOf = (conditions: Conditions | null): Condition[] =>
  MEMBERS.map((member) => ({ member, values: valuesOf(conditions?.[member]), match: 'all' as const })).filter(
    ({ values }) => values.length > 0,
  );

/** The last day on which something is valid that ends then. */
function lastDayOf(end: string | null): string {
  return end === null ? '' : new Date(Date.parse(end) - 1).toISOString().slice(0, 10);
}

/**
 * The rules of the draft: several where one of several properties is enough, because the properties of one rule are
 * true together.
 *
 * @param rule that is edited; null: a new one.
 */
export function rulesOf(draft: RuleDraft, rule: PolicyRule | null): PolicyRule[] {
  const { decision, when, unless, note, until } = draft;
  // An end that was set elsewhere may have a time.
  const isSameDay = until !== '' && rule !== null && lastDayOf(rule.expires_at) === until;
  const end = until === '' ? null : new Date(Date.parse(until) + DAY_MS).toISOString().replace('.000', '');
  const checks = when.find(({ member, match }) => member === 'checks' && match === 'any');
  const eachCheck = (checks?.values ?? []).map((value) => [value]);
  const alternatives = eachCheck.length > 1 ? eachCheck : [checks?.values ?? []];
  return alternatives.map((values, n) => ({
    id: n === 0 && rule !== null ? rule.id : `rule_${randomId()}`,
    when: toConditions(when.map((each) => (each === checks ? { ...each, values } : each))),
    unless: unless.length === 0 ? null : toConditions(unless),
    decision,
    note: note || null,
    expires_at: isSameDay ? rule.expires_at : end,
  }));
}

/** Whether the draft has all values that its conditions need. */
export const isComplete = ({ when, unless }: RuleDraft) =>
  [...when, ...unless].every(({ values }) => values.length > 0);
