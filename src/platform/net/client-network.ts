const IPV6_GROUPS = 8;
const CUSTOMER_GROUPS = 4;

/**
 * The network of a client, for rate limits: an IPv4 address, or the /64 of an IPv6 address. A site has
 * at least a /64 (RFC 6177 §2), so one client can use many addresses of it.
 */
export function clientNetworkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = IPV6_GROUPS - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, CUSTOMER_GROUPS).join(':');
}
