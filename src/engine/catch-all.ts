import type { MxRecord } from '../kernel/verdict.js';
import type { CatchAll } from './evidence.js';
import type { ProbeResult } from './smtp/probe.js';

/**
 * Whether a domain is catch-all is a property of the domain: it is probed once and cached.
 *
 * It takes two replies of the same server: the real address accepted, and a random address accepted or
 * refused. One probe per domain while the result is valid, since more would get the sender listed.
 */
export abstract class CatchAllCache {
  /** null: not cached, or expired. */
  abstract get(domain: string, hosts: readonly MxRecord[]): CatchAll | null;

  abstract set(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void;

  /** The provider of the mail servers that the domain had last; null: not known. */
  abstract providerOf(domain: string): string | null;
}

/** Lifetime of a result in seconds. */
export const TTL_SECONDS: Readonly<Record<CatchAll, number>> = { yes: 86_400, no: 86_400, unknown: 600 };

/** The catch-all property by a probe; null: the probe did not test it. */
export function catchAllFrom(probe: ProbeResult): CatchAll | null {
  switch (probe.random) {
    case 'accepted':
      return 'yes';
    case 'refused':
      return 'no';
    case 'unusable':
      return 'unknown';
    case 'egress_failed':
    case null:
      return null;
  }
}
