import type { LimitName } from './connection-limit.js';
import type { PermitGrant } from './permit-store.js';
import { greatest, least } from '../../kernel/long-lists.js';

/** The connections of one process to one server, and its demand, as it last reported them. */
export interface Share {
  /** Of the process; unique. */
  process: string;
  /** Connections that it may hold. */
  allowed: number;
  held: number;
  open: number;
  wanted: number;
  queued: number;
  blockedBy: LimitName | null;
  /** As the process knows it. */
  limit: number;
  /** The total of the provider is not known. */
  isLearned: boolean;
  /** The most sessions of all processes that were open together, as reported. */
  proven: number;
  /** Since when it may hold a connection, or since when it may hold none. */
  sinceMs: number;
}

export interface ShareRequest extends Pick<
  Share,
  'process' | 'held' | 'open' | 'wanted' | 'queued' | 'blockedBy' | 'limit' | 'isLearned'
> {
  /** What the process has; null: nothing is stored. */
  last: Pick<Share, 'allowed' | 'sinceMs' | 'proven'> | null;
}

/**
 * The connections that a process may hold.
 *
 * While connections are free, it gets as many as it requests. When another process has fewer than its fair share
 * (the limit divided by the processes with work) and requests more, those with more than theirs are granted less
 * at their next request. The connections that a process still holds count as granted until it reports that they
 * are closed, so the sum of all grants is never above the limit. Where the total is learned, the limit is at most one
 * more than the sessions that were seen open together, so that the server rejects one connection while its total is
 * found. With more processes than connections, each holds
 * one for a turn, and the one that has waited longest is next.
 *
 * @param others the shares of all other processes.
 */
export function grantOf(
  request: ShareRequest,
  others: readonly Share[],
  nowMs: number,
  turnMs: number,
): { grant: PermitGrant; share: Share } {
  const { last, ...demand } = request;
  const had = last?.allowed ?? 0;
  const sinceMs = last?.sinceMs ?? nowMs;
  const proven = greatest(
    others.map((other) => other.proven),
    Math.max(last?.proven ?? 0, demand.open + sumOf(others, ({ open }) => open)),
  );
  const limit = least(
    others.map((other) => other.limit),
    demand.isLearned ? Math.min(demand.limit, proven + 1) : demand.limit,
  );
  const processes = others.filter(isBusy).length + (isBusy(demand) ? 1 : 0);
  const free = Math.max(0, limit - sumOf(others, countedFor));

  const most = () => {
    if (processes <= limit) {
      const fair = Math.max(1, Math.floor(limit / Math.max(1, processes)));
      const needed = (other: Share) => Math.max(countedFor(other), Math.min(other.wanted, fair));
      return Math.max(fair, limit - sumOf(others, needed));
    }
    if (had > 0) return others.some(hasNone) && nowMs - sinceMs >= turnMs ? 0 : 1;
    const isEarlier = (other: Share) =>
      other.sinceMs < sinceMs || (other.sinceMs === sinceMs && other.process < demand.process);
    return free > others.filter((other) => hasNone(other) && isEarlier(other)).length ? 1 : 0;
  };
  const allowed = Math.min(demand.wanted, free, most());

  return {
    grant: {
      granted: allowed,
      others: sumOf(others, ({ open }) => open),
      othersHeld: sumOf(others, countedFor),
      contended: others.some((other) => other.wanted > countedFor(other)),
      processes,
      total: limit,
    },
    share: { ...demand, allowed, proven, sinceMs: had > 0 === allowed > 0 ? sinceMs : nowMs },
  };
}

/** Connections that may be open. */
function countedFor({ allowed, held }: Share): number {
  return Math.max(allowed, held);
}

function isBusy({ wanted }: Pick<Share, 'wanted'>): boolean {
  return wanted > 0;
}

/** It waits for its first connection. */
function hasNone(share: Share): boolean {
  return isBusy(share) && countedFor(share) === 0;
}

function sumOf(shares: readonly Share[], value: (share: Share) => number): number {
  return shares.reduce((sum, share) => sum + value(share), 0);
}
