/** Maximum unused budget that is kept for bursts. */
const MAX_CREDIT = 100;

/**
 * Limits round trips to the store of the permits: one for each opened connection, and one for each renewal
 * period in which a connection was open.
 */
export class TripBudget {
  private credit = 0;
  private held = 0;
  private atMs = 0;

  constructor(private readonly renewalMs: number) {}

  onOpening(): void {
    this.earn(1);
  }

  onTrip(nowMs: number): void {
    this.settle(nowMs);
    this.credit -= 1;
  }

  /** Call it when the number of open connections changes. */
  change(by: number, nowMs: number): void {
    this.settle(nowMs);
    this.held += by;
  }

  allowsTrip(nowMs: number): boolean {
    this.settle(nowMs);
    return this.credit >= 1;
  }

  private settle(nowMs: number): void {
    this.earn((this.held * (nowMs - this.atMs)) / this.renewalMs);
    this.atMs = nowMs;
  }

  private earn(credit: number): void {
    this.credit = Math.min(this.credit + credit, MAX_CREDIT);
  }
}
