import { DECISIONS } from '../../../../kernel/verdict.js';
import { isObject, type JsonShape } from '../../../../platform/database/checks/data-checks.js';

/** Every verdict of the team is read with them. */
export const POLICY_SHAPES: readonly JsonShape[] = [{ column: 'policies.rules', isValid: isRules }];

function isRules(stored: unknown): boolean {
  return Array.isArray(stored) && stored.every(isRule);
}

function isRule(rule: unknown): boolean {
  if (!isObject(rule)) return false;
  const { id, when, unless, decision } = rule;
  const isKnown = DECISIONS.some((each) => each === decision);
  return typeof id === 'string' && isKnown && isObject(when) && (unless === null || isObject(unless));
}
