import { EgressWarmup } from '../../../src/engine/egress/egress-warmup.js';
import type { WarmupPlan } from '../../../src/kernel/warmup-plan.js';
import { AdjustableClock } from '../time/adjustable-clock.js';
import { MemoryWarmupStore } from './memory-warmup-store.js';

/** A plan with these probes on the first day. */
export function aPlan(starts: Record<string, number>): WarmupPlan {
  return { starts: new Map(Object.entries(starts)), growth: 2, maxRejections: 0.1, until: 1_000 };
}

interface WarmupParts {
  nowMs: () => number;
  /** Egresses without a ceiling. */
  warm: readonly string[];
}

export function aWarmup(starts: Record<string, number>, { nowMs, warm }: WarmupParts): EgressWarmup {
  const plan = aPlan(starts);
  return new EgressWarmup({
    plan,
    store: new MemoryWarmupStore(new AdjustableClock()),
    isWarm: (egress) => warm.includes(egress),
    nowMs,
    onStoreError: (error) => {
      throw error;
    },
  });
}

/** No egress has a ceiling. */
export function noWarmup(): EgressWarmup {
  return aWarmup({}, { nowMs: () => 0, warm: [] });
}
