import { Injectable } from '@nestjs/common';
import { DomainLists, type ListEntry } from './domain/disposable-domains.js';
import type { DomainList } from './domain/domain-list.js';
import { ListFiles } from './domain/list-files.js';

/** Where a list comes from, and how long it is. */
export interface ListOrigin extends Omit<DomainList, 'domains'> {
  count: number;
}

/** The lists that name a domain, or one above it. */
export interface Mention {
  pattern: string;
  agreeing: ListOrigin[];
  /** False: people live there, whatever the lists say. */
  believed: boolean;
}

/** Why a domain counts as disposable, or does not, by the lists alone. */
export interface ListReport {
  /** What a verdict would name; null: the domain is not disposable. */
  entry: ListEntry | null;
  privacyRelay: ListEntry | null;
  mentions: Mention[];
  lists: ListOrigin[];
}

/** For whoever wants to know why. */
@Injectable()
export class ListReportService {
  constructor(
    private readonly files: ListFiles,
    private readonly lists: DomainLists,
  ) {}

  /** @param domain A-label, lower case, no final dot. */
  about(domain: string): ListReport {
    const inForce = this.files.current();
    const mentions = this.files.namesHeld(domain).map((pattern) => ({
      pattern,
      agreeing: inForce.filter(({ domains }) => domains.has(pattern)).map(originOf),
      believed: this.files.mayHold(pattern),
    }));
    return {
      entry: this.lists.disposable(domain),
      privacyRelay: this.lists.privacyRelay(domain),
      mentions: mentions.filter(({ agreeing }) => agreeing.length > 0),
      lists: inForce.map(originOf),
    };
  }
}

function originOf({ domains, ...origin }: DomainList): ListOrigin {
  return { ...origin, count: domains.size };
}
