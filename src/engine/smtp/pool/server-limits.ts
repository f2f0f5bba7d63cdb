import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { SharedState } from '../../limits/shared-state.js';
import { ServerRejections, type SharedRejection } from './server-rejections.js';
import { LearnedLimits, type SharedLimits } from './learned-limits.js';

const MAX_SERVERS = 10_000;

export interface KnownServer {
  limits: LearnedLimits;
  rejections: ServerRejections;
}

/** What this process or another one has found about servers, by egress and address, or provider. */
export class ServerLimits {
  private readonly servers = new LRUCache<string, KnownServer>({ max: MAX_SERVERS });

  constructor(
    private readonly clock: Clock,
    private readonly sharedState: SharedState,
  ) {
    sharedState.subscribe('limits', ({ key, value, ttlMs }) =>
      this.of(key).limits.adopt(value as SharedLimits, ttlMs),
    );
    sharedState.subscribe('rejection', ({ key, value, ttlMs }) =>
      this.of(key).rejections.adopt(value as SharedRejection, ttlMs),
    );
  }

  /** @param server an IP address, or `provider` and a name. */
  for(egress: string, server: string): KnownServer {
    return this.of(`${egress} ${server}`);
  }

  private of(key: string): KnownServer {
    const known = this.servers.get(key);
    if (known !== undefined) return known;
    const { clock, sharedState } = this;
    const server: KnownServer = {
      limits: new LearnedLimits(clock, (value, ttlMs) =>
        sharedState.publish({ kind: 'limits', key, value, ttlMs }),
      ),
      rejections: new ServerRejections(clock, (value, ttlMs) =>
        sharedState.publish({ kind: 'rejection', key, value, ttlMs }),
      ),
    };
    this.servers.set(key, server);
    return server;
  }
}
