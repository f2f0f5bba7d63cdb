import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { DialFailure } from '../../../../platform/net/dialler.js';
import type { SocksProxy } from '../../../../platform/net/socks-proxy.js';
import { SocksDialler } from '../../../../platform/net/socks-dialler.js';
import { fail, pass, type Check, type CheckResult, type DoctorContext } from './check.js';
import { found, remedy } from '../domain/sentences.js';

const PROXY_MS = 5_000;

export const EGRESS: Check = {
  check: 'egress',
  why: 'connections to mail servers leave through it; while it does not work, the others take its domains',
  network: ({ egress }) => egress.route.kind !== 'bind',
  perEgress: true,
  run: async (context) => {
    const { route } = context.egress;
    if (route.kind === 'bind') return ofAddress(route.address);
    if (route.kind === 'socks5') return ofProxy(route.proxy, context.signal);
    return ofRoutes(context);
  },
};

function ofRoutes({ localAddress: { ipv4, ipv6 } }: DoctorContext): CheckResult {
  const sources = [ipv4, ipv6].filter((ip) => ip !== null);
  if (sources.length === 0) return fail(found('no_route', {}), remedy('connect_machine', {}));
  return pass(found('leaves_directly', { addresses: sources.join(', ') }));
}

async function ofAddress(address: string): Promise<CheckResult> {
  return (await canBind(address))
    ? pass(found('address_of_machine', { address }))
    : fail(found('address_not_of_machine', { address }), remedy('add_address', {}));
}

function canBind(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ address, port: 0, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

/** Failures do not contain the address or the password of the proxy. */
async function ofProxy(proxy: SocksProxy, signal: AbortSignal): Promise<CheckResult> {
  try {
    await new SocksDialler(proxy).greet(PROXY_MS, signal);
    return pass(found('proxy_works', {}));
  } catch (failure) {
    if (!(failure instanceof DialFailure)) throw failure;
    return fail(found('proxy_fails', { reason: failure.message }), remedy('correct_proxy', {}));
  }
}
