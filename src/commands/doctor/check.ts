import type { Config } from '../../platform/config/config.js';
import type { DoctorContext } from './doctor-context.js';

/** `skipped`: could not be asked; nothing is known. */
export type Level = 'pass' | 'warn' | 'fail' | 'skipped';

export interface Finding {
  level: Level;
  /** What was seen, in a sentence. */
  found: string;
  /** null: nothing. */
  whatToDo: string | null;
}

export interface Check {
  /** As `--json` names it. */
  name: string;
  why: string;
  /** Asks others, always or as it is configured, and is then skipped where nobody can be asked. */
  network: boolean | ((config: Config) => boolean);
  run(around: DoctorContext): Promise<Finding>;
}

export const pass = (found: string): Finding => ({ level: 'pass', found, whatToDo: null });
export const warn = (found: string, whatToDo: string): Finding => ({ level: 'warn', found, whatToDo });
export const fail = (found: string, whatToDo: string): Finding => ({ level: 'fail', found, whatToDo });
export const skipped = (found: string, whatToDo: string | null = null): Finding => ({
  level: 'skipped',
  found,
  whatToDo,
});

const BY_WEIGHT: readonly Level[] = ['fail', 'warn', 'skipped', 'pass'];

/** Of several findings the gravest; what was found is told of all that are as grave. */
export function gravest(findings: readonly Finding[]): Finding {
  const level = BY_WEIGHT.find((weight) => findings.some((each) => each.level === weight)) ?? 'skipped';
  const grave = findings.filter((each) => each.level === level);
  return {
    level,
    found: grave.map(({ found }) => found).join('; '),
    whatToDo: grave.find(({ whatToDo }) => whatToDo !== null)?.whatToDo ?? null,
  };
}
