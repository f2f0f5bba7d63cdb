import { Memo } from '../../kernel/concurrency/memo.js';
import { contains, parseAddress, parseCidr, type Address, type Cidr } from './cidr.js';
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

const REJECTED = NON_GLOBAL_RANGES.map(({ name, cidr }) => ({ name, cidr: parseCidr(cidr) }));

function nonGlobalRangeOf(address: Address): string | null {
  return REJECTED.find(({ cidr }) => contains(cidr, address))?.name ?? null;
}
