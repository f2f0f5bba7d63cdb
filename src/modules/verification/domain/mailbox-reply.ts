import { Memo } from '../../../kernel/memo.js';
import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import { MAX_TEXT_LENGTH, sentenceOf, withoutNames, type QuotedNames } from './quoted-names.js';
import { scoreReply, type ReplyScore, type Weights } from './reply-model.js';
import { REPLY_RULES, type ReplyRule, type ReplyTable } from './reply-rules.js';
import { ASKS_FOR_TLS } from './reply-wordings.js';
import type { SmtpReply } from './smtp-reply.js';

export interface ReplyContext extends QuotedNames {
  /** The command that was answered; only a reply to RCPT can be about the recipient. */
  stage: SmtpStage;
  reply: SmtpReply;
  /** The provider of the server, by `providerOf`. */
  provider: string | null;
}

/** What a reply means, and by which rule. */
export interface ReplyMeaning {
  category: SmtpCategory;
  /** `table.rule` of reply-rules.ts; for a reply below 400, `recipient2xx.` and its code. */
  rule: string;
}

/**
 * By what decides: table, provider, codes and words without names. All servers of one software give the
 * same few replies.
 */
const KNOWN_REPLIES = new Memo<ReplyMeaning>(1_000);

/** What a mail server's reply means. The rules are in reply-rules.ts, the weights in reply-weights.ts. */
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
  const rule = REPLY_RULES[table].find((each) => holds(each, texts));
  return { category: rule?.is ?? 'protocol', rule: `${table}.${rule?.name ?? 'none'}` };
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
    .slice(0, MAX_TEXT_LENGTH)
    .toLowerCase()
    .replace(/<[^<>]*>/g, '<>');
  return ASKS_FOR_TLS.some((pattern) => pattern.test(words));
}

/** The rule that decides: the first whose every condition holds. */
export function firstRule(context: ReplyContext, rules: readonly ReplyRule[]): ReplyRule | undefined {
  const texts = new ReplyTexts(context);
  return rules.find((rule) => holds(rule, texts));
}

/** The score of a reply by the weights. */
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
  if (rule.reads !== undefined && rule.reads !== texts.score.reading) return false;
  if (rule.isSilent && !texts.score.features.includes('empty')) return false;
  if (rule.words === undefined) return true;
  const text = rule.is === 'null_mx' ? texts.sentence : texts.words;
  return rule.words.some((pattern) => pattern.test(text));
}

function meaningOf2xx(code: number): SmtpCategory {
  // 252 is "cannot verify, but will try" (RFC 5321 §3.5.3): taken, though it proves no mailbox (judge.ts).
  return code === 250 || code === 251 || code === 252 ? 'accepted' : 'protocol';
}
