import { Injectable } from '../../platform/injection/injectable.js';
import { createHash } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import type { MxRecord } from '../../kernel/verdict.js';
import { LruCache } from '../../platform/memory/lru-cache.js';
import { CatchAllCache, TTL_SECONDS } from '../catch-all.js';
import type { CatchAll } from '../evidence.js';
import { providerOfNames } from '../dns/mail-exchange.js';
import { SharedState } from '../limits/shared-state.js';

const MAX_DOMAINS = 50_000;

/** Longer keys are stored as their hash. */
const MAX_KEY_LENGTH = 500;

/** Caches the catch-all property of domains, by domain and mail servers, with what other processes learned. */
@Injectable()
export class MemoryCatchAllCache extends CatchAllCache {
  private readonly known = new LruCache<string, { catchAll: CatchAll; until: number }>(MAX_DOMAINS);
  /** By domain. The shared state contains the mail servers too. */
  private readonly providers = new LruCache<string, string>(MAX_DOMAINS);

  constructor(
    private readonly clock: Clock,
    private readonly sharedState: SharedState,
  ) {
    super();
    sharedState.subscribe('catch_all', ({ key, value, ttlMs }) => {
      const catchAll = value as CatchAll;
      const until = clock.monotonicMs() + Math.min(ttlMs, TTL_SECONDS[catchAll] * 1000);
      this.known.set(key, { catchAll, until });
      const [domain = '', ...hosts] = key.split(' ');
      // Without hosts it is the hash of a long key.
      if (hosts.length > 0) this.setProvider(domain, hosts);
    });
  }

  get(domain: string, hosts: readonly MxRecord[]): CatchAll | null {
    const entry = this.known.get(keyOf(domain, hosts));
    return entry !== undefined && entry.until > this.clock.monotonicMs() ? entry.catchAll : null;
  }

  set(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void {
    const key = keyOf(domain, hosts);
    const ttlMs = TTL_SECONDS[catchAll] * 1000;
    const before = this.get(domain, hosts);
    this.known.set(key, { catchAll, until: this.clock.monotonicMs() + ttlMs });
    if (before !== catchAll) this.sharedState.publish({ kind: 'catch_all', key, value: catchAll, ttlMs });
    this.setProvider(
      domain,
      hosts.map(({ host }) => host),
    );
  }

  providerOf(domain: string): string | null {
    return this.providers.get(domain) ?? null;
  }

  private setProvider(domain: string, hosts: readonly string[]): void {
    const provider = providerOfNames(hosts);
    if (provider === null) this.providers.delete(domain);
    else this.providers.set(domain, provider);
  }
}

/** A domain that moves to other servers is probed again. */
function keyOf(domain: string, hosts: readonly MxRecord[]): string {
  const key = [domain, ...hosts.map(({ host }) => host).sort()].join(' ');
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');
}
