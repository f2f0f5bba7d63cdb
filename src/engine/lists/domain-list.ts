import { parseDomainName } from '../../kernel/text/domain-name.js';

/** A list entry that matches an address. */
export interface ListEntry {
  /** The entry as listed: a domain, which includes its subdomains, or a local part. */
  pattern: string;
  /** The name of the list; for a package, with its version. */
  source: string;
}

/** A team's or operator's decision about a domain; it takes precedence over the lists. */
export interface DisposableOverride {
  verdict: 'disposable' | 'not_disposable';
  /** The domain of the override; includes its subdomains. */
  pattern: string;
  source: 'team' | 'operator';
}

/** Port: lookups in the lists of disposable domains. Domains are A-labels, lower case, no final dot. */
export abstract class DomainLists {
  /** The disposable service at this domain or its nearest parent. */
  abstract disposable(domain: string): ListEntry | null;
}

/** A list of disposable domains and its origin. */
export interface DomainList {
  /** A package with its version, or a file or URL. */
  name: string;
  /** SPDX identifier, as declared by the source. */
  licence: string | null;
  /** When it was read; null: part of a package. */
  readAt: Date | null;
  /** Of the content, in hex; null: part of a package, which the registry verifies. */
  sha256: string | null;
  domains: ReadonlySet<string>;
}

/**
 * The name of a list in verdicts. Verdicts are visible to every team, so the path of a file and the
 * query of a URL are removed.
 */
export function publicName({ name }: Pick<DomainList, 'name'>): string {
  if (/^https?:/i.test(name)) return name.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Why a list was rejected; the message is for the operator. */
export class ListRejected extends Error {}

/** The difference between the current lists and new ones. */
export interface ListChange {
  before: number;
  after: number;
  added: string[];
  removed: string[];
  /** Entries that are ignored: public suffixes, mailbox providers, privacy relays. */
  ignored: string[];
}

/** A list that shrinks by more than this is probably broken. */
const MAX_SHRINKAGE = 0.1;
/** Share of lines that may be invalid; a web page has more. */
const MAX_INVALID_RATIO = 0.01;

/**
 * Parses a list: a JSON array of domains, or one domain per line, with comments behind `#`.
 *
 * @returns A-labels, lower case.
 * @throws ListRejected when it is empty, or is no list of domains.
 */
export function parseList(name: string, text: string): Set<string> {
  if (text.trimStart().startsWith('<'))
    throw new ListRejected(`${name} is a web page; give the URL of the file itself, such as its raw view`);
  const entries = text.trimStart().startsWith('[') ? entriesOfJson(name, text) : entriesOfLines(text);
  const invalid = entries.filter((entry) => domainOf(entry) === null);
  if (entries.length === 0) throw new ListRejected(`${name} contains no domain`);
  if (invalid.length > entries.length * MAX_INVALID_RATIO)
    throw new ListRejected(
      `${name} is not a list of domains: ${JSON.stringify(invalid[0]?.slice(0, 80))} is not a domain`,
    );
  return new Set(entries.flatMap((entry) => domainOf(entry) ?? []));
}

function domainOf(entry: string): string | null {
  const parsed = parseDomainName(entry);
  return parsed.ok && parsed.domain.includes('.') ? parsed.domain : null;
}

/** The difference between two sets of lists. @param ignored entries of the new lists. */
export function changeOf(
  before: readonly DomainList[],
  after: readonly DomainList[],
  ignored: readonly string[],
): ListChange {
  const [old, next] = [unionOf(before), unionOf(after)];
  return {
    before: old.size,
    after: next.size,
    added: [...next].filter((domain) => !old.has(domain)).sort(),
    removed: [...old].filter((domain) => !next.has(domain)).sort(),
    ignored: [...ignored].sort(),
  };
}

/** @throws ListRejected when the lists shrink by more than a tenth. */
export function rejectShrinkage({ before, after }: ListChange): void {
  if (after < before * (1 - MAX_SHRINKAGE))
    throw new ListRejected(
      `the lists would shrink from ${before} to ${after} domains, by more than a tenth; use --force to accept this`,
    );
}

function unionOf(lists: readonly DomainList[]): Set<string> {
  return new Set(lists.flatMap(({ domains }) => [...domains]));
}

function entriesOfLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}

function entriesOfJson(name: string, text: string): string[] {
  const parsed = parseJson(name, text);
  if (!Array.isArray(parsed) || parsed.some((entry) => typeof entry !== 'string'))
    throw new ListRejected(`${name} is JSON, but not an array of domains`);
  return parsed as string[];
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ListRejected(`${name} begins like JSON, but is not valid JSON`);
  }
}
