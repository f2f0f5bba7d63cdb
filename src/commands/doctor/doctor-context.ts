import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../kernel/clock.js';
import type { Config } from '../../platform/config/config.js';
import type { Dialler } from '../../platform/net/dialler.js';
import { AddressPolicy, nonGlobalRange } from '../../platform/net/address-policy.js';
import type { Database } from './database.js';
import type { DoctorResolver } from './names.js';

/** What the checks look at. */
export interface DoctorContext {
  config: Config;
  clock: Clock;
  names: DoctorResolver;
  dialler: Dialler;
  /** Which mail servers may be dialled. */
  egress: AddressPolicy;
  /** As whom mail servers see us; none: it cannot be told from here. */
  seenAs: readonly string[];
  /** The addresses that this machine sends from, towards the Internet; null: no way there. */
  localAddress: Readonly<Record<'ipv4' | 'ipv6', string | null>>;
  timeServer: { name: string; port: number };
  database: Database;
  /** Aborts when the time is up. */
  signal: AbortSignal;
}

/** Global addresses on the Internet's backbone (a.root-servers.net); nothing is ever sent to them from here. */
const FAR_AWAY = { ipv4: '198.41.0.4', ipv6: '2001:503:ba3e::2:30' };

/** The routes of this machine, both families. */
export async function localAddresses(): Promise<DoctorContext['localAddress']> {
  const [ipv4, ipv6] = await Promise.all([
    localAddressTowards(FAR_AWAY.ipv4),
    localAddressTowards(FAR_AWAY.ipv6),
  ]);
  return { ipv4, ipv6 };
}

/** The addresses of this machine that the world can see as they are: none behind an address translation. */
export function globalOnes({ ipv4, ipv6 }: DoctorContext['localAddress']): string[] {
  return [ipv4, ipv6].filter((ip) => ip !== null).filter((ip) => nonGlobalRange(ip) === null);
}

/** A connected UDP socket has chosen its route and sent nothing. */
function localAddressTowards(ip: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    const end = (address: string | null) => socket.close(() => resolve(address));
    socket.once('error', () => end(null));
    socket.once('connect', () => end(socket.address().address));
    socket.connect(53, ip);
  });
}
