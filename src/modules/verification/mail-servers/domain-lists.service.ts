import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Clock } from '../../../kernel/clock.js';
import { type ListEntry } from '../../../engine/lists/domain-list.js';
import {
  changeOf,
  ListRejected,
  parseList,
  rejectShrinkage,
  type DomainList,
  type ListChange,
  DomainLists,
} from '../../../engine/lists/domain-list.js';
import { privacyRelay } from '../../../engine/lists/privacy-relays.js';
import { ListFiles } from '../../../engine/lists/list-files.js';

export { ListRejected, type ListChange } from '../../../engine/lists/domain-list.js';

export interface ReadList {
  /** The file or URL. */
  name: string;
  licence: string | null;
  text: string;
}

/** The origin and the size of a list. */
export interface ListOrigin extends Omit<DomainList, 'domains'> {
  count: number;
}

/** Why a domain is disposable, or not, by the lists alone. */
export interface ListReport {
  /** The entry that a verdict names; null: not disposable. */
  entry: ListEntry | null;
  privacyRelay: ListEntry | null;
  /** The lists that contain the domain, or a parent of it; not effective: the domain hosts regular mailboxes. */
  matches: { pattern: string; matching: ListOrigin[]; effective: boolean }[];
  lists: ListOrigin[];
}

@Injectable()
export class DomainListsService {
  constructor(
    private readonly files: ListFiles,
    private readonly lists: DomainLists,
    private readonly clock: Clock,
  ) {}

  /** @param domain A-label, lower case, no final dot. */
  about(domain: string): ListReport {
    const current = this.files.current();
    const matches = this.files.listableNames(domain).map((pattern) => ({
      pattern,
      matching: current.filter(({ domains }) => domains.has(pattern)).map(originOf),
      effective: this.files.isListable(pattern),
    }));
    return {
      entry: this.lists.disposable(domain),
      privacyRelay: privacyRelay(domain),
      matches: matches.filter(({ matching }) => matching.length > 0),
      lists: this.origins(),
    };
  }

  origins(): ListOrigin[] {
    return this.files.current().map(originOf);
  }

  /**
   * Replaces the current lists. Entries for public suffixes, mailbox providers and privacy relays are
   * ignored.
   *
   * @param force accept lists that shrink by more than a tenth.
   * @param dryRun return the changes without applying them.
   * @throws ListRejected when one is no list of domains, or the lists shrink; nothing is changed then.
   */
  async update(
    read: readonly ReadList[],
    { force, dryRun }: { force: boolean; dryRun: boolean },
  ): Promise<ListChange> {
    const ignored = new Set<string>();
    const readAt = this.clock.now();
    const lists = read.map(({ name, licence, text }): DomainList => {
      const entries = parseList(name, text);
      const domains = this.listableOf(entries);
      for (const domain of entries) if (!domains.has(domain)) ignored.add(domain);
      if (domains.size === 0) throw new ListRejected(`${name} contains no domain that could be disposable`);
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name, licence, readAt, sha256, domains };
    });
    const before = this.files.current().map((list) => ({ ...list, domains: this.listableOf(list.domains) }));
    const change = changeOf(before, lists, [...ignored]);
    if (!force) rejectShrinkage(change);
    if (!dryRun) await this.files.replace(lists);
    return change;
  }

  private listableOf(domains: ReadonlySet<string>): Set<string> {
    return new Set([...domains].filter((domain) => this.files.isListable(domain)));
  }
}

function originOf({ domains, ...origin }: DomainList): ListOrigin {
  return { ...origin, count: domains.size };
}
