import type { Mode } from '../../../kernel/principal.js';
import type { Verdict } from '../../../kernel/verdict.js';
import type { HashRange } from './hash-range.js';

/** An address of a list, and how often it stands there. */
export interface ListedAddress {
  hash: Buffer;
  /** As its first row spells it. */
  email: string;
  rows: number;
}

/** What came of an address. */
export interface AddressResult extends ListedAddress {
  verdict: Verdict;
  /** The network was asked for it. */
  asked: boolean;
}

/** Whoever holds a part of the work, as long as they say so in time. */
export interface Held {
  list: string;
  /** Only who shows it may say what came of the part. */
  lease: string;
}

export interface LeasedChunk extends Held, HashRange {
  no: number;
  mode: Mode;
  /** How often it was taken up, this time included. */
  attempts: number;
}
