const HANDSHAKES_PER_SECOND = 20;

/** The pace of TLS handshakes with an egress: 20 at once, and 20 a second from then on. Each costs a signature. */
export class HandshakePace {
  /** When the bucket is full again (generic cell rate algorithm). */
  private dueMs = 0;

  /** @returns the milliseconds after which the next handshake may begin. */
  consume(nowMs: number): number {
    const intervalMs = 1_000 / HANDSHAKES_PER_SECOND;
    const dueMs = Math.max(this.dueMs, nowMs);
    this.dueMs = dueMs + intervalMs;
    return Math.max(0, dueMs - nowMs - 1_000 + intervalMs);
  }
}
