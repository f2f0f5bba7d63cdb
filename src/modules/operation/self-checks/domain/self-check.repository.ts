import type { SelfCheck, SelfCheckDay } from './self-check.js';

export abstract class SelfCheckRepository {
  /**
   * Claims the next run for this process, if it is due or the last one began before `processStartedAt`, and no other
   * process is running it: for two minutes by the clock of the database.
   */
  abstract claim(now: Date, processStartedAt: Date): Promise<boolean>;

  /** Ends the run that this process has claimed. @returns false if another process has claimed it since. */
  abstract release(startedAt: Date, dueAt: Date): Promise<boolean>;

  /** In order of egress and name. */
  abstract list(): Promise<SelfCheck[]>;

  /** Replaces all checks, and records their day: those that are not among them are no longer made. */
  abstract saveAll(checks: readonly SelfCheck[]): Promise<void>;

  /** The days from this one (`YYYY-MM-DD`), in their order. */
  abstract listDays(since: string): Promise<SelfCheckDay[]>;
}
