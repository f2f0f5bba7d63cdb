/** A part of all hashes: from the first, the second not included. */
export interface HashRange {
  from: Buffer;
  to: Buffer;
}

/** A chunk is claimed, verified and recorded as one; large enough that its bookkeeping is cheap, small enough to do twice. */
export const ADDRESSES_PER_CHUNK = 500;

const SPACE = 2 ** 32;
/** Before all hashes. */
export const START = Buffer.alloc(0);
/** Longer than a hash, and so beyond all of them. */
export const END = Buffer.alloc(33, 0xff);

/**
 * Cuts the hashes into equal ranges. A keyed hash is spread evenly whatever the list holds, so the
 * ranges hold about as many addresses each, and all spellings of an address fall into one.
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

/** The range of one hash. */
export function only(hash: Buffer): HashRange {
  return { from: hash, to: Buffer.concat([hash, Buffer.alloc(1)]) };
}
