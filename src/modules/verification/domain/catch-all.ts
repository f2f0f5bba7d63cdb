import type { MxRecord } from '../../../kernel/verdict.js';
import type { CatchAll } from './evidence.js';
import type { ProbeResult } from './mailbox-prober.js';

/**
 * Whether a domain takes mail for anybody is a fact about the domain, not about
 * an address: it is asked once and shared until it is old.
 *
 * It is told only by two answers of the same server: the real address accepted,
 * and an address that cannot exist accepted or refused (one probe a domain while
 * the answer holds: more of them get a sender listed).
 */
export abstract class CatchAllCache {
  /** null: not known, or too long ago. */
  abstract recall(domain: string, hosts: readonly MxRecord[]): CatchAll | null;

  abstract remember(domain: string, hosts: readonly MxRecord[], catchAll: CatchAll): void;
}

/** Seconds for which an answer holds. */
export const HOLDS_SECONDS: Readonly<Record<CatchAll, number>> = { yes: 86_400, no: 86_400, unknown: 600 };

/** What a probe told about the domain; null: it did not ask. */
export function catchAllFrom(probe: ProbeResult): CatchAll | null {
  switch (probe.random) {
    case 'accepted':
      return 'yes';
    case 'refused':
      return 'no';
    case 'unusable':
      return 'unknown';
    case null:
      return null;
  }
}
