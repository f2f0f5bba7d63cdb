import { LRUCache } from 'lru-cache';

/** Of clients that have logged in, and of networks that have lately. */
export const MAX_CONNECTIONS = 200;
const MAX_FAILED_LOGINS = 5;
const WAIT_MS = 60_000;
const MAX_NETWORKS = 10_000;

/** How long a network is known after a login. */
const KNOWN_MS = 600_000;

/** A network that fails to log in five times waits for a minute. */
export class Logins {
  private readonly failures = new LRUCache<string, { count: number; lastMs: number }>({ max: MAX_NETWORKS });

  private readonly known = new LRUCache<string, number>({ max: MAX_NETWORKS });

  isWaiting(network: string, nowMs: number): boolean {
    return this.countOf(network, nowMs) >= MAX_FAILED_LOGINS;
  }

  failed(network: string, nowMs: number): void {
    this.failures.set(network, { count: this.countOf(network, nowMs) + 1, lastMs: nowMs });
  }

  succeeded(network: string, nowMs: number): void {
    this.failures.delete(network);
    this.known.set(network, nowMs);
  }

  /** Whether it has logged in lately, and has not failed to since. */
  isKnown(network: string, nowMs: number): boolean {
    const atMs = this.known.get(network);
    return atMs !== undefined && nowMs - atMs < KNOWN_MS && this.countOf(network, nowMs) === 0;
  }

  private countOf(network: string, nowMs: number): number {
    const failure = this.failures.get(network);
    return failure === undefined || nowMs - failure.lastMs >= WAIT_MS ? 0 : failure.count;
  }
}

const HANDSHAKES_PER_SECOND = 20;

/** The pace of TLS handshakes with an egress: 20 at once, and 20 a second from then on. Each costs a signature. */
export class HandshakePace {
  /** When the bucket is full again (generic cell rate algorithm). */
  private dueMs = 0;

  /** Begins a handshake if it may begin now. @returns the milliseconds until then; 0: it begins. */
  tryConsume(nowMs: number): number {
    const intervalMs = 1_000 / HANDSHAKES_PER_SECOND;
    const dueMs = Math.max(this.dueMs, nowMs);
    const waitMs = Math.max(0, dueMs - nowMs - 1_000 + intervalMs);
    if (waitMs === 0) this.dueMs = dueMs + intervalMs;
    return waitMs;
  }
}
