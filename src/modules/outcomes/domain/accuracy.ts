import type { Reason } from '../../../kernel/verdict.js';
import { betaQuantile } from './beta.js';

/** What became of the addresses with the same verdict. */
export interface AccuracyCounts {
  reason: Reason;
  provider: string | null;
  /** Addresses with this verdict. */
  verified: number;
  delivered: number;
  /** For good. */
  bounced: number;
  complained: number;
}

/** Outcomes whose estimate was in the same tenth. */
export interface CalibrationBin {
  outcomes: number;
  /** The sum of the estimates. */
  estimated: number;
  delivered: number;
  squaredError: number;
}

export interface Accuracy {
  counts: readonly AccuracyCounts[];
  bins: readonly CalibrationBin[];
}

/** The share of bounces with its 90 % interval (Jeffreys); null: no mail was delivered or bounced. */
export function bounceRate({ delivered, bounced }: AccuracyCounts) {
  const mails = delivered + bounced;
  if (mails === 0) return null;
  const [a, b] = [bounced + 0.5, delivered + 0.5];
  return {
    value: bounced / mails,
    low: bounced === 0 ? 0 : betaQuantile(0.05, a, b),
    high: delivered === 0 ? 1 : betaQuantile(0.95, a, b),
  };
}

/** The Brier score, and the expected calibration error over ten bins; null: no outcomes. */
export function calibrationOf(bins: readonly CalibrationBin[]) {
  const sum = (of: (bin: CalibrationBin) => number) => bins.reduce((total, bin) => total + of(bin), 0);
  const outcomes = sum((bin) => bin.outcomes);
  if (outcomes === 0) return { outcomes, brier: null, error: null };
  return {
    outcomes,
    brier: sum(({ squaredError }) => squaredError) / outcomes,
    error: sum(({ estimated, delivered }) => Math.abs(estimated - delivered)) / outcomes,
  };
}
