import type { ListEntry, RowResult } from '../../../kernel/list-files/list-entry.js';
import type { ListHeader, ListOptions } from '../../../kernel/list-files/list-format.js';
import type { Schedule, Source, SourceSecret } from './schedule.js';

/** A list that is read. */
export interface OpenedList {
  entries: AsyncIterable<readonly ListEntry[]>;
  /** Complete when the entries were read. */
  header: ListHeader;
  options: ListOptions;
}

/** Port: where the rows of schedules come from. */
export abstract class ListSource {
  /**
   * Reading throws RunFailure and MalformedList.
   *
   * @param signal ends the reading. @throws RunFailure
   */
  abstract open(source: Source, secret: SourceSecret, signal: AbortSignal): Promise<OpenedList>;
}

/** Where results are written, and how. */
export type ResultTarget = Pick<Schedule, 'source' | 'onResult'>;

/** Port: where results are written. */
export abstract class ResultWriter {
  /**
   * Can be repeated with the same rows.
   *
   * @returns how many subscribers were not changed although their result asks for it: they are gone or have another
   * address, listmonk refuses the change, or it would change more. @throws RunFailure
   */
  abstract write(
    target: ResultTarget,
    secret: SourceSecret,
    rows: readonly RowResult[],
    signal: AbortSignal,
  ): Promise<number>;
}
