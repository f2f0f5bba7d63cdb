/**
 * Where the process is in its life. Asked to end, it first drains: it says so to
 * whoever looks at its health, lets what is under way finish, and after a while
 * cuts short what has not.
 */
export class Lifecycle {
  private state: 'running' | 'draining' | 'cut off' = 'running';
  private readonly underWay = new Set<() => void>();

  get isDraining(): boolean {
    return this.state !== 'running';
  }

  /** @param graceMs how long work under way may still take, from the first time that this is said. */
  drain(graceMs: number): void {
    if (this.isDraining) return;
    this.state = 'draining';
    setTimeout(() => this.reachDeadline(), graceMs).unref();
  }

  /**
   * Calls back when work under way must come to an end; at once when that time has come.
   *
   * @returns takes it back: the work is done.
   */
  onDeadline(end: () => void): () => void {
    if (this.state === 'cut off') end();
    this.underWay.add(end);
    return () => this.underWay.delete(end);
  }

  private reachDeadline(): void {
    this.state = 'cut off';
    for (const end of this.underWay) end();
  }
}
