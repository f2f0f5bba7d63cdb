import { parseDomainName } from '../../../kernel/domain-name.js';

/** A list of disposable domains, and where it comes from. */
export interface DomainList {
  /** A package with its version, or the file or URL that was read. */
  name: string;
  /** SPDX identifier, as whoever brought it says. */
  licence: string | null;
  /** When it was read; null: it came with the package. */
  readAt: Date | null;
  /** Of what was read, in hex; null: the package's own registry vouches for it. */
  sha256: string | null;
  domains: ReadonlySet<string>;
}

/**
 * What verdicts call a list: every team reads them, and neither an operator's folders nor the
 * secrets in a URL's query are theirs to know.
 */
export function publicName({ name }: Pick<DomainList, 'name'>): string {
  if (/^https?:/i.test(name)) return name.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** What a list was refused for, in a sentence for the operator. */
export class ListRefused extends Error {}

/** A change of the lists in force, as somebody sees it before they trust it. */
export interface ListChange {
  before: number;
  after: number;
  added: string[];
  removed: string[];
  /** Entries that are no claim to be believed: public suffixes, providers of mailboxes, privacy relays. */
  ignored: string[];
}

/** A list that would shrink by more is more likely broken than better. */
const MOST_SHRINKAGE = 0.1;
/** Of its lines, so many may be no domain names; a web page has more. */
const MOST_NONSENSE = 0.01;

/**
 * Reads a list: a JSON array of domains, or a domain a line, with comments behind `#`.
 *
 * @returns A-labels, lower case.
 * @throws ListRefused when it is empty, or no list of domains.
 */
export function parseList(name: string, text: string): Set<string> {
  if (text.trimStart().startsWith('<'))
    throw new ListRefused(`${name} is a web page; give the URL of the file itself, such as its raw view`);
  const entries = text.trimStart().startsWith('[') ? entriesOfJson(name, text) : entriesOfLines(text);
  const nonsense = entries.filter((entry) => domainOf(entry) === null);
  if (entries.length === 0) throw new ListRefused(`${name} holds no domain`);
  if (nonsense.length > entries.length * MOST_NONSENSE)
    throw new ListRefused(
      `${name} is no list of domains: ${JSON.stringify(nonsense[0]?.slice(0, 80))} is none`,
    );
  return new Set(entries.flatMap((entry) => domainOf(entry) ?? []));
}

function domainOf(entry: string): string | null {
  const parsed = parseDomainName(entry);
  return parsed.ok && parsed.domain.includes('.') ? parsed.domain : null;
}

/** What changes when lists take the place of others. @param ignored of the new ones. */
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

/** @throws ListRefused when they would shrink by more than a tenth. */
export function refuseShrinkage({ before, after }: ListChange): void {
  if (after < before * (1 - MOST_SHRINKAGE))
    throw new ListRefused(
      `the lists would shrink from ${before} to ${after} domains, by more than a tenth; with --force they do`,
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
    throw new ListRefused(`${name} is JSON, but no array of domains`);
  return parsed as string[];
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ListRefused(`${name} begins like JSON and is none`);
  }
}
