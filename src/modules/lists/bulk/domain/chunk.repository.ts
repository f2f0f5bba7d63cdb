import type { ListId } from '../../../../kernel/ids.js';
import type { UniqueBy } from '../../../../kernel/list-files/list-format.js';
import type { Mode, TeamId } from '../../../../kernel/principal.js';
import { TeamWork } from '../../../../kernel/queue/team-work.js';
import type { ChunkKeys } from './hash-range.js';
import type { AddressResult } from './list.repository.js';

/** A chunk that is claimed under a lease. */
export interface LeasedChunk extends ChunkKeys {
  listId: ListId;
  no: number;
  /** Required to record results. */
  lease: string;
  /** Of its job, which may have ended since. */
  teamId: TeamId;
  mode: Mode;
  refresh: boolean;
  /** As of its job. */
  maxAge: number | null;
  uniqueBy: UniqueBy;
  /** Its job has not begun. */
  isQueued: boolean;
  /** The trace of its submission; null: it was not traced. */
  traceparent: string | null;
  /** Claims since the last recorded result, including this one. */
  attempts: number;
  /** Addresses with a recorded result. */
  recorded: number;
}

/** Results of a chunk that are recorded now. */
export interface ChunkResults {
  chunk: LeasedChunk;
  results: readonly AddressResult[];
  /** The chunk is complete with them, and is deleted. */
  isLast: boolean;
}

/**
 * Port: the open work of jobs. The results of a chunk are recorded under its lease; completed chunks are deleted. So
 * no address is recorded twice.
 *
 * Within a list, chunks of servers that no process has begun are claimed first, after the one that this process
 * claimed last; then those of servers that it has begun. Of one provider or large domain at most two are claimed at a
 * time.
 */
export abstract class ChunkRepository extends TeamWork<LeasedChunk> {
  /** Within the open unit of work. */
  abstract add(listId: ListId, chunks: readonly ChunkKeys[]): Promise<void>;

  /** In the order of their numbers. @param from the first number. */
  abstract listKeys(listId: ListId, from: number, limit: number): Promise<ChunkKeys[]>;

  /** Within the open unit of work. @returns the leases that are held; nothing may be recorded under others. */
  abstract advance(listId: ListId, parts: readonly ChunkResults[]): Promise<ReadonlySet<string>>;

  /**
   * Deletes the remaining chunks of a job that has ended. Not while the job is locked: recording a
   * chunk locks the chunk first.
   */
  abstract deleteByList(listId: ListId): Promise<void>;
}
