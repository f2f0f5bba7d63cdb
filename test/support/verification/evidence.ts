import type { SmtpCategory, SmtpStage } from '../../../src/kernel/verdict.js';
import { classify } from '../../../src/engine/lists/address-lists.js';
import { DomainLists, type ListEntry } from '../../../src/engine/lists/domain-list.js';
import { parseEmailAddress, type EmailAddress } from '../../../src/engine/address/email-address.js';
import type { AddressFacts, Evidence } from '../../../src/engine/evidence.js';
import type { ProbeOutcome, ProbeEnd } from '../../../src/engine/smtp/probe.js';
import type { MailRoute } from '../../../src/engine/dns/mx-resolver.js';

/** A list with one entry. */
export class ShortLists extends DomainLists {
  disposable(domain: string): ListEntry | null {
    return domain === 'throwaway.com' ? { pattern: domain, source: 'short list' } : null;
  }
}

export function anAddress(text: string): EmailAddress {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(`${text} is no address: ${parsed.error}`);
  return parsed.address;
}

export const listingOf = (address: EmailAddress) => classify(address, new ShortLists(), null);

export function aRoute(host = 'mx.corp.test', implicit = false): MailRoute {
  return { kind: 'hosts', implicit, hosts: [{ host, preference: 10 }] };
}

/** A reply to RCPT with this category. */
export function aReply(
  category: SmtpCategory,
  part: Partial<ProbeOutcome> = {},
  text = 'as it said',
): ProbeOutcome {
  const code = category === 'accepted' ? 250 : 550;
  return {
    ...aSilence('replied', 'rcpt'),
    smtputf8: true,
    ...part,
    evidence: smtp('rcpt', code, category, text),
  };
}

/** A result without a reply about the recipient. */
export function aSilence(end: ProbeEnd, stage: SmtpStage): ProbeOutcome {
  return { end, evidence: smtp(stage, null, null, null), random: null, smtputf8: null };
}

function smtp(stage: SmtpStage, code: number | null, category: SmtpCategory | null, text: string | null) {
  const enhancedCode = null;
  return { stage, code, enhancedCode, category, mxHost: 'mx.corp.test', attempts: 1, tls: true, text };
}

/** Evidence of a check that used the network. */
export function asked(email: string, facts: Partial<AddressFacts> = {}): Evidence & { kind: 'probed' } {
  const address = anAddress(email);
  return {
    kind: 'probed',
    address,
    listing: listingOf(address),
    facts: { route: aRoute(), probe: null, catchAll: 'unknown', ...facts },
  };
}
