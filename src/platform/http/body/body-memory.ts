/** Limits the memory of request bodies that are being received: in total and per owner. */
export class BodyMemory {
  private used = 0;
  private readonly usedBy = new Map<string, number>();

  constructor(
    private readonly maxBytes: number,
    private readonly maxBytesPerOwner: number,
  ) {}

  /** @returns false if the limit would be exceeded; then nothing is reserved. */
  reserve(owner: string, bytes: number): boolean {
    const own = (this.usedBy.get(owner) ?? 0) + bytes;
    if (own > this.maxBytesPerOwner || this.used + bytes > this.maxBytes) return false;
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
