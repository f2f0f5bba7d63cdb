import { createHash } from 'node:crypto';
import type { Clock } from '../kernel/clock.js';
import type { MxRecord } from '../kernel/verdict.js';
import { providerOfNames } from './dns/mail-exchange.js';
import type { CatchAll } from './evidence.js';
import type { SharedState } from './limits/shared-state.js';
import type { ProbeResult } from './smtp/probe.js';

const DAY_MS = 86_400_000;
const TTL_MS: Readonly<Record<CatchAll, number>> = { yes: DAY_MS, no: DAY_MS, unknown: 600_000 };
const MAX_DOMAINS = 50_000;
/** Longer lists of servers are stored as their hash. */
const MAX_SERVERS_LENGTH = 500;

interface KnownDomain {
  catchAll: CatchAll;
  untilMs: number;
  /** A domain that moves to other servers is probed again. */
  servers: string;
  provider: string | null;
}

/**
 * Whether a domain is catch-all is a property of the domain: it is probed once and cached, with what other
 * processes learned.
 *
 * It takes two replies of the same server: the real address accepted, and a random address accepted or
 * rejected. One probe per domain while the result is valid, since more would get the sender listed.
 */
export class CatchAllCache {
  /** By domain, the least recently used first. */
  private readonly known = new Map<string, KnownDomain>();

  constructor(
    private readonly clock: Clock,
    private readonly sharedState: SharedState,
  ) {
    sharedState.subscribe('catch_all', ({ key, value, ttlMs }) => {
      const at = key.indexOf(' ');
      this.store(key.slice(0, at), key.slice(at + 1), value as CatchAll, ttlMs);
    });
  }

  /** null: not cached, or expired. */
  get(domain: string, hosts: readonly MxRecord[]): CatchAll | null {
    const known = this.known.get(domain);
    if (known === undefined || known.untilMs <= this.clock.monotonicMs()) return null;
    this.known.delete(domain);
    this.known.set(domain, known);
    return known.servers === serversOf(hosts) ? known.catchAll : null;
  }

  set(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void {
    const before = this.get(domain, hosts);
    const servers = serversOf(hosts);
    const ttlMs = TTL_MS[catchAll];
    this.store(domain, servers, catchAll, ttlMs);
    if (before === catchAll) return;
    this.sharedState.publish({ kind: 'catch_all', key: `${domain} ${servers}`, value: catchAll, ttlMs });
  }

  /** The provider of the mail servers that the domain had last; null: not known. */
  providerOf(domain: string): string | null {
    return this.known.get(domain)?.provider ?? null;
  }

  private store(domain: string, servers: string, catchAll: CatchAll, ttlMs: number): void {
    const untilMs = this.clock.monotonicMs() + Math.min(ttlMs, TTL_MS[catchAll]);
    const provider = providerOfNames(servers.split(' '));
    this.known.delete(domain);
    const [oldest] = this.known.size >= MAX_DOMAINS ? this.known.keys() : [];
    if (oldest !== undefined) this.known.delete(oldest);
    this.known.set(domain, { catchAll, untilMs, servers, provider });
  }
}

function serversOf(hosts: readonly MxRecord[]): string {
  const text = hosts
    .map(({ host }) => host)
    .sort()
    .join(' ');
  return text.length <= MAX_SERVERS_LENGTH ? text : createHash('sha256').update(text).digest('base64url');
}

/** The catch-all property by a probe; null: the probe did not test it. */
export function catchAllFrom({ random }: ProbeResult): CatchAll | null {
  if (random === null || random === 'egress_failed') return null;
  return random === 'accepted' ? 'yes' : random === 'rejected' ? 'no' : 'unknown';
}
