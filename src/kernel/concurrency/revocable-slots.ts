interface Slot {
  team: string;
  revoke: () => void;
}

/**
 * A limited number of slots, in total and per team. When all are in use, a team gets a slot of the
 * team with the most slots, unless that one would then have fewer. So teams cannot block others, and
 * two teams do not revoke the slots of each other repeatedly.
 */
export class RevocableSlots {
  /** Oldest first. */
  private slots: readonly Slot[] = [];

  constructor(
    private readonly all: number,
    private readonly perTeam: number,
  ) {}

  /**
   * @param revoke called when the slot is given to another team.
   * @returns a function that releases the slot and may be called twice; null: no slot.
   */
  acquire(team: string, revoke: () => void): (() => void) | null {
    const own = this.countOf(team);
    if (own >= this.perTeam) return null;
    if (this.slots.length >= this.all && !this.revokeOldestForTeamWith(own)) return null;
    const slot = { team, revoke };
    this.slots = [...this.slots, slot];
    return () => this.release(slot);
  }

  private countOf(team: string): number {
    return this.slots.filter((slot) => slot.team === team).length;
  }

  private revokeOldestForTeamWith(own: number): boolean {
    const sizeOf = ({ team }: Slot) => this.countOf(team);
    const oldest = this.slots.reduce((found, slot) => (sizeOf(slot) > sizeOf(found) ? slot : found));
    if (sizeOf(oldest) <= own + 1) return false;
    this.release(oldest);
    oldest.revoke();
    return true;
  }

  private release(slot: Slot): void {
    this.slots = this.slots.filter((held) => held !== slot);
  }
}
