import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import {
  changeOf,
  ListRefused,
  parseList,
  refuseShrinkage,
  type DomainList,
  type ListChange,
} from './domain/domain-list.js';
import { ListFiles } from './domain/list-files.js';

export { ListRefused, type ListChange } from './domain/domain-list.js';

/** A list as it was read. */
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
   * Puts lists in the place of those in force. What they say of public suffixes, providers of
   * mailboxes and privacy relays is not taken over.
   *
   * @param force also when they would shrink by more than a tenth.
   * @param dryRun tells what would change, and changes nothing.
   * @throws ListRefused when one is no list of domains, or they would shrink; nothing is changed then.
   */
  async update(
    read: readonly ReadList[],
    { force, dryRun }: { force: boolean; dryRun: boolean },
  ): Promise<ListChange> {
    const ignored = new Set<string>();
    const readAt = this.clock.now();
    const lists = read.map(({ name, licence, text }): DomainList => {
      const entries = [...parseList(name, text)];
      const [believed, not] = divide(entries, (domain) => this.files.mayHold(domain));
      for (const domain of not) ignored.add(domain);
      if (believed.length === 0) throw new ListRefused(`${name} holds no domain that could be disposable`);
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name, licence, readAt, sha256, domains: new Set(believed) };
    });
    const change = changeOf(this.believedOf(this.files.current()), lists, [...ignored]);
    if (!force) refuseShrinkage(change);
    if (!dryRun) await this.files.replace(lists);
    return change;
  }

  /** Where the lists in force came from; packages have come with the program. */
  sources(): readonly Omit<DomainList, 'domains'>[] {
    return this.files.current().map(({ domains: _, ...origin }) => origin);
  }

  private believedOf(lists: readonly DomainList[]): DomainList[] {
    return lists.map((list) => ({
      ...list,
      domains: new Set([...list.domains].filter((domain) => this.files.mayHold(domain))),
    }));
  }
}

function divide<T>(items: readonly T[], holds: (item: T) => boolean): [T[], T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}
