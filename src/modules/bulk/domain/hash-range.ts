/** A half-open range of hashes. */
export interface HashRange {
  from: Buffer;
  to: Buffer;
}

/**
 * A chunk is claimed, verified and recorded as a unit: large enough for low overhead, small enough to
 * repeat.
 */
export const ADDRESSES_PER_CHUNK = 500;

const SPACE = 2 ** 32;
/** Lower than all hashes. */
export const START = Buffer.alloc(0);
/** Longer than a hash, so greater than all of them. */
export const END = Buffer.alloc(33, 0xff);

/**
 * Divides the hashes into equal ranges. Keyed hashes are evenly distributed, so the ranges hold about
 * the same number of addresses, and all spellings of an address are in one range.
 */
export function rangesFor(addresses: number, perRange = ADDRESSES_PER_CHUNK): HashRange[] {
  const count = Math.max(1, Math.ceil(addresses / perRange));
  const edge = (no: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(Math.ceil((no * SPACE) / count));
    return bytes;
  };
  return Array.from({ length: count }, (_, no) => ({
    from: edge(no),
    to: no + 1 < count ? edge(no + 1) : END,
  }));
}

/** The range that contains only this hash. */
export function singleHashRange(hash: Buffer): HashRange {
  return { from: hash, to: Buffer.concat([hash, Buffer.alloc(1)]) };
}
