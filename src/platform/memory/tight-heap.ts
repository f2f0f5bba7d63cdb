import { setFlagsFromString } from 'node:v8';

/** How much may be added to what lives before V8 collects the old generation again. */
const GROWTH_PERCENT = 50;

/**
 * Left to itself, V8 lets up to four times as much pile up as is in use, wherever collecting was quick
 * the last time. A process that takes a large list, or asks about one, makes much that lives for a
 * moment only, and would hold hundreds of megabytes of it. At half as much again it holds half of
 * that, and is no slower (`bench/engine.ts`, `bench/bulk.ts`).
 */
export function keepHeapTight(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
