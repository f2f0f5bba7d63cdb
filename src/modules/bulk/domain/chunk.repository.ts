import type { TeamId } from '../../../kernel/principal.js';
import type { ChunkKeys } from './hash-range.js';
import type { LeasedChunk } from './chunk.js';

/**
 * Port: the open work of jobs. A chunk is claimed under a lease that expires; completed chunks are
 * deleted, so that none is recorded twice.
 */
export abstract class ChunkRepository {
  /** Within the open unit of work. */
  abstract addChunks(list: string, chunks: readonly ChunkKeys[]): Promise<void>;

  /**
   * Claims the next chunk: of the teams with the fewest claims, the least recently served. Within a
   * list, a process prefers chunks of a provider or large domain that it has begun, but no more than two
   * are verified at a time, so that the servers of all domains have work; then the chunk after the one
   * that it claimed last.
   */
  abstract claimChunk(): Promise<LeasedChunk | null>;

  /** Extends the lease. */
  abstract renewLease(chunk: LeasedChunk): Promise<void>;

  /** @param counts whether it was an attempt; false when the process shuts down. */
  abstract releaseLease(chunk: LeasedChunk, pauseSeconds: number, counts: boolean): Promise<void>;

  /** Within the open unit of work. @returns false when the lease was lost. */
  abstract finishChunk(chunk: LeasedChunk): Promise<boolean>;

  /** Some chunks without a lease, to be enqueued again. */
  abstract waitingChunks(): Promise<{ list: string; no: number }[]>;

  /** Removes a deleted team from the fairness state. */
  abstract removeTeam(teamId: TeamId): Promise<void>;

  /**
   * Deletes the remaining chunks of a job that has ended. Not while the job is locked: recording a
   * chunk locks the chunk first.
   */
  abstract deleteByList(list: string): Promise<void>;
}
