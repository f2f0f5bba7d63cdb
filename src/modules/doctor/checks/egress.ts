import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { DialFailure } from '../../../platform/net/dialler.js';
import type { SocksProxy } from '../../../platform/net/socks-proxy.js';
import { SocksDialler } from '../../../platform/net/socks-dialler.js';
import { fail, pass, type Check, type CheckResult, type DoctorContext } from './check.js';

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
  if (sources.length === 0)
    return fail('this machine has no route to the Internet', 'connect it, or set SMTP_EGRESS to a proxy');
  return pass(`connections leave directly, from ${sources.join(' and ')}`);
}

async function ofAddress(address: string): Promise<CheckResult> {
  return (await canBind(address))
    ? pass(`${address} is an address of this machine`)
    : fail(
        `${address} is not an address of this machine`,
        'add it to a network interface of this machine (in a container: of the container), or correct SMTP_EGRESS',
      );
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
    return pass('the proxy supports SOCKS5 and accepts the connection');
  } catch (failure) {
    if (!(failure instanceof DialFailure)) throw failure;
    return fail(
      `the proxy cannot be used: ${failure.message}`,
      'start the proxy, or correct its address, user and password in SMTP_EGRESS or SMTP_PROXY_URL',
    );
  }
}
