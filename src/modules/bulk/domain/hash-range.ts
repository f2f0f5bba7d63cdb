import type { Mode } from '../../../kernel/principal.js';

/** A half-open range of address keys. */
export interface HashRange {
  from: Buffer;
  to: Buffer;
}

/** The range of one chunk. */
export interface ChunkRange extends HashRange {
  /** The domain that was divided, in `DOMAIN_BYTES`; null: several whole domains. */
  domain: Buffer | null;
}

/**
 * A chunk is claimed, verified and recorded as a unit. Larger chunks have less overhead; smaller ones
 * repeat less work after a failure. With a test key there is no network to wait for, and the overhead
 * of 500 addresses would be a third of the work.
 */
export const ADDRESSES_PER_CHUNK: Readonly<Record<Mode, number>> = { live: 500, test: 2_000 };

/** The bytes of an address key that identify the domain. */
export const DOMAIN_BYTES = 4;

const SPACE = 2 ** 32;
/** Lower than all keys. */
export const START = Buffer.alloc(0);
/** Longer than a key, so greater than all of them. */
export const END = Buffer.alloc(37, 0xff);

/** Neighbouring addresses of a list: several whole domains, or one large domain. */
export interface AddressGroup {
  /** The lowest domain, in `DOMAIN_BYTES`. */
  from: Buffer;
  addresses: number;
}

/**
 * Divides groups, in the order of their domains, into ranges of about `perChunk` addresses.
 * Only a domain with more addresses than that is divided: within a domain, keyed hashes are evenly
 * distributed, so equal ranges of hashes hold about the same number of addresses.
 */
export function rangesOf(groups: readonly AddressGroup[], perChunk: number): ChunkRange[] {
  const edges = groups.flatMap(({ from, addresses }) => {
    // A group of several domains has fewer than twice the addresses of a chunk; it is not divided.
    const parts = addresses < 2 * perChunk ? 1 : Math.ceil(addresses / perChunk);
    const domain = parts > 1 ? from : null;
    return Array.from({ length: parts }, (_, part) => ({
      edge: Buffer.concat([from, evenEdge(part, parts)]),
      domain,
    }));
  });
  return edges.map(({ edge, domain }, n) => ({
    from: n === 0 ? START : edge,
    to: edges[n + 1]?.edge ?? END,
    domain,
  }));
}

/** Divides the space of the first four bytes into equal ranges. */
export function rangesFor(addresses: number, perRange: number): HashRange[] {
  const count = Math.max(1, Math.ceil(addresses / perRange));
  return Array.from({ length: count }, (_, no) => ({
    from: evenEdge(no, count),
    to: no + 1 < count ? evenEdge(no + 1, count) : END,
  }));
}

function evenEdge(no: number, count: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.ceil((no * SPACE) / count));
  return bytes;
}

/** The range that contains only this key. */
export function singleHashRange(hash: Buffer): HashRange {
  return { from: hash, to: Buffer.concat([hash, Buffer.alloc(1)]) };
}
