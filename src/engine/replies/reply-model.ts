import { featuresOf, type ReplyInput } from './reply-features.js';
import { WEIGHTS } from './reply-weights.js';
import { greatest } from '../../kernel/long-lists.js';

/** What a refusal can state about a mailbox; `none`: nothing. */
export const MAILBOX_STATES = ['absent', 'closed', 'full', 'none'] as const;
export type MailboxState = (typeof MAILBOX_STATES)[number];

/** A state, with the probabilities and features that led to it. */
export interface ReplyScore {
  mailboxState: MailboxState;
  /** 0–1, for each state. */
  probability: Readonly<Record<MailboxState, number>>;
  features: readonly string[];
}

/** Feature → weight of each of `MAILBOX_STATES`. */
export type Weights = ReadonlyMap<string, readonly number[]>;

/**
 * A reply is about the mailbox only if the probability of `none` is at most this. Chosen by
 * cross-validation (bench/replies.ts).
 */
const MAX_NONE_PROBABILITY = 0.42;

/**
 * Classifies a refusal by the weights of its features. Without a word that states something about a mailbox
 * only a code about addresses (RFC 3463 §3.2) can: servers append any text to "Recipient address rejected:".
 */
export function scoreReply(input: ReplyInput, weights: Weights = WEIGHTS): ReplyScore {
  const features = featuresOf(input);
  const probability = probabilitiesOf(features, weights);
  const isStated = !features.includes('vague') || features.includes('enhanced:1');
  return { mailboxState: isStated ? stateOf(probability) : 'none', probability, features };
}

/** Multinomial logistic regression: the softmax of the summed weights. */
export function probabilitiesOf(features: readonly string[], weights: Weights): Record<MailboxState, number> {
  const sums = MAILBOX_STATES.map(() => 0);
  for (const feature of ['bias', ...features]) {
    const row = weights.get(feature);
    if (row !== undefined) for (let n = 0; n < sums.length; n += 1) sums[n]! += row[n]!;
  }
  const highest = greatest(sums);
  const parts = sums.map((sum) => Math.exp(sum - highest));
  const total = parts.reduce((sum, part) => sum + part, 0);
  const [absent = 0, closed = 0, full = 0, none = 0] = parts.map((part) => part / total);
  return { absent, closed, full, none };
}

function stateOf(probability: Readonly<Record<MailboxState, number>>): MailboxState {
  if (probability.none > MAX_NONE_PROBABILITY) return 'none';
  const { absent, closed, full } = probability;
  if (full >= absent && full >= closed) return 'full';
  return closed > absent ? 'closed' : 'absent';
}
