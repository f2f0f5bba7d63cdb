import { createRequire } from 'node:module';
import { getDomain } from 'tldts';
import { DomainLists, type ListEntry } from '../domain/disposable-domains.js';
import { domainAndParents } from '../../../kernel/domain-name.js';
import { isNeverDisposable } from '../domain/never-disposable.js';
import { privacyRelay } from '../domain/privacy-relays.js';

interface PackagedList {
  /** The package with its version, as installed. */
  source: string;
  domains: ReadonlySet<string>;
}

const SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

const require = createRequire(import.meta.url);

/**
 * The lists that come with the npm packages `mailchecker` (MIT) and `disposable-email-domains-js`
 * (CC0), corrected by the domain's own exceptions.
 *
 * They hold some 60,000 domains: about 40 ms to load and 5 MB of heap, so they are loaded when
 * first asked, and not by a process that never asks.
 */
export class PackagedDomainLists extends DomainLists {
  private lists: PackagedList[] | null = null;

  override disposable(domain: string): ListEntry | null {
    for (const name of upToRegistrable(domain)) {
      if (isNeverDisposable(name)) return null;
      const sources = this.loaded().filter((list) => list.domains.has(name));
      if (sources.length > 0) return { pattern: name, source: sources.map((list) => list.source).join(', ') };
    }
    return null;
  }

  override privacyRelay(domain: string): ListEntry | null {
    return privacyRelay(domain);
  }

  private loaded(): PackagedList[] {
    this.lists ??= [
      { source: installed('mailchecker'), domains: mailchecker() },
      { source: installed('disposable-email-domains-js'), domains: disposableEmailDomains() },
    ];
    return this.lists;
  }
}

/**
 * The domain and what lies above it, down to the name that somebody registered. Private suffixes
 * count as suffixes: `pp.ua` and `ddns.net` are on the lists for some of their customers, and the
 * next customer is another one.
 */
function upToRegistrable(domain: string): string[] {
  const registrable = getDomain(domain, SUFFIXES);
  if (registrable === null) return [];
  return domainAndParents(domain).filter((name) => name.length >= registrable.length);
}

/** The name that somebody registered, by the public suffix list; a suffix stands for itself. */
export function registrableOf(domain: string): string {
  return getDomain(domain, SUFFIXES) ?? domain;
}

function installed(name: string): string {
  const { version } = require(`${name}/package.json`) as { version: string };
  return `${name} ${version}`;
}

function mailchecker(): ReadonlySet<string> {
  return (require('mailchecker') as { blacklist(): Set<string> }).blacklist();
}

function disposableEmailDomains(): ReadonlySet<string> {
  const list = require('disposable-email-domains-js') as { disposableEmailBlocklistSet(): Set<string> };
  return list.disposableEmailBlocklistSet();
}
