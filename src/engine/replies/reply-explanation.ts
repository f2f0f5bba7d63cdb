import type { SmtpCategory, SmtpStage } from '../../kernel/verdict.js';
import { readReply, scoreOf } from './mailbox-reply.js';
import { withoutNames } from './quoted-names.js';
import { unreadWords } from './reply-concepts.js';
import { subjectOf } from './rejection-subject.js';
import { MAILBOX_STATES, type MailboxState } from './reply-model.js';
import { WEIGHTS } from './reply-weights.js';
import { smtpReply } from './smtp-reply.js';
import { greatest } from '../../kernel/long-lists.js';

/** A reply from a log, and its recipient. */
interface LoggedReply {
  /** `550 5.1.1 text`; lines are separated by a line break or `|`. */
  text: string;
  stage: SmtpStage;
  provider: string | null;
  /** '' if it is not known. */
  recipient: string;
}

/** The classification of a reply, with the rule and the weights that led to it. */
export interface ReplyExplanation {
  code: number;
  enhancedCode: string | null;
  category: SmtpCategory;
  /** Whom the reply is about: one recipient, one domain of the server, or the client; null: not stated. */
  about: 'recipient' | 'customer' | 'sender' | null;
  rule: string;
  /** What words and codes state about the mailbox, and the probability of each state, 0–1. */
  mailboxState: MailboxState;
  probability: Readonly<Record<MailboxState, number>>;
  /** The weights of each feature, the largest first; features without weights are omitted. */
  features: readonly { feature: string; weight: Readonly<Record<MailboxState, number>> }[];
  /** Words that are not in the vocabulary: what they say is not known. */
  unread: readonly string[];
}

/** @returns null when the text is not a reply of a mail server. */
export function explainReply({ text, stage, provider, recipient }: LoggedReply): ReplyExplanation | null {
  const lines = text.split(/\r\n|[\r\n|]/).map((line) => line.trim());
  const code = Number(/^([2-5]\d\d)(?:[ -]|$)/.exec(lines[0] ?? '')?.[1]);
  if (Number.isNaN(code)) return null;
  const reply = smtpReply(
    code,
    lines.map((line) => line.replace(/^[2-5]\d\d(?:[ -]|$)/, '')),
  );
  const context = { stage, reply, provider, recipient };
  const { mailboxState, probability, features } = scoreOf(context);
  const { category, rule } = readReply(context);
  return {
    code,
    enhancedCode: reply.enhancedCode,
    category,
    about: ABOUT_RECIPIENT.has(category) ? 'recipient' : subjectOf(reply),
    rule,
    mailboxState,
    probability,
    features: features.flatMap(weightOf).sort((a, b) => strength(b.weight) - strength(a.weight)),
    unread: unreadWords(withoutNames(reply.text, context)),
  };
}

const ABOUT_RECIPIENT: ReadonlySet<SmtpCategory> = new Set([
  'accepted',
  'mailbox_not_found',
  'mailbox_disabled',
  'mailbox_full',
]);

function weightOf(feature: string): ReplyExplanation['features'] {
  const row = WEIGHTS.get(feature);
  if (row === undefined) return [];
  const weight = Object.fromEntries(MAILBOX_STATES.map((state, n) => [state, row[n] ?? 0]));
  return [{ feature, weight: weight as Record<MailboxState, number> }];
}

function strength(weight: Readonly<Record<MailboxState, number>>): number {
  return greatest(Object.values(weight).map(Math.abs));
}
