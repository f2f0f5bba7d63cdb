/** The memory that bodies may take while they arrive: all together, and those of one owner. */
export class BodyMemory {
  private used = 0;
  private readonly usedBy = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostOfOwner: number,
  ) {}

  /** @returns false when so much is not left; nothing was taken then. */
  take(owner: string, bytes: number): boolean {
    const own = (this.usedBy.get(owner) ?? 0) + bytes;
    if (own > this.mostOfOwner || this.used + bytes > this.most) return false;
    this.used += bytes;
    this.usedBy.set(owner, own);
    return true;
  }

  release(owner: string, bytes: number): void {
    const own = (this.usedBy.get(owner) ?? 0) - bytes;
    this.used -= bytes;
    if (own > 0) this.usedBy.set(owner, own);
    else this.usedBy.delete(owner);
  }
}
