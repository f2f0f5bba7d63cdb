import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { SharedFacts } from '../domain/shared-facts.js';
import { LearnedLimits, type SharedLimits } from './smtp-limits.js';

const MAX_SERVERS = 10_000;

/** The limits of servers that this process or another one has found, by egress and address. */
export class ServerLimits {
  private readonly servers = new LRUCache<string, LearnedLimits>({ max: MAX_SERVERS });

  constructor(
    private readonly maxConnections: number,
    private readonly clock: Clock,
    private readonly facts: SharedFacts,
  ) {
    facts.subscribe('limits', ({ key, value, ttlMs }) => this.of(key).adopt(value as SharedLimits, ttlMs));
  }

  for(egress: string, ip: string): LearnedLimits {
    return this.of(`${egress} ${ip}`);
  }

  private of(key: string): LearnedLimits {
    const known = this.servers.get(key);
    if (known !== undefined) return known;
    const limits = new LearnedLimits(this.maxConnections, this.clock, (value, ttlMs) =>
      this.facts.publish({ kind: 'limits', key, value, ttlMs }),
    );
    this.servers.set(key, limits);
    return limits;
  }
}
