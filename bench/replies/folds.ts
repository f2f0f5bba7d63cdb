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
 * Splits the corpus so that each source is in one fold only: rows of one source have more in common than the
 * replies of two servers. Trains for each fold without its rows, and without their wordings in other sources,
 * in the fixtures and in the sentences.
 */
export function* foldsOf(
  rows: readonly CorpusRow[],
  others: readonly Sample[],
  count: number,
): Generator<Fold> {
  const known = [...rows.map(sampleOf), ...others].map((sample) => ({ sample, words: wordsOf(sample.text) }));
  for (const kept of splitBySource(
    rows.filter(({ doubtful }) => !doubtful),
    count,
  )) {
    const words = kept.map(({ text }) => wordsOf(text));
    const training = known.filter(
      (sample) => !words.some((other) => likeness(sample.words, other) >= SAME_WORDING),
    );
    yield { rows: kept, weights: learn(examplesOf(training.map(({ sample }) => sample))) };
  }
}

/** Puts the largest source into the smallest part first. */
function splitBySource(rows: readonly CorpusRow[], count: number): CorpusRow[][] {
  const sources = new Map<string, CorpusRow[]>();
  for (const row of rows) {
    // `project/…-01.eml` and `…-02.eml` are of the same software.
    const source = row.source.replace(/-\d+\.eml$/, '');
    sources.set(source, [...(sources.get(source) ?? []), row]);
  }
  const parts = Array.from({ length: count }, (): CorpusRow[] => []);
  for (const ofSource of [...sources.values()].sort((a, b) => b.length - a.length)) {
    parts.reduce((least, part) => (part.length < least.length ? part : least)).push(...ofSource);
  }
  return parts;
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
