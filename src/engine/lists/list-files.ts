import type { DomainList } from './domain-list.js';

/** Port: storage of the lists of disposable domains. */
export abstract class ListFiles {
  /** The current lists. A replacement by another process takes effect within seconds. */
  abstract current(): readonly DomainList[];

  /**
   * Whether a list entry for the domain takes effect: not a public suffix, a mailbox provider or a
   * privacy relay.
   */
  abstract isListable(domain: string): boolean;

  /** The names that may be listed for a domain: itself and its parents up to the registrable domain. */
  abstract listableNames(domain: string): string[];

  /** Replaces the lists atomically, for every process that shares the directory. */
  abstract replace(lists: readonly DomainList[]): Promise<void>;
}
