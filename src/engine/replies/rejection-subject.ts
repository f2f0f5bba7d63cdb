import type { SmtpEvidence } from '../../kernel/verdict.js';
import { BLOCKLISTS } from './blocklists.js';
import { REPORTING_VERBS } from './reply-expressions.js';

/** The subject of a rejection: the client, one customer of the server (a domain), or one recipient; null: not stated. */
type RejectionSubject = 'sender' | 'customer' | 'recipient' | null;

/** The owner of a mailbox or the administrator of a domain, who may block a sender there. */
const BLOCKED = '(?:block|black|deny|denied|reject|refus|list|ban)[a-z]*';
const RECIPIENT = "(?:recipient|addressee|user|mailbox|account|person)(?:'?s)?";
const CUSTOMER =
  "(?:customer|tenant|organi[sz]ation|company|administrator|admin|recipient domain|receiving domain)(?:'?s)?";
const LIST = '(?:personal |own |private )?(?:block|black|deny|reject|safe)[ -]?(?:list|ed senders)';

export const OF_RECIPIENT: readonly RegExp[] = [
  new RegExp(`\\b${BLOCKED} by (?:the |this |its |that )?${RECIPIENT}\\b`),
  new RegExp(
    `\\b${RECIPIENT} (?:has |have |does not |doesn't |will not |refuses to )?(?:block|refus|accept|want)[a-z]* `,
  ),
  new RegExp(`\\b(?:${RECIPIENT}|personal) ${LIST}`),
];

export const OF_CUSTOMER: readonly RegExp[] = [
  new RegExp(`\\b${BLOCKED} by (?:the |this |its |that |their )?${CUSTOMER}\\b`),
  new RegExp(`\\b${CUSTOMER} (?:has |have )?(?:blocked|rejected|refused|banned)\\b`),
  new RegExp(`\\b${CUSTOMER} (?:${LIST}|polic(?:y|ies)|rules?|settings?)\\b`),
];

/** Our address, its names and its reputation. */
const OF_SENDER: readonly RegExp[] = [
  /\b(?:ip|ips|ipv[46]|ptr|rdns|helo|ehlo|dnsbl|rbl|spf)\b|\breverse (?:dns|lookup|hostname)|\breputation\b/,
  new RegExp(`\\b(?:${BLOCKLISTS.join('|')}|talos)\\b`),
  /\byour (?:host|server|mail ?server|mta|network|domain|isp|address)\b|\bclient (?:host|address)\b/,
  // "The remote server returned:" is about a server behind this one.
  new RegExp(`\\bremote (?:host|server|mta|address)\\b(?! (?:has )?(?:${REPORTING_VERBS.join('|')})\\b)`),
  /\b(?:sending|connecting|source) (?:host|server|mta|address)\b|\bbanned send|\bunusual (?:rate|sending)/,
  /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[(?:tss?|bl)\d\d\]|\bs31[45]0\b/,
];
const CODES_OF_SENDER = /^(?:[45]\.7\.(?:2[5-8]|6\d\d)|4\.7\.0)$/;

/**
 * Determines the subject of a rejection. A server can send any text, so the verdicts of other requesters
 * do not depend on this result alone (breakers.ts). A text that names a rule of a customer or a recipient is
 * about that one, even if it also contains our address.
 */
export function subjectOf({
  text,
  enhancedCode,
}: Pick<SmtpEvidence, 'text' | 'enhancedCode'>): RejectionSubject {
  const words = withoutAddresses((text ?? '').toLowerCase());
  const speaksOf = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(words));
  if (speaksOf(OF_CUSTOMER)) return 'customer';
  if (speaksOf(OF_RECIPIENT)) return 'recipient';
  return speaksOf(OF_SENDER) || CODES_OF_SENDER.test(enhancedCode ?? '') ? 'sender' : null;
}

/** A reply may repeat the address, whose local part may be any word. */
function withoutAddresses(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !word.includes('@'))
    .join(' ');
}
