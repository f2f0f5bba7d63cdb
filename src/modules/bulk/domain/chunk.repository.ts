import type { TeamId } from '../../../kernel/principal.js';
import type { HashRange } from './hash-range.js';
import type { LeasedChunk } from './chunk.js';

/**
 * Port: the work that open jobs have left. A part is held under a lease that ends by itself; parts
 * that are done are gone, so none is done twice.
 */
export abstract class ChunkRepository {
  /** Part of the open unit of work. */
  abstract addChunks(list: string, ranges: readonly HashRange[]): Promise<void>;

  /** The next chunk of the team whose turn it is: of those who have the fewest in hand, the one served longest ago. */
  abstract claimChunk(): Promise<LeasedChunk | null>;

  /** Says that the chunk is still worked on. */
  abstract renewLease(chunk: LeasedChunk): Promise<void>;

  /** @param counts whether it was a try; a process that is asked to end has not tried. */
  abstract releaseLease(chunk: LeasedChunk, pauseSeconds: number, counts: boolean): Promise<void>;

  /** Part of the open unit of work. @returns false: it was done by somebody else, or is no longer ours. */
  abstract finishChunk(chunk: LeasedChunk): Promise<boolean>;

  /** Some chunks that nobody holds; to be rung for again. */
  abstract waitingChunks(): Promise<{ list: string; no: number }[]>;

  /** A team that is gone is never next. */
  abstract forgetTeam(teamId: TeamId): Promise<void>;

  /** Drops the chunks that are left of a job that has ended. Not while its job is held: who records a chunk holds that first. */
  abstract drop(list: string): Promise<void>;
}
