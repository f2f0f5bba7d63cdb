import type { Finding, FindingLevel } from '../domain/finding.js';
import type { DoctorContext } from './doctor-context.js';

export type CheckResult = Pick<Finding, 'level' | 'found' | 'whatToDo'>;

export interface Check extends Pick<Finding, 'check' | 'why'> {
  /** Needs the network, always or depending on the configuration; skipped when there is none. */
  network: boolean | ((context: DoctorContext) => boolean);
  /** Runs once for each egress. */
  perEgress?: true;
  run(context: DoctorContext): Promise<CheckResult>;
}

export const pass = (found: string): CheckResult => ({ level: 'pass', found, whatToDo: null });
export const warn = (found: string, whatToDo: string): CheckResult => ({ level: 'warn', found, whatToDo });
export const fail = (found: string, whatToDo: string): CheckResult => ({ level: 'fail', found, whatToDo });
export const skipped = (found: string, whatToDo: string | null = null): CheckResult => ({
  level: 'skipped',
  found,
  whatToDo,
});

const WORST_FIRST: readonly FindingLevel[] = ['fail', 'warn', 'skipped', 'pass'];

/** Combines several findings: the highest level, with the texts of all findings of that level. */
export function worstOf(results: readonly CheckResult[]): CheckResult {
  const level =
    WORST_FIRST.find((candidate) => results.some((result) => result.level === candidate)) ?? 'skipped';
  const worst = results.filter((result) => result.level === level);
  return {
    level,
    found: worst.map(({ found }) => found).join('; '),
    whatToDo: worst.find(({ whatToDo }) => whatToDo !== null)?.whatToDo ?? null,
  };
}
