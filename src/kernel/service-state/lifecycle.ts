/** Time for running requests and jobs to finish after a shutdown signal. */
const GRACE_MS = 20_000;

/**
 * The shutdown state of the process. On shutdown it first drains: health checks
 * fail and running work may finish. At the deadline, remaining work is aborted.
 */
export class Lifecycle {
  private state: 'running' | 'draining' | 'expired' = 'running';
  private readonly callbacks = new Set<() => void>();

  constructor(readonly graceMs = GRACE_MS) {}

  get isDraining(): boolean {
    return this.state !== 'running';
  }

  /** Later calls have no effect. */
  drain(): void {
    if (this.isDraining) return;
    this.state = 'draining';
    setTimeout(() => this.reachDeadline(), this.graceMs).unref();
  }

  /**
   * Calls `callback` at the deadline, or immediately if the deadline has passed.
   *
   * @returns a function that removes the callback.
   */
  onDeadline(callback: () => void): () => void {
    if (this.state === 'expired') callback();
    this.callbacks.add(callback);
    return () => this.callbacks.delete(callback);
  }

  private reachDeadline(): void {
    this.state = 'expired';
    for (const callback of this.callbacks) callback();
  }
}
