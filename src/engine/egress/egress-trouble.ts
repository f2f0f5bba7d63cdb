import type { Breakers } from './breakers.js';
import type { PauseCause } from './egress-choice.js';

/** `port_closed`: it is used nevertheless. */
export type EgressTrouble = PauseCause | 'port_closed';

/** What an egress shows of itself. */
export interface ObservedEgress {
  readonly key: string;
  readonly outage: { readonly isBroken: boolean };
  readonly reach: { readonly isClosed: boolean };
}

/** Why an egress is not used, or connects to no server; null: neither. It lasts until the egress connects again. */
export function troubleOf(
  { key, outage, reach }: ObservedEgress,
  breakers: Breakers,
  nowMs: number,
): EgressTrouble | null {
  if (outage.isBroken) return 'unreachable';
  if (breakers.egressPauseMs(key, nowMs) > 0) return 'rejected';
  return reach.isClosed ? 'port_closed' : null;
}
