import type { SocksProxy } from './socks-proxy.js';

/** The route of connections to mail servers: by the routing table, from one address, or through a proxy. */
export type EgressRoute =
  { kind: 'direct' } | { kind: 'bind'; address: string } | { kind: 'socks5'; proxy: SocksProxy };

/** An egress to mail servers, with the identity that servers see. */
export interface EgressSettings {
  /**
   * Identifies it in counters, breakers, permits and the choice of an egress. It does not depend on the
   * position in the list. Without `;name=` it contains an address, and is not shown.
   */
  key: string;
  /** In verdicts, metrics and `/readyz`: `;name=`, `direct`, or `egress-` and the position in the list. */
  name: string;
  route: EgressRoute;
  heloName: string;
  mailFrom: string;
  /** Its address has been in use before (`;warmup=off`). */
  isWarm: boolean;
}

/** The name of the egress without `SMTP_EGRESS` and `SMTP_PROXY_URL`. */
export const DIRECT = 'direct';

/** `direct`, `bind:198.51.100.7`, `bind:[2001:db8::7]` or `socks5://proxy.example.org:1080`. */
export function keyOfRoute(route: EgressRoute): string {
  if (route.kind === 'direct') return DIRECT;
  if (route.kind === 'bind') return `bind:${bracketed(route.address)}`;
  const scheme = route.proxy.pin === null ? 'socks5' : 'socks5s';
  return `${scheme}://${bracketed(route.proxy.host.toLowerCase())}:${route.proxy.port}`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
