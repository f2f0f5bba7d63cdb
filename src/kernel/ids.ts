import { randomBytes } from 'node:crypto';

/** Prefixes of ids, by type of object. The prefix is part of the id. */
export type IdPrefix =
  | 'usr'
  | 'team'
  | 'mem'
  | 'inv'
  | 'key'
  | 'job'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'blk'
  | 'dsp'
  | 'chk'
  | 'sgn'
  | 'aud'
  | 'req'
  | 'src'
  | 'rule'
  | 'sch'
  | 'run';

/** The id of the rows of a list: a bigint as text, because their tables have millions of rows. */
export type ListId = string & { readonly __brand: 'ListId' };

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new id: `prefix_` and a UUIDv7 (RFC 9562 §5.7) in Crockford's base32, 26
 * characters. Ids sort by creation time, with millisecond precision.
 *
 * The timestamp comes from the process and not from a Clock, so that a test that
 * sets the clock back cannot produce a duplicate id.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${base32(uuidV7())}`;
}

/** Whether the text has the format of an id. If not, a query for it can be skipped. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));
}

function uuidV7(): bigint {
  const unixMs = BigInt(Math.floor(performance.timeOrigin + performance.now()));
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
  const randomA = random >> 68n;
  const randomB = random & ((1n << 62n) - 1n);
  return (unixMs << 80n) | (0x7n << 76n) | (randomA << 64n) | (0b10n << 62n) | randomB;
}

function base32(value: bigint): string {
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += CROCKFORD[Number((value >> shift) & 31n)];
  return text;
}
