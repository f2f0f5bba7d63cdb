import type { Clock } from '../../kernel/clock.js';
import { AttemptLimiter } from './attempt-limiter.js';

export interface NetworkLimits {
  /** Of one client network in the window. It may be that of many users. */
  ofNetwork: number;
  /** Of all networks together. Default: no limit. */
  inAll?: number;
  windowMs: number;
}

const MAX_NETWORKS = 10_000;
const IN_ALL = 'all';

/** Bounds what strangers may use in this process: by their network, and together. */
export class NetworkLimiter {
  private readonly ofNetwork: AttemptLimiter;
  private readonly inAll: AttemptLimiter | null;

  constructor(clock: Clock, { ofNetwork, inAll, windowMs }: NetworkLimits) {
    this.ofNetwork = new AttemptLimiter(clock, ofNetwork, windowMs, MAX_NETWORKS);
    this.inAll = inAll === undefined ? null : new AttemptLimiter(clock, inAll, windowMs, 1);
  }

  /** @returns 0 if the attempt is accepted, otherwise the milliseconds until it would be. */
  consume(network: string): number {
    return this.ofNetwork.consume(network) || (this.inAll?.consume(IN_ALL) ?? 0);
  }
}
