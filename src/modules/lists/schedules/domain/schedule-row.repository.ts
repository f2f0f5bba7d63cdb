import type { ListEntry } from '../../../../kernel/list-files/list-entry.js';
import type { Reason } from '../../../../kernel/verdict.js';
import type { SubscriberResult } from './list-source.js';
import type { ScheduleRun } from './schedule-run.js';

/** A row that must be verified. */
export interface DueRow extends ListEntry {
  /** In hexadecimal. */
  addressKey: string;
}

/** A result that is written next. */
export interface PendingResult extends SubscriberResult {
  /** It is a finding of the DNS alone that was made for the first time lately: it is written on confirmation only. */
  isPostponed: boolean;
}

/** A stored row, with its place in the order of all. */
export type Stored<Row> = Row & { index: number };

export type RunReference = Pick<ScheduleRun, 'id' | 'scheduleId'>;

/** Port: rows that runs have read and not submitted yet, and results that they have not written yet. */
export abstract class ScheduleRowRepository {
  abstract addDue(run: RunReference, rows: readonly DueRow[]): Promise<void>;

  abstract addResults(run: RunReference, rows: readonly PendingResult[]): Promise<void>;

  /** In the order in which they were added. @param after the index of the last one before; -1: the first ones. */
  abstract listDue(run: RunReference, after: number, limit: number): Promise<Stored<DueRow>[]>;

  /** As `listDue`. */
  abstract listResults(run: RunReference, limit: number): Promise<Stored<PendingResult>[]>;

  /** The results that ask for a subscriber to be blocklisted, by their reason. */
  abstract countUndeliverable(run: RunReference): Promise<ReadonlyMap<Reason, number>>;

  abstract delete(run: RunReference, indexes: readonly number[]): Promise<void>;

  /** In batches, not in a unit of work. */
  abstract deleteDue(run: RunReference): Promise<void>;

  /** As `deleteDue`, with the results. */
  abstract deleteAll(run: RunReference): Promise<void>;

  /** Of all schedules. @returns how many were deleted. */
  abstract deleteAddress(addressKey: string): Promise<number>;
}
