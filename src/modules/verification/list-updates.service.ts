import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import {
  changeOf,
  ListRejected,
  parseList,
  rejectShrinkage,
  type DomainList,
  type ListChange,
  ListFiles,
} from '../../engine/lists/domain-list.js';

export { ListRejected, type ListChange } from '../../engine/lists/domain-list.js';

/** A list as read from its source. */
export interface ReadList {
  /** The file or URL. */
  name: string;
  licence: string | null;
  text: string;
}

@Injectable()
export class ListUpdatesService {
  constructor(
    private readonly files: ListFiles,
    private readonly clock: Clock,
  ) {}

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
      const entries = [...parseList(name, text)];
      const [effective, excluded] = divide(entries, (domain) => this.files.isListable(domain));
      for (const domain of excluded) ignored.add(domain);
      if (effective.length === 0)
        throw new ListRejected(`${name} contains no domain that could be disposable`);
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name, licence, readAt, sha256, domains: new Set(effective) };
    });
    const change = changeOf(this.effectiveListOf(this.files.current()), lists, [...ignored]);
    if (!force) rejectShrinkage(change);
    if (!dryRun) await this.files.replace(lists);
    return change;
  }

  /** The origins of the current lists, except packages. */
  sources(): readonly Omit<DomainList, 'domains'>[] {
    return this.files.current().map(({ domains: _, ...origin }) => origin);
  }

  private effectiveListOf(lists: readonly DomainList[]): DomainList[] {
    return lists.map((list) => ({
      ...list,
      domains: new Set([...list.domains].filter((domain) => this.files.isListable(domain))),
    }));
  }
}

function divide<T>(items: readonly T[], holds: (item: T) => boolean): [T[], T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}
