import { setFlagsFromString } from 'node:v8';

/**
 * Garbage that the old generation may hold, in percent of the live objects. 30 % would save another 50 MB, and
 * take a fifth more processor time for an address of a list.
 */
const MAX_GROWTH_PERCENT = 100;

/**
 * Without a limit, V8 collects the old generation when it holds up to four times the live objects. A page or a
 * batch of a list outlives two scavenges, so that a process which works on a long list has 200 MB
 * of garbage (`bench/bulk.ts --memory`). Takes effect from the next collection.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${MAX_GROWTH_PERCENT}`);
}
