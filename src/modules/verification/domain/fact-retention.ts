import type { TeamRules } from '../../../kernel/principal.js';
import type { Status } from '../../../kernel/verdict.js';
import type { EmailAddress } from './email-address.js';
import type { AddressFacts, Evidence } from './evidence.js';
import { judge } from './judge.js';

const DAY_MS = 86_400_000;

/** Lifetime of facts in days, by the status of their verdict. Unknown results are not stored. */
const DAYS: Readonly<Record<Status, number>> = { deliverable: 7, undeliverable: 7, risky: 1, unknown: 0 };

/** The facts to store and when they expire; null: none. */
export function factsToStore(
  evidence: Evidence,
  now: Date,
  rules: TeamRules,
): { facts: AddressFacts; expiresAt: Date } | null {
  // Without a server reply there is only DNS data, which the DNS client caches.
  if (evidence.kind !== 'asked' || evidence.facts.probe === null) return null;
  const { status } = judge(evidence, { roleIsRisky: false });
  const days = Math.min(DAYS[status], rules.retentionDays);
  if (days === 0) return null;
  return {
    facts: withoutAddress(evidence.facts, evidence.address),
    expiresAt: new Date(now.getTime() + days * DAY_MS),
  };
}

/** Replies quote the recipient's address; facts are stored under a hash and must not contain it. */
function withoutAddress(facts: AddressFacts, address: EmailAddress): AddressFacts {
  const reply = facts.probe?.evidence;
  if (!facts.probe || !reply?.text) return facts;
  const { mailbox, mailboxAsWritten, normalized, localPart } = address;
  const spellings = [mailbox, mailboxAsWritten ?? mailbox, normalized, localPart].map(escaped).join('|');
  const names = new RegExp(`(?<![\\w.+-])(?:${spellings})(?![\\w+-])`, 'giu');
  return {
    ...facts,
    probe: { ...facts.probe, evidence: { ...reply, text: reply.text.replace(names, '[address]') } },
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
