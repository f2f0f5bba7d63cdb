/** The result of one check of the installation. */
export interface Finding {
  /** The name, as in `rcpt doctor --json`. */
  check: string;
  /** The egress that was checked, if there are several; null: all of them. */
  egress: string | null;
  level: FindingLevel;
  /** The result, as a sentence. */
  found: string;
  why: string;
  /** null: nothing to do. */
  whatToDo: string | null;
}

/** `skipped`: could not be run. */
export const FINDING_LEVELS = ['pass', 'warn', 'fail', 'skipped'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** Port: the checks of `rcpt doctor`. */
export abstract class Doctor {
  /** Runs all checks, from this process; takes at most about 12 s. */
  abstract examine(): Promise<readonly Finding[]>;
}
