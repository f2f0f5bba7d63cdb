import { createHash } from 'node:crypto';
import type { Clock } from '../kernel/clock.js';
import type { MxRecord } from '../kernel/verdict.js';
import { providerOfNames } from './providers/mail-exchange.js';
import type { CatchAll } from './evidence.js';
import type { SharedState } from './limits/shared-state.js';
import type { ProbeOutcome } from './smtp/probe.js';
import { DAY_MS } from '../kernel/durations.js';

const TTL_MS: Readonly<Record<CatchAll, number>> = { yes: DAY_MS, no: DAY_MS, unknown: 600_000 };
const MAX_DOMAINS = 50_000;
/** Longer keys are stored as their hash. */
const MAX_KEY_LENGTH = 500;

/**
 * Whether a domain is catch-all is a property of the domain: it is probed once and cached, with what other
 * processes learned.
 *
 * It takes two replies of the same server: the real address accepted, and a random address accepted or
 * rejected. One probe per domain while the result is valid, since more would get the sender listed.
 */
export class CatchAllCache {
  /** By domain and mail servers, the least recently used first. */
  private readonly known = new Map<string, { catchAll: CatchAll; untilMs: number }>();
  /** By domain. */
  private readonly providers = new Map<string, string | null>();

  constructor(
    private readonly clock: Clock,
    private readonly sharedState: SharedState,
  ) {
    sharedState.subscribe('catch_all', ({ key, value, ttlMs }) => {
      const [domain = '', ...hosts] = key.split(' ');
      this.store(key, value as CatchAll, ttlMs);
      // Without hosts it is the hash of a long key.
      if (hosts.length > 0) setLast(this.providers, domain, providerOfNames(hosts));
    });
  }

  /** null: not cached, or expired. */
  get(domain: string, hosts: readonly MxRecord[]): CatchAll | null {
    const key = keyOf(domain, hosts);
    const known = this.known.get(key);
    if (known === undefined || known.untilMs <= this.clock.monotonicMs()) return null;
    setLast(this.known, key, known);
    return known.catchAll;
  }

  set(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void {
    const before = this.get(domain, hosts);
    const key = keyOf(domain, hosts);
    const ttlMs = TTL_MS[catchAll];
    this.store(key, catchAll, ttlMs);
    setLast(this.providers, domain, providerOfNames(hosts.map(({ host }) => host)));
    if (before === catchAll) return;
    this.sharedState.publish({ kind: 'catch_all', key, value: catchAll, ttlMs });
  }

  /** The provider of the mail servers that the domain had last; null: not known. */
  providerOf(domain: string): string | null {
    return this.providers.get(domain) ?? null;
  }

  private store(key: string, catchAll: CatchAll, ttlMs: number): void {
    const untilMs = this.clock.monotonicMs() + Math.min(ttlMs, TTL_MS[catchAll]);
    setLast(this.known, key, { catchAll, untilMs });
  }
}

/** A domain that moves to other servers is probed again. */
function keyOf(domain: string, hosts: readonly MxRecord[]): string {
  const key = [domain, ...hosts.map(({ host }) => host).sort()].join(' ');
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');
}

/** Evicts the first tenth of a full map at once: to find its first entry, a Map passes over all that were deleted. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (map.size >= MAX_DOMAINS)
    for (const first of map.keys()) {
      map.delete(first);
      if (map.size <= 0.9 * MAX_DOMAINS) break;
    }
  map.set(key, value);
}

/** The catch-all property by a probe; null: the probe did not test it. */
export function catchAllFrom({ random }: ProbeOutcome): CatchAll | null {
  if (random === null || random === 'egress_failed') return null;
  return random === 'accepted' ? 'yes' : random === 'rejected' ? 'no' : 'unknown';
}
