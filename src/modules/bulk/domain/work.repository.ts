import type { HashRange } from './hash-range.js';
import type { AddressResult, Held, HeldChunk, HeldParked, ParkedAddress } from './part.js';

/**
 * Port: the work that open jobs have left. A part is held under a lease that ends by itself; parts
 * that are done are gone, so none is done twice.
 */
export abstract class WorkRepository {
  /** Part of the open unit of work. */
  abstract addChunks(list: string, ranges: readonly HashRange[]): Promise<void>;

  /** The next chunk of the team whose turn it is: of those who have the fewest in hand, the one served longest ago. */
  abstract claimChunk(): Promise<HeldChunk | null>;

  /** Says that the chunk is still worked on. */
  abstract keepChunk(chunk: HeldChunk): Promise<void>;

  /** @param counts whether it was a try; a process that is asked to end has not tried. */
  abstract giveBackChunk(chunk: HeldChunk, pauseSeconds: number, counts: boolean): Promise<void>;

  /** Part of the open unit of work. @returns false: it was done by somebody else, or is no longer ours. */
  abstract finishChunk(chunk: HeldChunk): Promise<boolean>;

  /** Some chunks that nobody holds; to be rung for again. */
  abstract waitingChunks(): Promise<{ list: string; no: number }[]>;

  /** Part of the open unit of work. */
  abstract park(list: string, results: readonly AddressResult[], now: Date, due: Date): Promise<void>;

  /** Some addresses of one list that are to be asked again by now. */
  abstract claimParked(now: Date): Promise<HeldParked | null>;

  abstract keepParked(held: Held): Promise<void>;

  /** As if they had not been taken up. */
  abstract giveBackParked(held: Held): Promise<void>;

  /** Asks it again at that time; part of the open unit of work. @returns false: it is no longer ours. */
  abstract postpone(held: Held, address: ParkedAddress, due: Date): Promise<boolean>;

  /** Takes them up for good; part of the open unit of work. @returns those that were still ours. */
  abstract takeParked(held: Held, hashes: readonly Buffer[]): Promise<Buffer[]>;

  /** Takes up some of what a list has parked, due or not; part of the open unit of work. */
  abstract takeAnyParked(list: string, limit: number): Promise<ParkedAddress[]>;

  /** Whether anything is due to be asked again. */
  abstract hasParked(now: Date): Promise<boolean>;

  /** Drops what is left of a job that has ended. Not while its job is held: who records a chunk holds that first. */
  abstract drop(list: string): Promise<void>;
}
