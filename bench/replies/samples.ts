import { readFileSync } from 'node:fs';
import type { SmtpCategory } from '../../src/kernel/verdict.js';
import { readReply } from '../../src/engine/replies/mailbox-reply.js';
import { withoutNames } from '../../src/engine/replies/quoted-names.js';
import type { ReplyInput } from '../../src/engine/replies/reply-features.js';
import type { MailboxState, Weights } from '../../src/engine/replies/reply-model.js';
import { smtpReply, type SmtpReply } from '../../src/engine/replies/smtp-reply.js';
import { REAL_REPLIES } from '../../test/support/replies/real-replies.js';

/** Labelled replies: those of the corpus, of the fixtures, and sentences of our own. */

export const NAMES = {
  recipient: 'ghost.person@example.com',
  sender: 'verify@rcpt.example',
  heloName: 'verify.rcpt.example',
};

/** A reply and its label. */
export interface Sample {
  /** The reply with its codes; lines are separated by `|`. */
  text: string;
  mailboxState: MailboxState;
  origin: 'corpus' | 'fixture' | 'sentence';
}

/** A row of corpus.jsonl; bench/replies/README.md describes the members. */
export interface CorpusRow {
  text: string;
  code: number;
  truth_class: TruthClass;
  provider_hint: string | null;
  source: string;
  doubtful: boolean;
}
export type TruthClass = 'unknown_user' | 'disabled' | 'full' | 'policy_or_blocked' | 'temporary' | 'other';

const here = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The training data of the engine. */
export function trainingSamples(): Sample[] {
  return [...readCorpus().map(sampleOf), ...fixtureSamples(), ...sentences()];
}

export function readCorpus(file = here('corpus.jsonl')): CorpusRow[] {
  return file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CorpusRow)
    .map((row) => ({ ...row, text: withNames(row.text, NAMES.recipient) }));
}

export const STATE_OF: Readonly<Record<TruthClass, MailboxState>> = {
  unknown_user: 'absent',
  disabled: 'closed',
  full: 'full',
  policy_or_blocked: 'none',
  temporary: 'none',
  other: 'none',
};

export function sampleOf({ text, truth_class }: CorpusRow): Sample {
  return { text, mailboxState: STATE_OF[truth_class], origin: 'corpus' };
}

/** Refusals of RCPT among the fixtures, except those that a rule about one provider or one wording classifies. */
export function fixtureSamples(): Sample[] {
  return REAL_REPLIES.filter(({ stage, text }) => stage === 'rcpt' && /^[45]/.test(text))
    .map(({ text, category, provider }) => ({
      text: text.replaceAll('ghost@example.com', NAMES.recipient).replaceAll(/\bghost\b/g, NAMES.recipient),
      mailboxState: STATE_OF_CATEGORY[category] ?? 'none',
      origin: 'fixture' as const,
      provider,
    }))
    .filter(({ text, provider }) => {
      const { rule } = readReply({ stage: 'rcpt', reply: replyOf(text), provider, ...NAMES }, READS_NOTHING);
      return !OF_ONE_WORDING.has(rule.slice(rule.indexOf('.') + 1));
    });
}

const READS_NOTHING: Weights = new Map([['bias', [0, 0, 0, 9]]]);
const OF_ONE_WORDING: ReadonlySet<string> = new Set([
  'own_domain',
  'microsoft_edge',
  'access_denied',
  'unavailable_by_rule',
  'mailbox_in_use',
  'mimecast_inbound',
  'orange_closed',
  'sina_sender',
]);

const STATE_OF_CATEGORY: Partial<Record<SmtpCategory, MailboxState>> = {
  mailbox_not_found: 'absent',
  mailbox_disabled: 'closed',
  mailbox_full: 'full',
};

export function sentences(): Sample[] {
  return (['absent', 'closed', 'full', 'none'] as const).flatMap((mailboxState) =>
    here(`sentences.${mailboxState}.txt`)
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line): Sample => ({ text: withNames(line, NAMES.recipient), mailboxState, origin: 'sentence' })),
  );
}

function withNames(text: string, recipient: string): string {
  const at = recipient.lastIndexOf('@');
  return text
    .replaceAll('{recipient}', recipient)
    .replaceAll('{local}', recipient.slice(0, at))
    .replaceAll('{domain}', recipient.slice(at + 1))
    .replaceAll('{sender}', NAMES.sender)
    .replaceAll('{sender_domain}', NAMES.sender.slice(NAMES.sender.indexOf('@') + 1));
}

/** `550 text` as a reply. */
export function replyOf(text: string): SmtpReply {
  const lines = text.split('|');
  return smtpReply(
    Number(lines[0]!.slice(0, 3)),
    lines.map((line) => line.slice(4)),
  );
}

export function inputOf(text: string): ReplyInput {
  const reply = replyOf(text);
  return { code: reply.code, enhancedCode: reply.enhancedCode, words: withoutNames(reply.text, NAMES) };
}

/** The same words under another code: `550`, `550 5.1.1`. */
export function withCodes(text: string, codes: string): string {
  const [code = '', enhanced = ''] = codes.split(' ');
  const lines = text.split('|');
  return lines
    .map((line, n) => {
      const words = line.slice(4).replace(/^#?[245]\.\d{1,3}\.\d{1,3}(?![\d.])[ \t]*/, '');
      return `${code}${n < lines.length - 1 ? '-' : ' '}${enhanced === '' ? '' : `${enhanced} `}${words}`;
    })
    .join('|');
}
