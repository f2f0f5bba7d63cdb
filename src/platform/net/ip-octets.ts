import { SocketAddress, isIPv4, isIPv6 } from 'node:net';

/** The octets of an address, 4 or 16. @throws RangeError if the text is not an address without a zone. */
export function octetsOf(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.from(ip.split('.').map(Number));
  if (!isIPv6(ip) || ip.includes('%')) throw new RangeError(`not an IP address: ${ip}`);
  // The URL parser normalizes all forms to groups of hexadecimal digits with at most one `::`.
  const [front = '', back = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const hex = (side: string) =>
    side
      .split(':')
      .map((group) => group && group.padStart(4, '0'))
      .join('');
  return Buffer.from(hex(front) + hex(back).padStart(32 - hex(front).length, '0'), 'hex');
}

/** The usual form of an address (RFC 5952). */
export function addressOf(octets: Buffer): string {
  if (octets.length === 4) return octets.join('.');
  const groups = octets.toString('hex').replace(/.{4}(?!$)/g, '$&:');
  return new SocketAddress({ address: groups, family: 'ipv6' }).address;
}
