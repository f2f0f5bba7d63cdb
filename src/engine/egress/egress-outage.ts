/** Failures that start a pause, each with another server, without a success in between. */
const FAILURES = 3;
const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * Whether an egress works: its proxy is reachable and connects, or its address exists. A proxy may
 * report a general failure when it cannot reach one server, so failures with several servers are
 * required.
 */
export class EgressOutage {
  private readonly failedServers = new Set<string>();
  /** The latest failure since the last success. */
  private latest: string | null = null;
  private pauseMs = 0;
  private untilMs = -Infinity;

  /** Since the last success. */
  get isBroken(): boolean {
    return this.failedServers.size >= FAILURES;
  }

  /** Why it failed last; null: it has succeeded since. */
  get failure(): string | null {
    return this.latest;
  }

  isPaused(nowMs: number): boolean {
    return this.untilMs > nowMs;
  }

  /** 0: it is not paused. */
  remainingMs(nowMs: number): number {
    return Math.max(0, this.untilMs - nowMs);
  }

  succeeded(): void {
    this.failedServers.clear();
    this.latest = null;
    this.pauseMs = 0;
    this.untilMs = -Infinity;
  }

  /**
   * A failure after the pause starts the next one, twice as long. Failures of attempts that had begun
   * before the pause do not extend it.
   *
   * @param server the address that was dialled.
   * @param reason for people, without an address.
   */
  failed(server: string, nowMs: number, reason = 'it failed'): void {
    this.latest = reason;
    if (this.failedServers.size < FAILURES) this.failedServers.add(server);
    if (!this.isBroken || this.isPaused(nowMs)) return;
    this.pauseMs = this.pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
    this.untilMs = nowMs + this.pauseMs;
  }
}
