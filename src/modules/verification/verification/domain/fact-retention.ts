import type { Status } from '../../../../kernel/verdict.js';
import type { EmailAddress } from '../../../../engine/address/email-address.js';
import type { AddressFacts, Evidence } from '../../../../engine/evidence.js';
import { isNeverCatchAll } from '../../../../engine/providers/mail-exchange.js';
import { judge, type JudgingRules } from '../../../../engine/judge.js';
import type { FactsRecord } from './address-facts.repository.js';
import { DAY_MS } from '../../../../kernel/durations.js';

/** Lifetime of facts in days, by the status of their verdict. Unknown results are not stored. */
const DAYS: Readonly<Record<Status, number>> = { deliverable: 7, undeliverable: 7, risky: 1, unknown: 0 };

/** The result of the network, and the facts that the caller stores. */
export interface ProbedAddress {
  evidence: Evidence;
  factsToStore: readonly FactsRecord[];
}

/** The facts to store: of the address, and whether its domain is catch-all. */
export function factsToStore(
  evidence: Evidence,
  now: Date,
  retentionDays: number,
  rules: JudgingRules,
): FactsRecord[] {
  // Without a server reply there is only DNS data, which the DNS client caches.
  if (evidence.kind !== 'probed' || evidence.facts.probe === null) return [];
  const { status } = judge(evidence, { ...rules, roleIsRisky: false });
  const days = Math.min(DAYS[status], retentionDays);
  if (days === 0) return [];
  const { address, facts } = evidence;
  const expiresIn = (kept: number) => new Date(now.getTime() + kept * DAY_MS);
  const own = { key: address.key, facts: withoutAddress(facts, address), observedAt: now };
  const ofDomain = { key: domainKeyOf(address.domain), facts: { ...facts, probe: null }, observedAt: now };
  return [
    { ...own, expiresAt: expiresIn(days) },
    ...(showsCatchAll(address.domain, facts) ? [{ ...ofDomain, expiresAt: expiresIn(1) }] : []),
  ];
}

/** Under which a team stores whether a domain is catch-all. No address has this key. */
export function domainKeyOf(domain: string): string {
  return `@${domain}`;
}

/** More than the table of providers does. */
function showsCatchAll(domain: string, { route, catchAll }: AddressFacts): boolean {
  if (catchAll === 'unknown' || route.kind !== 'hosts') return false;
  return catchAll === 'yes' || !isNeverCatchAll(domain, route.hosts);
}

/** Replies quote the recipient's address; facts are stored under a hash and must not contain it. */
function withoutAddress(facts: AddressFacts, address: EmailAddress): AddressFacts {
  const reply = facts.probe?.evidence;
  if (!facts.probe || !reply?.text) return facts;
  const { mailbox, mailboxAsWritten, normalized, localPart } = address;
  const spellings = [...new Set([mailbox, mailboxAsWritten ?? mailbox, normalized, localPart])];
  const text = [reply.text, ...spellings].some((line) => NON_ASCII.test(line))
    ? replacedInUnicode(reply.text, spellings)
    : replacedInAscii(reply.text, spellings);
  return { ...facts, probe: { ...facts.probe, evidence: { ...reply, text } } };
}

const SUBSTITUTE = '[address]';
const NON_ASCII = /[^\x00-\x7F]/;

function replacedInUnicode(text: string, spellings: readonly string[]): string {
  const pattern = `(?<![\\w.+-])(?:${spellings.map(escaped).join('|')})(?![\\w+-])`;
  return text.replace(new RegExp(pattern, 'giu'), SUBSTITUTE);
}

/**
 * The same for ASCII. Constructing a regular expression for each address takes a tenth of a millisecond,
 * a third of the CPU time of the verification.
 */
function replacedInAscii(text: string, spellings: readonly string[]): string {
  const lower = text.toLowerCase();
  const names = spellings.map((spelling) => spelling.toLowerCase());
  let replaced = '';
  let end = 0;
  for (let name = nextName(lower, names, end); name !== null; name = nextName(lower, names, end)) {
    replaced += text.slice(end, name.start) + SUBSTITUTE;
    end = name.end;
  }
  return replaced + text.slice(end);
}

/** The first of the names that is a separate word, from a position. Where several begin, the first in the list. */
function nextName(
  text: string,
  names: readonly string[],
  from: number,
): { start: number; end: number } | null {
  let next: { start: number; end: number } | null = null;
  for (const name of names) {
    let start = text.indexOf(name, from);
    while (start !== -1 && !isWord(text, start, start + name.length)) start = text.indexOf(name, start + 1);
    if (start !== -1 && (next === null || start < next.start)) next = { start, end: start + name.length };
  }
  return next;
}

function isWord(text: string, start: number, end: number): boolean {
  return !/[\w.+-]/.test(text.charAt(start - 1)) && !/[\w+-]/.test(text.charAt(end));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
