import { createHash } from 'node:crypto';
import { featuresOf } from '../../src/engine/replies/reply-features.js';
import { MAILBOX_STATES, type Weights } from '../../src/engine/replies/reply-model.js';
import { inputOf, withCodes, type Sample } from './samples.js';

/**
 * Multinomial logistic regression with an L1 penalty, so that few features have a weight, learned by
 * proximal gradient steps with momentum over all examples. It is deterministic: the same samples give the
 * same weights.
 */
const ROUNDS = 400;
const PENALTY = 0.00012;
const RIDGE = 0.0002;
/** Minimum number of replies with a feature. */
const MIN_COUNT = 3;

export interface Example {
  features: readonly string[];
  mailboxState: number;
  weight: number;
}

/** Sample weights: fixtures count more than replies of the corpus, and these more than invented sentences. */
const WEIGHT_OF = { fixture: 3, corpus: 1, sentence: 0.7 } as const;

/** Each sample with its own codes, and with other codes that servers use for the same text. */
export function examplesOf(samples: readonly Sample[]): Example[] {
  return samples.flatMap(({ text, mailboxState, origin }) => {
    const of = (variant: string, weight: number): Example => ({
      features: featuresOf(inputOf(variant)),
      mailboxState: MAILBOX_STATES.indexOf(mailboxState),
      weight: weight * WEIGHT_OF[origin],
    });
    const about = mailboxState !== 'none';
    return [
      of(text, 1),
      of(withCodes(text, '550'), about && /^\S+ \S*\d\.\d\.\d/.test(text) ? 0.4 : 0.8),
      of(withCodes(text, '550 5.1.1'), about ? 0.3 : 0.5),
      of(withCodes(text, '554 5.7.1'), 0.2),
    ];
  });
}

/** SHA-256 of all inputs of the training: the examples and the parameters. */
export function inputHash(examples: readonly Example[]): string {
  const parameters = { ROUNDS, PENALTY, RIDGE, MIN_COUNT, MAILBOX_STATES };
  return createHash('sha256').update(JSON.stringify({ parameters, examples })).digest('hex');
}

export function learn(examples: readonly Example[]): Weights {
  const names = namesIn(examples);
  const classes = MAILBOX_STATES.length;
  const rows = examples.map(({ features }) =>
    [0, ...features.map((name) => names.get(name) ?? -1)].filter((id) => id >= 0),
  );
  const size = names.size + 1;
  const weights = new Float64Array(size * classes);
  const ahead = new Float64Array(size * classes);
  const gradient = new Float64Array(size * classes);
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const step = 0.5;
  let momentum = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    gradient.fill(0);
    rows.forEach((row, n) => addGradient(row, examples[n]!, ahead, gradient, total));
    const next = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    for (let at = 0; at < weights.length; at += 1) {
      const moved = ahead[at]! - step * (gradient[at]! + RIDGE * ahead[at]!);
      const shrunk = at < classes ? moved : Math.sign(moved) * Math.max(0, Math.abs(moved) - step * PENALTY);
      ahead[at] = shrunk + ((momentum - 1) / next) * (shrunk - weights[at]!);
      weights[at] = shrunk;
    }
    momentum = next;
  }
  return new Map(
    [['bias', 0] as const, ...names].flatMap(([name, id]) => {
      const row = [...weights.slice(id * classes, (id + 1) * classes)].map(
        (each) => Math.round(each * 100) / 100,
      );
      return row.every((weight) => weight === 0) ? [] : [[name, row] as const];
    }),
  );
}

function namesIn(examples: readonly Example[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([name]) => name);
  return new Map(kept.sort().map((name, index) => [name, index + 1]));
}

function addGradient(
  row: readonly number[],
  { mailboxState, weight }: Example,
  weights: Float64Array,
  gradient: Float64Array,
  total: number,
): void {
  const classes = MAILBOX_STATES.length;
  const sums = new Array<number>(classes).fill(0);
  for (const id of row) for (let n = 0; n < classes; n += 1) sums[n]! += weights[id * classes + n]!;
  const highest = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp(sum - highest));
  const all = parts.reduce((sum, part) => sum + part, 0);
  for (let n = 0; n < classes; n += 1) {
    const error = ((parts[n]! / all - (n === mailboxState ? 1 : 0)) * weight) / total;
    for (const id of row) gradient[id * classes + n]! += error;
  }
}
