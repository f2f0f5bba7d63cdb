import type { ListEntry } from '../../../../kernel/list-files/list-entry.js';
import type { ListHeader, ListOptions } from '../../../../kernel/list-files/list-format.js';
import type { Schedule, Source, SourceSecret } from './schedule.js';
import type { AddressResult } from './address-result.js';

/** A row of a source. */
export interface SourceRow extends ListEntry {
  /** What the source has as its result; missing: nothing. */
  stored?: unknown;
}

/** Where the reading of a source goes on, as the source understands it. It can be stored as JSON. */
export type SourcePlace = object;

/** Some rows of a source. */
export interface SourcePiece {
  rows: readonly SourceRow[];
  /** As far as it is known after these rows. */
  header: ListHeader;
  /** After these rows; null: the source can only be read from its beginning. */
  place: SourcePlace | null;
}

/** A list of a listmonk. */
export interface FoundList {
  id: number;
  name: string;
  /** As listmonk has counted them; null: it does not say. */
  subscribers: number | null;
}

/** What a source says about its rows. */
export interface SourceFacts {
  /** Rows of the whole source, which listmonk may have counted earlier; null: it does not say, or has sent none yet. */
  total: number | null;
  /** null: the source has no lists. */
  lists: readonly FoundList[] | null;
}

/** A list that is read. */
export interface OpenedList {
  pieces: AsyncIterable<SourcePiece>;
  options: ListOptions;
  /** As far as it is known. */
  facts: () => SourceFacts;
}

/** A list that a source does not have, or does not show to this user. */
export interface ListFault {
  list: number;
  state: 'missing' | 'forbidden';
}

/** Where results are written, and how. */
export type ResultTarget = Pick<Schedule, 'source' | 'onResult'>;

/** The result of a subscriber. */
export interface SubscriberResult extends AddressResult {
  /** In the source. */
  id: number;
  email: string;
}

export interface WrittenCounts {
  /** Subscribers that have their result now. */
  written: number;
  /**
   * Subscribers that were not changed although their result asks for it: they are gone, have another address or a newer
   * result, the source refuses the change, or it would change more.
   */
  notWritten: number;
}

/** Whose list is read: teams take turns. */
export type ListOwner = Pick<Schedule, 'source' | 'teamId'>;

/** Port: where the rows of schedules come from, and where their results are written. */
export abstract class ListSource {
  /**
   * Reading throws RunFailure and MalformedList.
   *
   * @param place where an earlier reading has ended; null: from the beginning. @param signal ends the reading.
   * @throws RunFailure
   */
  abstract open(
    owner: ListOwner,
    secret: SourceSecret,
    place: SourcePlace | null,
    signal: AbortSignal,
  ): Promise<OpenedList>;

  /** Which lists of a source cannot be read. Of a source that does not answer this is not known. */
  abstract check(source: Source, secret: SourceSecret): Promise<readonly ListFault[]>;

  /** Can be repeated with the same rows. A source to which nothing is written counts nothing. @throws RunFailure */
  abstract write(
    target: ResultTarget,
    secret: SourceSecret,
    rows: readonly SubscriberResult[],
    signal: AbortSignal,
  ): Promise<WrittenCounts>;
}
