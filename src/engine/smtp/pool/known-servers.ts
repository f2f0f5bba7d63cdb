import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { SharedState } from '../../limits/shared-state.js';
import { ServerPauses, type SharedPause } from './server-pauses.js';
import { LearnedLimits, type SharedLimits } from './learned-limits.js';

const MAX_SERVERS = 10_000;

export interface KnownServer {
  limits: LearnedLimits;
  pauses: ServerPauses;
}

/** What this process or another one has found about servers, by egress and address, or provider. */
export class KnownServers {
  private readonly servers = new LRUCache<string, KnownServer>({ max: MAX_SERVERS });

  constructor(
    private readonly clock: Clock,
    private readonly sharedState: SharedState,
  ) {
    sharedState.subscribe('limits', ({ key, value, ttlMs }) =>
      this.by(key).limits.adopt(value as SharedLimits, ttlMs),
    );
    sharedState.subscribe('pause', ({ key, value, ttlMs }) =>
      this.by(key).pauses.adopt(value as SharedPause, ttlMs),
    );
  }

  /** @param server an IP address, or the name of a provider. */
  of(egress: string, server: string): KnownServer {
    return this.by(`${egress} ${server}`);
  }

  /** The sessions that a provider was seen to allow; Infinity: no limit is known. */
  connectionsAt(egress: string, provider: string): number {
    return this.servers.peek(`${egress} ${provider}`)?.limits.connections ?? Infinity;
  }

  private by(key: string): KnownServer {
    const known = this.servers.get(key);
    if (known !== undefined) return known;
    const { clock, sharedState } = this;
    const server: KnownServer = {
      limits: new LearnedLimits(clock, (value, ttlMs) =>
        sharedState.publish({ kind: 'limits', key, value, ttlMs }),
      ),
      pauses: new ServerPauses(clock, (value, ttlMs) =>
        sharedState.publish({ kind: 'pause', key, value, ttlMs }),
      ),
    };
    this.servers.set(key, server);
    return server;
  }
}
