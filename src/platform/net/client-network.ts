const LINK_BITS = 64;
/** Of the networks of an IPv6 address, widest first: a site has a /48 or a /56, and a link a /64 (RFC 6177 §2). */
const IPV6_PREFIXES = [48, 56, LINK_BITS];
const IPV6_GROUPS = 8;
const GROUP_BITS = 16;

/**
 * The network of a client, for rate limits: an IPv4 address, or the /64 of an IPv6 address. A site has
 * at least a /64 (RFC 6177 §2), so one client can use many addresses of it.
 */
export function clientNetworkOf(address: string): string {
  return networksOf(address).at(-1) ?? address;
}

/** The networks of a client, widest first: /48, /56 and /64 of an IPv6 address; /24 of an IPv4 address, and itself. */
export function networksOf(address: string): readonly string[] {
  if (address.includes('.')) return [`${address.slice(0, address.lastIndexOf('.'))}/24`, address];
  if (!address.includes(':')) return [address];
  const groups = groupsOf(address);
  return IPV6_PREFIXES.map((bits) => {
    const whole = groups.slice(0, Math.floor(bits / GROUP_BITS));
    const rest = bits % GROUP_BITS;
    if (rest > 0) whole.push((groups[whole.length] ?? 0) >> (GROUP_BITS - rest));
    const name = whole.map((group) => group.toString(16)).join(':');
    return bits === LINK_BITS ? name : `${name}/${bits}`;
  });
}

function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Math.max(0, IPV6_GROUPS - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail];
  return groups.map((group) => Number.parseInt(group, 16) & 0xffff);
}
