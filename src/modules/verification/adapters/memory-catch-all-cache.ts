import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock.js';
import type { MxRecord } from '../../../kernel/verdict.js';
import { CatchAllCache, TTL_SECONDS } from '../domain/catch-all.js';
import type { CatchAll } from '../domain/evidence.js';

const MAX_DOMAINS = 50_000;

/** Caches the catch-all property of domains in this process, by domain and mail servers. */
@Injectable()
export class MemoryCatchAllCache extends CatchAllCache {
  private readonly known = new LRUCache<string, { catchAll: CatchAll; until: number }>({ max: MAX_DOMAINS });

  constructor(private readonly clock: Clock) {
    super();
  }

  get(domain: string, hosts: readonly MxRecord[]): CatchAll | null {
    const entry = this.known.get(keyOf(domain, hosts));
    return entry !== undefined && entry.until > this.clock.monotonicMs() ? entry.catchAll : null;
  }

  set(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void {
    const until = this.clock.monotonicMs() + TTL_SECONDS[catchAll] * 1000;
    this.known.set(keyOf(domain, hosts), { catchAll, until });
  }
}

/** A domain that moves to other servers is probed again. */
function keyOf(domain: string, hosts: readonly MxRecord[]): string {
  return [domain, ...hosts.map(({ host }) => host).sort()].join(' ');
}
