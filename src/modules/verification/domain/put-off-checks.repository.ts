import type { Verdict } from '../../../kernel/verdict.js';
import type { PutOffCheck } from './put-off-check.js';

/** Port: the checks to be asked again. */
export abstract class PutOffChecksRepository {
  /**
   * @param addressKey `EmailAddress.key`: the team's one check of it that waits already stays as it is.
   * @returns when that one is due.
   */
  abstract add(check: Omit<PutOffCheck, 'askedAgain'>, addressKey: string, due: Date): Promise<Date>;

  /** Takes some that are due, for so long; any number of workers may take at once, and none takes the same. */
  abstract claim(now: Date, until: Date, limit: number, lease: string): Promise<PutOffCheck[]>;

  /** Puts one off again. @returns false when the lease has passed to somebody else. */
  abstract postpone(id: string, lease: string, due: Date): Promise<boolean>;

  /** Keeps the verdict until it is to be erased. @returns false when the lease has passed to somebody else. */
  abstract finish(id: string, lease: string, verdict: Verdict, now: Date, eraseAt: Date): Promise<boolean>;

  /** The verdict of one that is done; null when it was erased, or is not done. */
  abstract verdict(id: string): Promise<Verdict | null>;

  /** @returns how many verdicts were erased. */
  abstract eraseDue(now: Date): Promise<number>;
}
