import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import { BEFORE_RECIPIENT, RECIPIENT_4XX, RECIPIENT_5XX, type ReplyRule } from './reply-rules.js';
import { ASKS_FOR_TLS } from './reply-wordings.js';
import type { SmtpReply } from './smtp-reply.js';

/** Characters; what a server says after these explains nothing any more. */
const LONGEST_READ = 2_000;

export interface Heard {
  /** What the reply was given to: decides whether it can be about the recipient at all. */
  stage: SmtpStage;
  reply: SmtpReply;
  /** Who runs the server, by `providerOf`. */
  provider: string | null;
  /** The address asked about, as it was sent. */
  recipient: string;
}

/** What a mail server's reply means. The rules are in reply-rules.ts. */
export function readReply({ stage, reply, provider, recipient }: Heard): SmtpCategory {
  const words = wordsOf(reply.text, recipient);
  if (stage !== 'rcpt') return firstMatch(BEFORE_RECIPIENT, reply, words, provider);
  if (reply.code === 250 || reply.code === 251) return 'accepted';
  // "Cannot verify, but will try" (RFC 5321 §3.5.3) is no proof of a mailbox.
  if (reply.code === 252) return 'policy';
  if (reply.code < 400) return 'protocol';
  return firstMatch(reply.code < 500 ? RECIPIENT_4XX : RECIPIENT_5XX, reply, words, provider);
}

/** Whether the server wants STARTTLS before it answers this command (RFC 3207 §4). */
export function asksForStartTls(reply: SmtpReply): boolean {
  if (reply.code < 400) return false;
  return reply.code === 530 || ASKS_FOR_TLS.some((words) => words.test(reply.text.toLowerCase()));
}

function firstMatch(
  rules: readonly ReplyRule[],
  reply: SmtpReply,
  words: string,
  provider: string | null,
): SmtpCategory {
  const matches = (rule: ReplyRule): boolean => {
    if (rule.provider !== undefined && rule.provider !== provider) return false;
    if (rule.codes !== undefined && !rule.codes.includes(reply.code)) return false;
    if (rule.enhanced !== undefined && !rule.enhanced.test(reply.enhancedCode ?? '')) return false;
    return rule.words === undefined || rule.words.some((pattern) => pattern.test(words));
  };
  return rules.find(matches)?.is ?? 'protocol';
}

/**
 * The reply's own words, in lower case: `ghost@`, `spam.folder@` or `disabled@` are
 * names, not words, so the quoted recipient becomes `<>` and its domain `<@>`. The local part alone goes
 * only where it stands in brackets or quotes, else "user" or "unknown" could be lost.
 */
function wordsOf(text: string, recipient: string): string {
  const at = recipient.lastIndexOf('@');
  const localPart = recipient.slice(0, at);
  const domain = recipient.slice(at + 1);
  const unquoted = localPart.replace(/^"(.*)"$/, '$1');
  const addresses = [recipient, `${unquoted}@${domain}`, encodeURIComponent(recipient)].map(escaped);
  const locals = [localPart, unquoted].map(escaped);
  return text
    .slice(0, LONGEST_READ)
    .replace(
      new RegExp(`[<([{"'\`]*(?<![\\w.+-])(?:${addresses.join('|')})(?![\\w-])[>)\\]}"'\`]*`, 'giu'),
      '<>',
    )
    .replace(new RegExp(`[<([{"'\`](?:${locals.join('|')})[>)\\]}"'\`]`, 'giu'), '<>')
    .replace(new RegExp(`[<([{"'\`]*(?<![\\w.@-])${escaped(domain)}(?![\\w-])[>)\\]}"'\`]*`, 'giu'), '<@>')
    .toLowerCase();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
