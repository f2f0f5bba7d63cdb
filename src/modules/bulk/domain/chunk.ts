import type { ListId } from '../../../kernel/ids.js';
import type { Mode, TeamId } from '../../../kernel/principal.js';
import type { Verdict } from '../../../kernel/verdict.js';
import type { ChunkKeys } from './hash-range.js';

/** An address of a list and the number of its rows. */
export interface ListedAddress {
  /** The key within the list: `ListLocation.key`. */
  hash: Buffer;
  /** As spelled in its first row. */
  email: string;
  rows: number;
  /** The index of its first row; null: not known. */
  firstRow: number | null;
}

/** The verdict of an address. */
export interface AddressResult extends ListedAddress {
  verdict: Verdict;
  /** The network was probed for it. */
  probed: boolean;
}

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
  /** Its job has not begun. */
  isQueued: boolean;
  /** The trace of its submission; null: it was not traced. */
  traceparent: string | null;
  /** Claims since the last recorded result, including this one. */
  attempts: number;
  /** Addresses with a recorded result. */
  recorded: number;
}

/** What is recorded of a chunk. */
export interface ChunkProgress {
  no: number;
  lease: string;
  /** Addresses that get a result now. */
  recorded: number;
  /** The chunk is complete, and is deleted. */
  isLast: boolean;
}
