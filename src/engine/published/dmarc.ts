import type { DnsFailure } from '../dns/mx-resolver.js';
import type { TextRecords } from '../dns/text-resolver.js';
import { onlyRecord, type PublishedRecord } from './published-records.js';

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** The record that applies to a domain (RFC 9989). */
export interface DmarcRecord extends PublishedRecord {
  /** Where the record is published, without `_dmarc`: the domain, or one above it; null: there is none. */
  foundAt: string | null;
  /** By the DNS, not by a list of public suffixes. */
  organizationalDomain: string;
  /** What the owner asks for mail of this domain; null: there is no record. */
  policy: DmarcPolicy | null;
  /** The owner asks that the policy is not applied yet. */
  isTesting: boolean;
}

interface FoundRecord {
  domain: string;
  record: string;
  tags: ReadonlyMap<string, string>;
}

const DMARC = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
/** A domain with more labels is followed by its ancestor with so many minus one. */
const MAX_LABELS = 8;

/**
 * Walks from the domain towards the root, with at most eight queries, and selects the record and the organizational
 * domain (RFC 9989 §4.10).
 *
 * @param findTexts of a name.
 * @param exists whether the domain does, as far as the DNS says.
 * @returns the failure of the first look-up that has failed: which record applies is not known then.
 */
export async function findDmarc(
  domain: string,
  findTexts: (name: string) => Promise<TextRecords>,
  exists: Promise<boolean>,
): Promise<DmarcRecord | ({ kind: 'error' } & DnsFailure)> {
  const found: FoundRecord[] = [];
  let own: PublishedRecord = { record: null, error: null };
  for (const name of walkOf(domain)) {
    const texts = await findTexts(`_dmarc.${name}`);
    if (texts.kind === 'error') return texts;
    const one = onlyRecord(texts.texts, DMARC);
    if (name === domain) own = one;
    // A name with several records counts as one without.
    if (one.record === null) continue;
    const tags = tagsOf(one.record);
    found.push({ domain: name, record: one.record, tags });
    if (['y', 'n'].includes(tags.get('psd') ?? '')) break;
  }
  const organizationalDomain = organizationOf(domain, found);
  const applied =
    found.find((one) => one.domain === domain) ??
    found.find((one) => one.domain === organizationalDomain) ??
    found.find(({ tags }) => tags.get('psd') === 'y');
  if (applied === undefined)
    return { ...own, foundAt: null, organizationalDomain, policy: null, isTesting: false };
  const { domain: foundAt, record, tags } = applied;
  const ofMissing = foundAt === domain || (await exists) ? undefined : tags.get('np');
  const ofSubdomain = foundAt === domain ? undefined : tags.get('sp');
  const policy = ofMissing ?? ofSubdomain ?? tags.get('p');
  return {
    record,
    error: own.error,
    foundAt,
    organizationalDomain,
    policy: DMARC_POLICIES.find((name) => name === policy) ?? 'none',
    isTesting: tags.get('t') === 'y',
  };
}

/** The names whose records are looked up, in order. */
export function walkOf(domain: string): string[] {
  const labels = domain.split('.');
  const above = labels.slice(labels.length >= MAX_LABELS ? 1 - MAX_LABELS : 1);
  return [domain, ...above.map((_, n) => above.slice(n).join('.'))];
}

function organizationOf(domain: string, found: readonly FoundRecord[]): string {
  for (const { domain: name, tags } of found) {
    if (tags.get('psd') === 'n') return name;
    if (tags.get('psd') === 'y' && name !== domain) {
      const labels = domain.split('.');
      return labels.slice(-(name.split('.').length + 1)).join('.');
    }
  }
  return found.at(-1)?.domain ?? domain;
}

/** Values in lower case; of a tag that occurs twice, the first. */
function tagsOf(record: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim().toLowerCase());
    if (!tags.has(name)) tags.set(name, value);
  }
  return tags;
}
