/** A budget that was not used is not kept for later bursts beyond this. */
const MAX_CREDIT = 100;

/**
 * Counts round trips to the lease store against what they may be: one for each connection opened, and
 * one for each renewal period in which a connection was held.
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

  /** The connections that are held changed by this number. */
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
