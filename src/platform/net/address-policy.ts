import { LRUCache } from 'lru-cache';
import { BlockList, SocketAddress, isIP, isIPv6 } from 'node:net';
import { NON_GLOBAL_RANGES } from './non-global-ranges.js';

/**
 * Decides which addresses may be dialled, for webhooks and MX hosts alike.
 *
 * Whoever dials asks about the very address it dials, after the name was
 * resolved: a name says nothing about where it leads (server-side request
 * forgery, OWASP API7:2023).
 */
export class AddressPolicy {
  private readonly opened: Cidr[];
  /** What was decided: nothing else goes into it, and a busy mail server is asked about for each address. */
  private readonly decided = new LRUCache<string, boolean>({ max: 10_000 });

  /**
   * @param allowCidrs ranges that may be dialled although they are not global, as `10.0.0.0/8` or `fd00::/8`.
   * @throws RangeError when one of them is no CIDR.
   */
  constructor(allowCidrs: readonly string[]) {
    this.opened = allowCidrs.map(parseCidr);
  }

  /** @param ip an address; any other text, zone ids and old spellings (`127.1`, `0x7f000001`) included, is refused. */
  allows(ip: string): boolean {
    return this.decided.get(ip) ?? this.decide(ip);
  }

  private decide(ip: string): boolean {
    const decided = this.isAllowed(ip);
    this.decided.set(ip, decided);
    return decided;
  }

  private isAllowed(ip: string): boolean {
    const address = parseAddress(ip);
    if (address === null) return false;
    if (this.opened.some((cidr) => contains(cidr, address))) return true;
    return nonGlobalRangeOf(address) === null;
  }
}

/** The name of the special-purpose range an address lies in; null when it is global, or no address. */
export function nonGlobalRange(ip: string): string | null {
  const address = parseAddress(ip);
  return address && nonGlobalRangeOf(address);
}

interface Address {
  text: string;
  family: 'ipv4' | 'ipv6';
}

/** A parsed range; `contains` tells what lies in it. */
export interface Cidr {
  family: Address['family'];
  range: BlockList;
}

export function isCidr(text: string): boolean {
  return readCidr(text) !== null;
}

/** @throws RangeError when the text is not `address/prefix`, for example `10.0.0.0/8`. */
export function parseCidr(text: string): Cidr {
  const cidr = readCidr(text);
  if (cidr === null) throw new RangeError(`"${text}" is not a CIDR such as 10.0.0.0/8 or fd00::/8`);
  return cidr;
}

/** The bits before the IPv4 address in an IPv4-mapped one (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96;

function readCidr(text: string): Cidr | null {
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
 * An IPv4-mapped address is judged as the IPv4 address it stands for, since
 * that is what the system dials. `node:net` knows no spelling but four plain
 * decimals for IPv4; a zone id names a link of this machine, never the Internet.
 */
function parseAddress(ip: string): Address | null {
  const version = isIP(ip);
  if (version === 0 || ip.includes('%')) return null;
  if (version === 4) return { text: ip, family: 'ipv4' };

  const text = new SocketAddress({ address: ip, family: 'ipv6' }).address;
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(text) ?? [];
  return mapped === undefined ? { text, family: 'ipv6' } : { text: mapped, family: 'ipv4' };
}

/** The families are told apart here because BlockList finds IPv4 addresses in `::/0`. */
function contains(cidr: Cidr, address: Address): boolean {
  return cidr.family === address.family && cidr.range.check(address.text, address.family);
}

const REFUSED = NON_GLOBAL_RANGES.map(({ name, cidr }) => ({ name, cidr: parseCidr(cidr) }));

function nonGlobalRangeOf(address: Address): string | null {
  return REFUSED.find(({ cidr }) => contains(cidr, address))?.name ?? null;
}
