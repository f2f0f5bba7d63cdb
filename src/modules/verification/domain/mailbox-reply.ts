import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import { LONGEST_READ, sentenceOf, withoutNames, type QuotedNames } from './quoted-names.js';
import { REPLY_RULES, type ReplyRule, type ReplyTable } from './reply-rules.js';
import { ASKS_FOR_TLS } from './reply-wordings.js';
import type { SmtpReply } from './smtp-reply.js';

export interface ReplyContext extends QuotedNames {
  /** What the reply was given to: decides whether it can be about the recipient at all. */
  stage: SmtpStage;
  reply: SmtpReply;
  /** Who runs the server, by `providerOf`. */
  provider: string | null;
}

/** What a mail server's reply means. The rules are in reply-rules.ts. */
export function readReply(heard: ReplyContext): SmtpCategory {
  const { stage, reply } = heard;
  if (stage === 'rcpt' && reply.code < 400) return meaningOf2xx(reply.code);
  return firstRule(heard, REPLY_RULES[tableFor(heard)])?.is ?? 'protocol';
}

/** The table that a reply is looked up in; one below 400 to RCPT needs none. */
export function tableFor({ stage, reply }: ReplyContext): ReplyTable {
  if (stage !== 'rcpt') return 'beforeRecipient';
  return reply.code < 500 ? 'recipient4xx' : 'recipient5xx';
}

/** Whether the server wants STARTTLS before it answers this command (RFC 3207 §4). */
export function asksForStartTls(reply: SmtpReply): boolean {
  if (reply.code < 400) return false;
  if (reply.code === 530) return true;
  // Whatever is called `starttls@` is in brackets, or has a code about mailboxes (RFC 3463 §3.2, §3.3).
  if (/^[45]\.[12]\./.test(reply.enhancedCode ?? '')) return false;
  const words = reply.text
    .slice(0, LONGEST_READ)
    .toLowerCase()
    .replace(/<[^<>]*>/g, '<>');
  return ASKS_FOR_TLS.some((pattern) => pattern.test(words));
}

/** The rule that decides: the first whose every condition holds. */
export function firstRule(heard: ReplyContext, rules: readonly ReplyRule[]): ReplyRule | undefined {
  const words = withoutNames(heard.reply.text, heard);
  const sentence = sentenceOf(words);
  return rules.find((rule) => holds(rule, heard, ACCUSING.has(rule.is) ? sentence : words));
}

/** What is held against the mailbox, and may cost somebody a contact. */
const ACCUSING: ReadonlySet<SmtpCategory> = new Set([
  'mailbox_not_found',
  'mailbox_disabled',
  'mailbox_full',
  'null_mx',
]);

function holds(rule: ReplyRule, { reply, provider }: ReplyContext, words: string): boolean {
  if (rule.provider !== undefined && rule.provider !== provider) return false;
  if (rule.codes !== undefined && !rule.codes.includes(reply.code)) return false;
  if (rule.enhanced !== undefined && !rule.enhanced.test(reply.enhancedCode ?? '')) return false;
  return rule.words === undefined || rule.words.some((pattern) => pattern.test(words));
}

function meaningOf2xx(code: number): SmtpCategory {
  if (code === 250 || code === 251) return 'accepted';
  // "Cannot verify, but will try" (RFC 5321 §3.5.3) is no proof of a mailbox.
  return code === 252 ? 'policy' : 'protocol';
}
