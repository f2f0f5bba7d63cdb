import { getDomain } from 'tldts';
import { domainAndParents } from '../../../kernel/text/domain-name.js';
import { Memo } from '../../../kernel/concurrency/memo.js';
import { DomainLists, type ListEntry, publicName, type DomainList } from '../domain-list.js';
import { suggestDomain } from '../../address/did-you-mean.js';
import { isNeverDisposable } from '../never-disposable.js';
import { ListFiles } from '../list-files.js';

const SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** A list has many addresses of one domain. */
const MAX_DOMAINS = 10_000;
/** Domain → its registrable part. */
const REGISTRABLE_PARTS = new Memo<string | null>(MAX_DOMAINS);

/** The current lists without the domains that are never disposable. */
export class CurrentDomainLists extends DomainLists {
  /** Domain → its entry in these lists. */
  private found: { lists: readonly DomainList[]; entries: Memo<ListEntry | null> } | null = null;

  constructor(private readonly files: ListFiles) {
    super();
  }

  override disposable(domain: string): ListEntry | null {
    const lists = this.files.current();
    if (this.found?.lists !== lists) this.found = { lists, entries: new Memo(MAX_DOMAINS) };
    return this.found.entries.get(domain, () => entryFor(domain, lists));
  }
}

function entryFor(domain: string, lists: readonly DomainList[]): ListEntry | null {
  for (const name of namesUpToRegistrable(domain)) {
    if (isNeverDisposable(name)) return null;
    const matching = lists.filter((list) => list.domains.has(name));
    if (matching.length === 0) continue;
    return isMistyped(name) ? null : { pattern: name, source: provenance(matching, lists.length) };
  }
  return null;
}

/** The matching lists with license and date, and the number of all lists. */
function provenance(matching: readonly DomainList[], all: number): string {
  const names = matching.map((list) => {
    const { licence, readAt } = list;
    const date = readAt === null ? [] : [`read ${readAt.toISOString().slice(0, 10)}`];
    const details = [licence ?? 'license unknown', ...date];
    return `${publicName(list)} (${details.join(', ')})`;
  });
  return `${names.join(', ')}; ${matching.length} of ${all} lists`;
}

/**
 * The domain and its parents up to the registrable domain. Private suffixes count as suffixes: `pp.ua`
 * and `ddns.net` are listed because of some of their customers, and other customers are unrelated.
 */
export function namesUpToRegistrable(domain: string): string[] {
  const registrable = registrablePart(domain);
  if (registrable === null) return [];
  return domainAndParents(domain).filter((name) => name.length >= registrable.length);
}

/** Whether a list entry for the domain takes effect. */
export function isListable(domain: string): boolean {
  return namesUpToRegistrable(domain).length > 0 && !isNeverDisposable(domain) && !isMistyped(domain);
}

/**
 * Public lists contain domains such as `gmial.com`, where people who meant a well-known provider have typed their
 * address. No disposable service is there.
 */
function isMistyped(domain: string): boolean {
  return suggestDomain(domain) !== null;
}

/** The registrable domain by the public suffix list; a suffix is returned unchanged. */
export function registrableOf(domain: string): string {
  return registrablePart(domain) ?? domain;
}

function registrablePart(domain: string): string | null {
  return REGISTRABLE_PARTS.get(domain, () => getDomain(domain, SUFFIXES));
}
