import type { Mode } from '../../../../kernel/principal.js';
import { append } from '../../../../kernel/long-lists.js';

/** A half-open range of address keys. */
export interface HashRange {
  from: Buffer;
  to: Buffer;
}

/** The keys of one chunk: those of a range, or of whole domains. */
export interface ChunkKeys extends HashRange {
  /** `DOMAIN_BYTES` of each domain; the range is empty then. Null: those of the range. */
  domains: Buffer | null;
  /**
   * The mail servers that all addresses have in common: a provider, or a domain that was divided, in
   * `DOMAIN_BYTES`; null: several domains.
   */
  servers: Buffer | null;
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

/** Several whole domains of a list with the same provider, or one large domain. */
export interface AddressGroup {
  /** In `DOMAIN_BYTES` each, in order. */
  domains: Buffer;
  provider: string | null;
  addresses: number;
}

/**
 * Divides groups, in the order of their domains, into chunks of about `perChunk` addresses. Only a domain
 * with more addresses than that is divided: within a domain, keyed hashes are evenly distributed, so equal
 * ranges of hashes hold about the same number of addresses.
 *
 * Without providers the chunks are neighbouring ranges. Otherwise the domains of each provider have chunks
 * of their own.
 */
export function chunksOf(groups: readonly AddressGroup[], perChunk: number): ChunkKeys[] {
  return groups.some(({ provider }) => provider !== null)
    ? setsOf(groups, perChunk)
    : rangesOf(groups, perChunk);
}

function rangesOf(groups: readonly AddressGroup[], perChunk: number): ChunkKeys[] {
  const edges = groups.flatMap((group) => {
    const from = firstOf(group);
    const parts = partsOf(group, perChunk);
    return evenRanges(parts).map((range) => ({
      edge: Buffer.concat([from, range.from]),
      servers: parts > 1 ? from : null,
    }));
  });
  return edges.map(({ edge, servers }, n) => ({
    from: n === 0 ? START : edge,
    to: edges[n + 1]?.edge ?? END,
    domains: null,
    servers,
  }));
}

function setsOf(groups: readonly AddressGroup[], perChunk: number): ChunkKeys[] {
  const divided: ChunkKeys[] = [];
  const sets: AddressGroup[] = [];
  /** The smallest set of each provider. */
  const open = new Map<string | null, AddressGroup>();
  for (const group of groups) {
    if (partsOf(group, perChunk) > 1) append(divided, rangesWithin(group, perChunk));
    else addTo(sets, open, group, perChunk);
  }
  const ofSets = sets.map(({ domains, provider }) => ({
    from: START,
    to: START,
    domains,
    servers: provider === null ? null : Buffer.from(provider),
  }));
  return [...divided, ...ofSets];
}

/** Of one large domain. */
function rangesWithin(group: AddressGroup, perChunk: number): ChunkKeys[] {
  const domain = firstOf(group);
  const servers = group.provider === null ? domain : Buffer.from(group.provider);
  return evenRanges(partsOf(group, perChunk)).map(({ from, to }) => ({
    from: Buffer.concat([domain, from]),
    to: Buffer.concat([domain, to]),
    domains: null,
    servers,
  }));
}

/** Adds the group to the smallest set of its provider if they fit into one chunk. */
function addTo(
  sets: AddressGroup[],
  open: Map<string | null, AddressGroup>,
  group: AddressGroup,
  perChunk: number,
): void {
  const smallest = open.get(group.provider);
  if (smallest !== undefined && smallest.addresses + group.addresses <= perChunk) {
    smallest.domains = Buffer.concat([smallest.domains, group.domains]);
    smallest.addresses += group.addresses;
    return;
  }
  const set = { ...group };
  sets.push(set);
  if (smallest === undefined || set.addresses < smallest.addresses) open.set(group.provider, set);
}

/** A group of several domains has fewer than twice the addresses of a chunk; it is not divided. */
function partsOf({ addresses }: AddressGroup, perChunk: number): number {
  return addresses < 2 * perChunk ? 1 : Math.ceil(addresses / perChunk);
}

function firstOf({ domains }: AddressGroup): Buffer {
  return domains.subarray(0, DOMAIN_BYTES);
}

/** Divides the space of the first four bytes into equal ranges. */
export function rangesFor(addresses: number, perRange: number): HashRange[] {
  return evenRanges(Math.max(1, Math.ceil(addresses / perRange)));
}

function evenRanges(count: number): HashRange[] {
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
export function singleKeyRange(addressKey: Buffer): HashRange {
  return { from: addressKey, to: Buffer.concat([addressKey, Buffer.alloc(1)]) };
}

/** The domains of a list whose provider is known, collected while the list is received. */
export class ListProviders {
  /** By the first bytes of the address keys, in hexadecimal. */
  private readonly providers = new Map<string, string>();
  private readonly rows = new Map<string, number>();

  add(addressKey: string, provider: string): void {
    this.providers.set(addressKey.slice(0, 2 * DOMAIN_BYTES), provider);
    this.rows.set(provider, (this.rows.get(provider) ?? 0) + 1);
  }

  /** The domains of the providers with at least that many rows, each with its provider. */
  withRows(min: number): ReadonlyMap<string, string> {
    const found = [...this.providers].filter(([, provider]) => (this.rows.get(provider) ?? 0) >= min);
    return new Map(found);
  }
}
