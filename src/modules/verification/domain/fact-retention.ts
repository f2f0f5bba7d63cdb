import type { TeamRules } from '../../../kernel/principal.js';
import type { Status } from '../../../kernel/verdict.js';
import type { EmailAddress } from './email-address.js';
import type { AddressFacts, Evidence } from './evidence.js';
import { judge } from './judge.js';

const DAY_MS = 86_400_000;

/** Days that facts serve, by the status they lead to. What could not be told is asked anew each time. */
const DAYS: Readonly<Record<Status, number>> = { deliverable: 7, undeliverable: 7, risky: 1, unknown: 0 };

/** The facts of an evidence that are worth keeping, and until when; null: none. */
export function factsToStore(
  evidence: Evidence,
  now: Date,
  rules: TeamRules,
): { facts: AddressFacts; expiresAt: Date } | null {
  // Without a word from a mail server there is only DNS, which has its own cache and its own age.
  if (evidence.kind !== 'asked' || evidence.facts.probe === null) return null;
  const { status } = judge(evidence, { roleIsRisky: false });
  const days = Math.min(DAYS[status], rules.retentionDays);
  if (days === 0) return null;
  return {
    facts: withoutAddress(evidence.facts, evidence.address),
    expiresAt: new Date(now.getTime() + days * DAY_MS),
  };
}

/** Replies quote the address they refuse; what is kept under a hash must not name it again. */
function withoutAddress(facts: AddressFacts, address: EmailAddress): AddressFacts {
  const reply = facts.probe?.evidence;
  if (!facts.probe || !reply?.text) return facts;
  const spellings = [address.mailbox, address.normalized, address.localPart].map(escaped).join('|');
  const names = new RegExp(`(?<![\\w.+-])(?:${spellings})(?![\\w+-])`, 'giu');
  return {
    ...facts,
    probe: { ...facts.probe, evidence: { ...reply, text: reply.text.replace(names, '[address]') } },
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
