import { Memo } from '../../kernel/concurrency/memo.js';
import type { SmtpCategory, SmtpStage } from '../../kernel/verdict.js';
import { MAX_TEXT_LENGTH, sentenceOf, withoutNames, type QuotedNames } from './quoted-names.js';
import { scoreReply, type ReplyScore, type Weights } from './reply-model.js';
import { REPLY_RULES, type ReplyRule, type ReplyTable } from './reply-rules.js';
import { DENIES_RELAYING, REQUIRES_STARTTLS, SENDER_BLOCKED } from './reply-wordings.js';
import type { SmtpReply } from './smtp-reply.js';

export interface ReplyContext extends QuotedNames {
  /** The command of the reply; only a reply to RCPT can be about the recipient. */
  stage: SmtpStage;
  reply: SmtpReply;
  /** The provider of the server, by `providerOf`. */
  provider: string | null;
}

/** The meaning of a reply, and the rule that determined it. */
export interface ReplyMeaning {
  category: SmtpCategory;
  /** `table.rule` of reply-rules.ts; for a reply below 400, `recipient2xx.` and its code. */
  rule: string;
}

/**
 * Results by all inputs of the classification: table, provider, codes and words without names. Servers
 * with the same software send the same few replies.
 */
const KNOWN_REPLIES = new Memo<ReplyMeaning>(1_000);

/** Classifies a reply of a mail server. The rules are in reply-rules.ts, the weights in reply-weights.ts. */
export function readReply(context: ReplyContext, weights?: Weights): ReplyMeaning {
  const { stage, reply, provider } = context;
  if (stage === 'rcpt' && reply.code < 400) {
    return { category: meaningOf2xx(reply.code), rule: `recipient2xx.${reply.code}` };
  }
  const table = tableFor(context);
  const texts = new ReplyTexts(context, weights);
  if (weights !== undefined) return meaningIn(table, texts);
  const key = `${table} ${provider} ${reply.code} ${reply.enhancedCode} ${texts.words}`;
  return KNOWN_REPLIES.get(key, () => meaningIn(table, texts));
}

function meaningIn(table: ReplyTable, texts: ReplyTexts): ReplyMeaning {
  const rule = REPLY_RULES[table].find((candidate) => holds(candidate, texts));
  return { category: rule?.is ?? 'protocol', rule: `${table}.${rule?.name ?? 'none'}` };
}

/** The table of rules for a reply, except for replies below 400 to RCPT. */
export function tableFor({ stage, reply }: ReplyContext): ReplyTable {
  if (stage !== 'rcpt') return 'beforeRecipient';
  return reply.code < 500 ? 'recipient4xx' : 'recipient5xx';
}

/** Whether the server requires STARTTLS before this command (RFC 3207 §4). */
export function requiresStartTls(reply: SmtpReply): boolean {
  if (reply.code < 400) return false;
  if (reply.code === 530) return true;
  // A mailbox named `starttls@` is in brackets, or the reply has a code about mailboxes (RFC 3463 §3.2, §3.3).
  if (/^[45]\.[12]\./.test(reply.enhancedCode ?? '')) return false;
  return says(reply, REQUIRES_STARTTLS);
}

/**
 * Whether the server permanently does not accept mail for the domain of the recipient. A denial that names our
 * address or its DNS is about us: the server may relay for others.
 */
export function deniesRelaying(reply: SmtpReply): boolean {
  return reply.code >= 500 && says(reply, DENIES_RELAYING) && !says(reply, SENDER_BLOCKED);
}

function says({ text }: SmtpReply, patterns: readonly RegExp[]): boolean {
  const words = text
    .slice(0, MAX_TEXT_LENGTH)
    .toLowerCase()
    .replace(/<[^<>]*>/g, '<>');
  return patterns.some((pattern) => pattern.test(words));
}

export function firstRule(context: ReplyContext, rules: readonly ReplyRule[]): ReplyRule | undefined {
  const texts = new ReplyTexts(context);
  return rules.find((rule) => holds(rule, texts));
}

export function scoreOf(context: ReplyContext, weights?: Weights): ReplyScore {
  return new ReplyTexts(context, weights).score;
}

/** The texts of a reply, computed when a rule needs them. */
class ReplyTexts {
  private scored: ReplyScore | null = null;
  private bare: string | null = null;
  readonly words: string;

  constructor(
    readonly context: ReplyContext,
    private readonly weights?: Weights,
  ) {
    this.words = withoutNames(context.reply.text, context);
  }

  /** Without host names, which are not words of the sentence. */
  get sentence(): string {
    return (this.bare ??= sentenceOf(this.words));
  }

  get score(): ReplyScore {
    const { code, enhancedCode } = this.context.reply;
    return (this.scored ??= scoreReply({ code, enhancedCode, words: this.words }, this.weights));
  }
}

function holds(rule: ReplyRule, texts: ReplyTexts): boolean {
  const { reply, provider } = texts.context;
  if (rule.provider !== undefined && rule.provider !== provider) return false;
  if (rule.codes !== undefined && !rule.codes.includes(reply.code)) return false;
  if (rule.enhanced !== undefined && !rule.enhanced.test(reply.enhancedCode ?? '')) return false;
  if (rule.mailboxState !== undefined && rule.mailboxState !== texts.score.mailboxState) return false;
  if (rule.namesMailbox && !texts.score.features.some(namesMailbox)) return false;
  if (rule.isSilent && !texts.score.features.some((feature) => feature === 'empty' || feature === 'plain'))
    return false;
  if (rule.words === undefined) return true;
  const text = rule.is === 'null_mx' ? texts.sentence : texts.words;
  return rule.words.some((pattern) => pattern.test(text));
}

function namesMailbox(feature: string): boolean {
  return ['mailbox', 'recipient', 'address', '#rcpt', '#name'].includes(feature);
}

function meaningOf2xx(code: number): SmtpCategory {
  // 252 is "cannot verify, but will try" (RFC 5321 §3.5.3): accepted, but without proof of a mailbox (judge.ts).
  return code === 250 || code === 251 || code === 252 ? 'accepted' : 'protocol';
}
