import { hash } from 'node:crypto';

const SLOT_BITS = 27;

/**
 * Finds the texts that occur more than once, in 16 MB whatever their number. A text is identified by 27 bits
 * of its hash, so that of a million texts about one in a hundred is found without a second one.
 */
export class RepeatedTexts {
  private readonly seen = new Uint8Array(2 ** (SLOT_BITS - 3));
  private readonly repeated = new Set<number>();

  add(text: string): void {
    const slot = slotOf(text);
    const byte = this.seen[slot >>> 3] ?? 0;
    const bit = 1 << (slot & 7);
    if ((byte & bit) !== 0) this.repeated.add(slot);
    else this.seen[slot >>> 3] = byte | bit;
  }

  has(text: string): boolean {
    return this.repeated.has(slotOf(text));
  }
}

function slotOf(text: string): number {
  return hash('sha1', text, 'buffer').readUInt32LE() >>> (32 - SLOT_BITS);
}
