import type { DomainList } from './domain-list.js';

/** Port: where the lists of disposable domains are kept. */
export abstract class ListFiles {
  /** Those in force; whoever replaced them, this process knows it within seconds. */
  abstract current(): readonly DomainList[];

  /** Whether a list's word about the domain would be believed: nobody lives there, and it is one customer's. */
  abstract mayHold(domain: string): boolean;

  /** The names of the domain that a list may hold: itself and those above it, down to the one that somebody registered. */
  abstract namesHeld(domain: string): string[];

  /** Puts others in their place, for every process that shares the directory; whole, or not at all. */
  abstract replace(lists: readonly DomainList[]): Promise<void>;
}
