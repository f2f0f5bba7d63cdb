import { getDomain } from 'tldts';
import { domainAndParents } from '../../../kernel/domain-name.js';
import { DomainLists, type ListEntry } from '../domain/disposable-domains.js';
import { publicName, type DomainList } from '../domain/domain-list.js';
import type { ListFiles } from '../domain/list-files.js';
import { isNeverDisposable } from '../domain/never-disposable.js';
import { privacyRelay } from '../domain/privacy-relays.js';

const SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** The lists in force, corrected by the domain's own exceptions. */
export class CurrentDomainLists extends DomainLists {
  constructor(private readonly files: ListFiles) {
    super();
  }

  override disposable(domain: string): ListEntry | null {
    const lists = this.files.current();
    for (const name of upToRegistrable(domain)) {
      if (isNeverDisposable(name)) return null;
      const agreeing = lists.filter((list) => list.domains.has(name));
      if (agreeing.length > 0) return { pattern: name, source: provenance(agreeing, lists.length) };
    }
    return null;
  }

  override privacyRelay(domain: string): ListEntry | null {
    return privacyRelay(domain);
  }
}

/** Who says so, under which licence and as of when, and how many of all lists that is. */
function provenance(agreeing: readonly DomainList[], all: number): string {
  const names = agreeing.map((list) => {
    const { licence, readAt } = list;
    const date = readAt === null ? [] : [`read ${readAt.toISOString().slice(0, 10)}`];
    const details = [licence ?? 'licence not told', ...date];
    return `${publicName(list)} (${details.join(', ')})`;
  });
  return `${names.join(', ')}; ${agreeing.length} of ${all} lists`;
}

/**
 * The domain and what lies above it, down to the name that somebody registered. Private suffixes
 * count as suffixes: `pp.ua` and `ddns.net` are on the lists for some of their customers, and the
 * next customer is another one.
 */
export function upToRegistrable(domain: string): string[] {
  const registrable = getDomain(domain, SUFFIXES);
  if (registrable === null) return [];
  return domainAndParents(domain).filter((name) => name.length >= registrable.length);
}

/** Whether a list's word about the domain is to be believed. */
export function mayBeListed(domain: string): boolean {
  return upToRegistrable(domain).length > 0 && !isNeverDisposable(domain);
}

/** The name that somebody registered, by the public suffix list; a suffix stands for itself. */
export function registrableOf(domain: string): string {
  return getDomain(domain, SUFFIXES) ?? domain;
}
