import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import type { Config } from '../../../platform/config/config.js';
import type { Dialler } from '../../../platform/net/dialler.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import { AddressPolicy, nonGlobalRange } from '../../../platform/net/address-policy.js';
import type { Database } from './database.js';
import type { DoctorResolver } from './names.js';

/** Dependencies of the checks. */
export interface DoctorContext {
  config: Config;
  clock: Clock;
  names: DoctorResolver;
  /** The egress that is checked; the first one where it does not matter. */
  egress: EgressSettings;
  /** Connects through the egress. */
  dialler: Dialler;
  /** The policy for mail server addresses. */
  policy: AddressPolicy;
  /** The public addresses that mail servers see of the egress; empty: unknown. */
  publicAddresses: readonly string[];
  /** The source addresses towards the Internet; null: no route. */
  localAddress: Readonly<Record<'ipv4' | 'ipv6', string | null>>;
  database: Database;
  /** Aborts at the deadline. */
  signal: AbortSignal;
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
export function globalAddresses({ ipv4, ipv6 }: DoctorContext['localAddress']): string[] {
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
