interface Place {
  revoke: () => void;
}

/**
 * A limited number of places, in total and per owner. When all are taken, an owner gets one of the owner
 * that has the most, if that one still has no fewer afterwards. So no owners can keep others out, and two
 * owners do not take places from each other in turn.
 */
export class FairPlaces {
  /** Owner → places, oldest first; an owner without places has no entry. */
  private readonly taken = new Map<string, Set<Place>>();
  private count = 0;

  constructor(
    private readonly all: number,
    private readonly perOwner: number,
  ) {}

  /**
   * @param revoke called when the place is given to another owner.
   * @returns a function that gives the place back and may be called twice; null: no place.
   */
  acquire(owner: string, revoke: () => void): (() => void) | null {
    if (this.countOf(owner) >= this.perOwner) return null;
    if (this.count >= this.all && !this.revokeOldestForOwnerWith(this.countOf(owner))) return null;
    const place = { revoke };
    const places = this.taken.get(owner) ?? new Set();
    this.taken.set(owner, places.add(place));
    this.count++;
    return () => this.release(owner, place);
  }

  private countOf(owner: string): number {
    return this.taken.get(owner)?.size ?? 0;
  }

  private revokeOldestForOwnerWith(own: number): boolean {
    let largest: [owner: string, places: Set<Place>] | null = null;
    for (const entry of this.taken) if (entry[1].size > (largest?.[1].size ?? own + 1)) largest = entry;
    const [oldest] = largest?.[1] ?? [];
    if (largest === null || oldest === undefined) return false;
    this.release(largest[0], oldest);
    oldest.revoke();
    return true;
  }

  private release(owner: string, place: Place): void {
    const places = this.taken.get(owner);
    if (places?.delete(place) !== true) return;
    this.count--;
    if (places.size === 0) this.taken.delete(owner);
  }
}
