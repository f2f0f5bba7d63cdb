interface Slot {
  tenant: string;
  revoke: () => void;
}

/**
 * A limited number of slots, in total and per tenant. When all are in use, a tenant gets a slot of the
 * tenant with the most slots, unless that one would then have fewer. So tenants cannot block others, and
 * two tenants do not revoke the slots of each other repeatedly.
 */
export class RevocableSlots {
  /** Oldest first. */
  private slots: readonly Slot[] = [];

  constructor(
    private readonly all: number,
    private readonly perTenant: number,
  ) {}

  /**
   * @param revoke called when the slot is given to another tenant.
   * @returns a function that releases the slot and may be called twice; null: no slot.
   */
  acquire(tenant: string, revoke: () => void): (() => void) | null {
    const own = this.countOf(tenant);
    if (own >= this.perTenant) return null;
    if (this.slots.length >= this.all && !this.revokeOldestForTenantWith(own)) return null;
    const slot = { tenant, revoke };
    this.slots = [...this.slots, slot];
    return () => this.release(slot);
  }

  private countOf(tenant: string): number {
    return this.slots.filter((slot) => slot.tenant === tenant).length;
  }

  private revokeOldestForTenantWith(own: number): boolean {
    const sizeOf = ({ tenant }: Slot) => this.countOf(tenant);
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
