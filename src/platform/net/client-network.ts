const IPV6_GROUPS = 8;
const CUSTOMER_GROUPS = 4;

/**
 * The place that a network address stands for: an IPv4 address itself, of an
 * IPv6 address the /64. A customer is given no less (RFC 6177 §2), and could
 * come from another address of it each time.
 */
export function clientNetworkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = IPV6_GROUPS - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, CUSTOMER_GROUPS).join(':');
}
