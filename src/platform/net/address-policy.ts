import { BlockList, SocketAddress, isIP, isIPv6 } from 'node:net';
import { Memo } from '../../kernel/concurrency/memo.js';
import { NON_GLOBAL_RANGES } from './non-global-ranges.js';

/**
 * Decides which addresses connections may be opened to, for webhooks and MX hosts.
 *
 * Callers check the resolved address that they connect to, not the name (server-side
 * request forgery, OWASP API7:2023).
 */
export class AddressPolicy {
  private readonly allowed: Cidr[];
  private readonly results = new Memo<boolean>(10_000);

  /**
   * @param allowCidrs non-global ranges to allow, for example `10.0.0.0/8` or `fd00::/8`.
   * @throws RangeError if one of them is not a CIDR.
   */
  constructor(allowCidrs: readonly string[]) {
    this.allowed = allowCidrs.map(parseCidr);
  }

  /** @param ip an IP address. All other text is rejected, including zone ids and legacy forms (`127.1`, `0x7f000001`). */
  allows(ip: string): boolean {
    return this.results.get(ip, () => this.isAllowed(ip));
  }

  private isAllowed(ip: string): boolean {
    const address = parseAddress(ip);
    if (address === null) return false;
    if (this.allowed.some((cidr) => contains(cidr, address))) return true;
    return nonGlobalRangeOf(address) === null;
  }
}

/** The name of the special-purpose range that contains the address; null if it is global or not an address. */
export function nonGlobalRange(ip: string): string | null {
  const address = parseAddress(ip);
  return address && nonGlobalRangeOf(address);
}

interface Address {
  text: string;
  family: 'ipv4' | 'ipv6';
}

/** A parsed range, for `contains`. */
interface Cidr {
  family: Address['family'];
  range: BlockList;
}

export function isCidr(text: string): boolean {
  return parseCidrOrNull(text) !== null;
}

/** @throws RangeError if the text is not `address/prefix`, for example `10.0.0.0/8`. */
export function parseCidr(text: string): Cidr {
  const cidr = parseCidrOrNull(text);
  if (cidr === null) throw new RangeError(`"${text}" is not a CIDR such as 10.0.0.0/8 or fd00::/8`);
  return cidr;
}

/** Length of the prefix of IPv4-mapped addresses (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96;

function parseCidrOrNull(text: string): Cidr | null {
  const [, ip, digits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (ip === undefined) return null;
  const address = parseAddress(ip);
  if (address === null) return null;

  const isMapped = address.family === 'ipv4' && isIPv6(ip);
  const prefix = Number(digits) - (isMapped ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > (address.family === 'ipv4' ? 32 : 128)) return null;

  const range = new BlockList();
  range.addSubnet(address.text, prefix, address.family);
  return { family: address.family, range };
}

/**
 * Converts an IPv4-mapped address to IPv4, since the system connects to the IPv4 address. `node:net`
 * accepts only the dotted decimal form of IPv4. Addresses with a zone id are link-local and rejected.
 */
function parseAddress(ip: string): Address | null {
  const version = isIP(ip);
  if (version === 0 || ip.includes('%')) return null;
  if (version === 4) return { text: ip, family: 'ipv4' };

  const text = new SocketAddress({ address: ip, family: 'ipv6' }).address;
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(text) ?? [];
  return mapped === undefined ? { text, family: 'ipv6' } : { text: mapped, family: 'ipv4' };
}

/** Compares the family first, because BlockList matches IPv4 addresses in `::/0`. */
function contains(cidr: Cidr, address: Address): boolean {
  return cidr.family === address.family && cidr.range.check(address.text, address.family);
}

const REJECTED = NON_GLOBAL_RANGES.map(({ name, cidr }) => ({ name, cidr: parseCidr(cidr) }));

function nonGlobalRangeOf(address: Address): string | null {
  return REJECTED.find(({ cidr }) => contains(cidr, address))?.name ?? null;
}
