import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import { readReply, scoreOf } from './mailbox-reply.js';
import { READINGS, type Reading } from './reply-model.js';
import { WEIGHTS } from './reply-weights.js';
import { smtpReply } from './smtp-reply.js';

/** A reply from a log, and the recipient it was given for. */
export interface QuotedReply {
  /** `550 5.1.1 text`; further lines after a line break or `|`. */
  text: string;
  stage: SmtpStage;
  provider: string | null;
  /** '' where it is not known. */
  recipient: string;
}

/** How a reply is read: what decided, and what was weighed. */
export interface ReplyExplanation {
  code: number;
  enhancedCode: string | null;
  category: SmtpCategory;
  rule: string;
  /** What words and codes say of the mailbox, and how probable each reading is, 0–1. */
  reading: Reading;
  probability: Readonly<Record<Reading, number>>;
  /** What each feature adds to each reading, the weightiest first; those without a weight are left out. */
  features: readonly { feature: string; weight: Readonly<Record<Reading, number>> }[];
}

/** @returns null when the text is no reply of a mail server. */
export function explainReply({ text, stage, provider, recipient }: QuotedReply): ReplyExplanation | null {
  const lines = text.split(/\r\n|[\r\n|]/).map((line) => line.trim());
  const code = Number(/^([2-5]\d\d)(?:[ -]|$)/.exec(lines[0] ?? '')?.[1]);
  if (Number.isNaN(code)) return null;
  const reply = smtpReply(
    code,
    lines.map((line) => line.replace(/^[2-5]\d\d(?:[ -]|$)/, '')),
  );
  const context = { stage, reply, provider, recipient };
  const { reading, probability, features } = scoreOf(context);
  return {
    code,
    enhancedCode: reply.enhancedCode,
    ...readReply(context),
    reading,
    probability,
    features: features.flatMap(weightOf).sort((a, b) => strength(b.weight) - strength(a.weight)),
  };
}

function weightOf(feature: string): ReplyExplanation['features'] {
  const row = WEIGHTS.get(feature);
  if (row === undefined) return [];
  const weight = Object.fromEntries(READINGS.map((reading, n) => [reading, row[n] ?? 0]));
  return [{ feature, weight: weight as Record<Reading, number> }];
}

function strength(weight: Readonly<Record<Reading, number>>): number {
  return Math.max(...Object.values(weight).map(Math.abs));
}
