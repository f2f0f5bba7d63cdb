/** Failures that start a rest, each with another server, without a success in between. */
const FAILURES = 3;
const FIRST_REST_MS = 15_000;
const MAX_REST_MS = 5 * 60_000;

/**
 * Whether an egress works: its proxy is reachable and connects, or its address exists. A proxy may
 * report a general failure when it cannot reach one server, so failures with several servers are
 * required.
 */
export class EgressOutage {
  private readonly failedServers = new Set<string>();
  private restMs = 0;
  private untilMs = -Infinity;

  /** Since the last success. */
  get isBroken(): boolean {
    return this.failedServers.size >= FAILURES;
  }

  isResting(nowMs: number): boolean {
    return this.untilMs > nowMs;
  }

  /** 0: it does not rest. */
  remainingMs(nowMs: number): number {
    return Math.max(0, this.untilMs - nowMs);
  }

  succeeded(): void {
    this.failedServers.clear();
    this.restMs = 0;
    this.untilMs = -Infinity;
  }

  /**
   * A failure after the rest starts the next one, twice as long. Failures of attempts that had begun
   * before the rest do not extend it.
   *
   * @param server the address that was dialled.
   */
  failed(server: string, nowMs: number): void {
    if (this.failedServers.size < FAILURES) this.failedServers.add(server);
    if (!this.isBroken || this.isResting(nowMs)) return;
    this.restMs = this.restMs === 0 ? FIRST_REST_MS : Math.min(2 * this.restMs, MAX_REST_MS);
    this.untilMs = nowMs + this.restMs;
  }
}
