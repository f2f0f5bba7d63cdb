import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { MxRecord } from '../../../kernel/verdict.js';
import { CatchAllCache, HOLDS_SECONDS } from '../domain/catch-all.js';
import type { CatchAll } from '../domain/evidence.js';

const MOST_DOMAINS = 50_000;

/** Remembers catch-all domains in this process, by the domain and the set of its mail servers. */
export class MemoryCatchAllCache extends CatchAllCache {
  private readonly known = new LRUCache<string, { catchAll: CatchAll; until: number }>({ max: MOST_DOMAINS });

  constructor(private readonly clock: Clock) {
    super();
  }

  recall(domain: string, hosts: readonly MxRecord[]): CatchAll | null {
    const entry = this.known.get(keyOf(domain, hosts));
    return entry !== undefined && entry.until > this.clock.monotonicMs() ? entry.catchAll : null;
  }

  remember(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void {
    const until = this.clock.monotonicMs() + HOLDS_SECONDS[catchAll] * 1000;
    this.known.set(keyOf(domain, hosts), { catchAll, until });
  }
}

/** A domain that moves to other servers is asked anew. */
function keyOf(domain: string, hosts: readonly MxRecord[]): string {
  return [domain, ...hosts.map(({ host }) => host).sort()].join(' ');
}
