import { tokensOf } from '../../src/engine/replies/reply-tokens.js';
import type { Weights } from '../../src/engine/replies/reply-model.js';
import { examplesOf, learn } from './learn.js';
import { inputOf, sampleOf, type CorpusRow, type Sample } from './samples.js';

/** Two replies with this share of common words have the same wording. */
const SAME_WORDING = 0.7;

/** Held-out rows, and the weights that were learned without them. */
export interface Fold {
  rows: readonly CorpusRow[];
  weights: Weights;
}

/**
 * Splits the corpus so that each wording is in one fold only, and trains for each fold without its
 * wordings in the other rows, the fixtures and the sentences.
 */
export function* foldsOf(
  rows: readonly CorpusRow[],
  others: readonly Sample[],
  count: number,
): Generator<Fold> {
  const scored = rows.filter(({ doubtful }) => !doubtful);
  const wordings = groupsOf(scored);
  const known = [...rows.map(sampleOf), ...others].map((sample) => ({ sample, words: wordsOf(sample.text) }));
  for (let fold = 0; fold < count; fold += 1) {
    const kept = wordings.filter((_, n) => n % count === fold).flat();
    const words = kept.map(({ text }) => wordsOf(text));
    const training = known.filter(
      (sample) => !words.some((other) => likeness(sample.words, other) >= SAME_WORDING),
    );
    yield { rows: kept, weights: learn(examplesOf(training.map(({ sample }) => sample))) };
  }
}

/** Groups rows by wording (single linkage). */
function groupsOf(rows: readonly CorpusRow[]): CorpusRow[][] {
  let groups: { rows: CorpusRow[]; words: Set<string>[] }[] = [];
  for (const row of rows) {
    const words = wordsOf(row.text);
    const isLike = (group: { words: Set<string>[] }) =>
      group.words.some((other) => likeness(words, other) >= SAME_WORDING);
    const alike = groups.filter(isLike);
    const joined = {
      rows: [...alike.flatMap((group) => group.rows), row],
      words: [...alike.flatMap((group) => group.words), words],
    };
    groups = [...groups.filter((group) => !alike.includes(group)), joined];
  }
  return groups.map((group) => group.rows);
}

function wordsOf(text: string): Set<string> {
  return new Set(tokensOf(inputOf(text).words).filter((word) => word !== '.' && word !== ','));
}

/** The Jaccard index. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}
