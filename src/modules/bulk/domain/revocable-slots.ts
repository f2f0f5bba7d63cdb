interface Slot {
  revoke: () => void;
}

/**
 * A limited number of slots, in total and per tenant. When all are in use, a tenant gets a slot of the
 * tenant with the most slots, unless that one would then have fewer. So tenants cannot block others, and
 * two tenants do not revoke the slots of each other repeatedly.
 */
export class RevocableSlots {
  /** Tenant → slots, oldest first; a tenant without slots has no entry. */
  private readonly held = new Map<string, Set<Slot>>();
  private count = 0;

  constructor(
    private readonly all: number,
    private readonly perTenant: number,
  ) {}

  /**
   * @param revoke called when the slot is given to another tenant.
   * @returns a function that releases the slot and may be called twice; null: no slot.
   */
  acquire(tenant: string, revoke: () => void): (() => void) | null {
    if (this.countOf(tenant) >= this.perTenant) return null;
    if (this.count >= this.all && !this.revokeOldestForTenantWith(this.countOf(tenant))) return null;
    const slot = { revoke };
    const slots = this.held.get(tenant) ?? new Set();
    this.held.set(tenant, slots.add(slot));
    this.count++;
    return () => this.release(tenant, slot);
  }

  private countOf(tenant: string): number {
    return this.held.get(tenant)?.size ?? 0;
  }

  private revokeOldestForTenantWith(own: number): boolean {
    let largest: [tenant: string, slots: Set<Slot>] | null = null;
    for (const entry of this.held) if (entry[1].size > (largest?.[1].size ?? own + 1)) largest = entry;
    const [oldest] = largest?.[1] ?? [];
    if (largest === null || oldest === undefined) return false;
    this.release(largest[0], oldest);
    oldest.revoke();
    return true;
  }

  private release(tenant: string, slot: Slot): void {
    const slots = this.held.get(tenant);
    if (slots?.delete(slot) !== true) return;
    this.count--;
    if (slots.size === 0) this.held.delete(tenant);
  }
}
