import { createSocket } from 'node:dgram';
import { isIP, isIPv6 } from 'node:net';
import { nonGlobalRange } from '../../../../platform/net/address-policy.js';
import type { EgressSettings } from '../../../../platform/net/egress.js';
import { InvalidEgressAddress } from '../domain/finding.js';
import type { DoctorContext } from './check.js';

interface GivenAddress {
  /** null: of the only egress, or of `direct`. */
  egress: string | null;
  ip: string;
}

/** `address` or `egress=address`. */
function parse(text: string): GivenAddress {
  const at = text.lastIndexOf('=');
  return { egress: at === -1 ? null : text.slice(0, at), ip: text.slice(at + 1) };
}

/** @throws InvalidEgressAddress */
export function checkAddresses(texts: readonly string[], egresses: readonly EgressSettings[]): void {
  const names = egresses.map(({ name }) => name);
  for (const { egress, ip } of texts.map(parse)) {
    if (isIP(ip) === 0 || ip.includes('%'))
      throw new InvalidEgressAddress('--egress-ip must be an address, such as 203.0.113.25');
    if (egress !== null && !names.includes(egress))
      throw new InvalidEgressAddress(
        `--egress-ip must name an egress of SMTP_EGRESS before the equals sign: ${names.join(', ')}`,
      );
  }
}

/** The addresses that mail servers see of an egress; empty: they cannot be determined here. */
export function publicAddressesOf(
  { name, route }: EgressSettings,
  egresses: readonly EgressSettings[],
  given: readonly string[],
  localAddress: DoctorContext['localAddress'],
): readonly string[] {
  const acceptsUnnamed = egresses.length === 1 || route.kind === 'direct';
  const own = given
    .map(parse)
    .filter(({ egress }) => (egress === null ? acceptsUnnamed : egress === name))
    .map(({ ip }) => ip);
  if (own.length > 0) return own;
  if (route.kind === 'direct') return globalAddresses(localAddress);
  return route.kind === 'bind' && nonGlobalRange(route.address) === null ? [route.address] : [];
}

/**
 * Global addresses in the Internet (a.root-servers.net), used for route lookups only; nothing is sent
 * to them.
 */
const ROUTE_TARGETS = { ipv4: '198.41.0.4', ipv6: '2001:503:ba3e::2:30' };

/** The source addresses of this machine, for both families. */
export async function localAddresses(): Promise<DoctorContext['localAddress']> {
  const [ipv4, ipv6] = await Promise.all([
    sourceAddressTo(ROUTE_TARGETS.ipv4),
    sourceAddressTo(ROUTE_TARGETS.ipv6),
  ]);
  return { ipv4, ipv6 };
}

/** The public addresses of this machine: none behind NAT. */
function globalAddresses({ ipv4, ipv6 }: DoctorContext['localAddress']): string[] {
  return [ipv4, ipv6].filter((ip) => ip !== null).filter((ip) => nonGlobalRange(ip) === null);
}

/** Connecting a UDP socket selects the route and sends nothing. */
function sourceAddressTo(ip: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    const end = (address: string | null) => socket.close(() => resolve(address));
    socket.once('error', () => end(null));
    socket.once('connect', () => end(socket.address().address));
    socket.connect(53, ip);
  });
}
