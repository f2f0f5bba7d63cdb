import type { Reason } from '../../../../kernel/verdict.js';
import { betaQuantile } from './beta.js';
import { knowsDeliveries, type Reported } from './deliveries.js';

/** The verdicts of a row. */
interface AccuracyGroup {
  reason: Reason;
  provider: string | null;
}

/** What became of the addresses with the same verdict. */
export interface AccuracyCounts extends AccuracyGroup, Reported {
  /** Addresses with this verdict. */
  verified: number;
  /** For good. */
  bounced: number;
  complained: number;
}

/** Outcomes whose estimate was in the same tenth. */
interface Tenth {
  /** 0–9. */
  tenth: number;
  outcomes: number;
  /** The sum of the estimates. */
  estimated: number;
  delivered: number;
  squaredError: number;
}

export type CalibrationBin = Tenth & AccuracyGroup;

export interface Accuracy {
  counts: readonly AccuracyCounts[];
  bins: readonly CalibrationBin[];
}

export const ACCURACY_BASES = ['deliveries', 'bounces_only'] as const;

/** What the outcomes of a row are; null: no mail was delivered or bounced. */
export function basisOf(counts: AccuracyCounts): (typeof ACCURACY_BASES)[number] | null {
  if (counts.delivered + counts.bounced === 0) return null;
  return knowsDeliveries(counts) ? 'deliveries' : 'bounces_only';
}

/** The share of bounces with its 90 % interval (Jeffreys); null: it is not known. */
export function bounceRate(counts: AccuracyCounts) {
  if (basisOf(counts) !== 'deliveries') return null;
  const { delivered, bounced } = counts;
  const mails = delivered + bounced;
  const [a, b] = [bounced + 0.5, delivered + 0.5];
  return {
    value: bounced / mails,
    low: bounced === 0 ? 0 : betaQuantile(0.05, a, b),
    high: delivered === 0 ? 1 : betaQuantile(0.95, a, b),
  };
}

/** The Brier score, and the expected calibration error over ten bins, of rows with deliveries; null: no outcomes. */
export function calibrationOf({ counts, bins }: Accuracy) {
  const keyOf = ({ reason, provider }: AccuracyGroup) => JSON.stringify([reason, provider]);
  const known = new Set(counts.filter((row) => basisOf(row) === 'deliveries').map(keyOf));
  const tenths = sumsOf(bins.filter((bin) => known.has(keyOf(bin))));
  const sum = (of: (tenth: Tenth) => number) => tenths.reduce((total, tenth) => total + of(tenth), 0);
  const outcomes = sum((tenth) => tenth.outcomes);
  if (outcomes === 0) return { outcomes, brier: null, error: null };
  return {
    outcomes,
    brier: sum(({ squaredError }) => squaredError) / outcomes,
    error: sum(({ estimated, delivered }) => Math.abs(estimated - delivered)) / outcomes,
  };
}

function sumsOf(bins: readonly CalibrationBin[]): readonly Tenth[] {
  const tenths = new Map<number, Tenth>();
  for (const { tenth, outcomes, estimated, delivered, squaredError } of bins) {
    const sum = tenths.get(tenth) ?? { tenth, outcomes: 0, estimated: 0, delivered: 0, squaredError: 0 };
    sum.outcomes += outcomes;
    sum.estimated += estimated;
    sum.delivered += delivered;
    sum.squaredError += squaredError;
    tenths.set(tenth, sum);
  }
  return [...tenths.values()];
}
