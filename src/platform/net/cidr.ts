import { BlockList, SocketAddress, isIP, isIPv6 } from 'node:net';
import { addressOf, octetsOf } from './ip-octets.js';

export interface Address {
  text: string;
  family: 'ipv4' | 'ipv6';
}

/** A parsed range, for `contains`. */
export interface Cidr {
  family: Address['family'];
  range: BlockList;
}

export function isCidr(text: string): boolean {
  return split(text) !== null;
}

/** @throws RangeError if the text is not `address/prefix`, for example `10.0.0.0/8`. */
export function parseCidr(text: string): Cidr {
  const parts = split(text);
  if (parts === null) throw new RangeError(`"${text}" is not a CIDR such as 10.0.0.0/8 or fd00::/8`);
  const { address, prefix } = parts;
  const range = new BlockList();
  range.addSubnet(address.text, prefix, address.family);
  return { family: address.family, range };
}

/**
 * The network in its usual form (RFC 5952); null: the text is not a CIDR.
 * `hasHostBits`: the text named an address in the network and not the network.
 */
export function networkOf(text: string): { network: string; hasHostBits: boolean } | null {
  const parts = split(text);
  if (parts === null) return null;
  const { address, prefix } = parts;
  const sent = octetsOf(address.text);
  const first = sent.map((octet, index) => octet & (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))));
  return { network: `${addressOf(Buffer.from(first))}/${prefix}`, hasHostBits: !sent.equals(first) };
}

/** Whether one of the networks contains the address of a client. @param ip other text than an address is in none. */
export function isInNetworks(ip: string, cidrs: readonly string[]): boolean {
  const address = parseAddress(ip);
  return address !== null && cidrs.some((cidr) => contains(parseCidr(cidr), address));
}

/** Length of the prefix of IPv4-mapped addresses (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96;

function split(text: string): { address: Address; prefix: number } | null {
  const [, ip, digits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (ip === undefined) return null;
  const address = parseAddress(ip);
  if (address === null) return null;

  const isMapped = address.family === 'ipv4' && isIPv6(ip);
  const prefix = Number(digits) - (isMapped ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > (address.family === 'ipv4' ? 32 : 128)) return null;
  return { address, prefix };
}

/**
 * Converts an IPv4-mapped address to IPv4, since the system connects to the IPv4 address. `node:net`
 * accepts only the dotted decimal form of IPv4. Addresses with a zone id are link-local and rejected.
 */
export function parseAddress(ip: string): Address | null {
  const version = isIP(ip);
  if (version === 0 || ip.includes('%')) return null;
  if (version === 4) return { text: ip, family: 'ipv4' };

  const text = new SocketAddress({ address: ip, family: 'ipv6' }).address;
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(text) ?? [];
  return mapped === undefined ? { text, family: 'ipv6' } : { text: mapped, family: 'ipv4' };
}

/** Compares the family first, because BlockList matches IPv4 addresses in `::/0`. */
export function contains(cidr: Cidr, address: Address): boolean {
  return cidr.family === address.family && cidr.range.check(address.text, address.family);
}
