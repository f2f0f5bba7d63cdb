import { Injectable } from '@nestjs/common';
import { privacyRelay } from '../../engine/lists/privacy-relays.js';
import { DomainLists, type ListEntry, type DomainList, ListFiles } from '../../engine/lists/domain-list.js';

/** The origin and the size of a list. */
export interface ListOrigin extends Omit<DomainList, 'domains'> {
  count: number;
}

/** The lists that contain a domain, or a parent of it. */
export interface ListMatch {
  pattern: string;
  matching: ListOrigin[];
  /** False: the entry is ignored, because the domain hosts regular mailboxes. */
  effective: boolean;
}

/** Why a domain is disposable, or not, by the lists alone. */
export interface ListReport {
  /** The entry that a verdict names; null: not disposable. */
  entry: ListEntry | null;
  privacyRelay: ListEntry | null;
  matches: ListMatch[];
  lists: ListOrigin[];
}

@Injectable()
export class ListReportService {
  constructor(
    private readonly files: ListFiles,
    private readonly lists: DomainLists,
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
      lists: current.map(originOf),
    };
  }
}

function originOf({ domains, ...origin }: DomainList): ListOrigin {
  return { ...origin, count: domains.size };
}
