import type { ProbeOutcome, ProbeRequest } from '../smtp/probe.js';
import { EgressOutage } from './egress-outage.js';

/** An egress to mail servers, with its own connections, limits and identity. */
export interface Egress {
  /** Identifies it for counters, breakers and the choice of an egress; not shown. */
  readonly key: string;
  /** Contains no address of a proxy. */
  readonly name: string;
  /** Whether connections go through a proxy, which may be the cause of a lost one. */
  readonly isProxied: boolean;
  /** Whether connections through it have failed, and it is paused. */
  readonly outage: Pick<EgressOutage, 'isPaused'>;

  /** The sessions that the provider was seen to allow through it; Infinity: no limit is known. */
  learnedConnections(provider: string): number;

  /** @param signal aborts at the deadline and cancels every stage. Never rejects. */
  probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome>;
}
