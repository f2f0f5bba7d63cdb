import type { SocksProxy } from './socks-proxy.js';

/** The route of connections to mail servers: by the routing table, from one address, or through a proxy. */
export type EgressWay =
  { kind: 'direct' } | { kind: 'bind'; address: string } | { kind: 'socks5'; proxy: SocksProxy };

/** An egress to mail servers, with the identity that servers see. */
export interface EgressSettings {
  /** In verdicts, metrics and `/readyz`; without user and password. */
  name: string;
  way: EgressWay;
  heloName: string;
  mailFrom: string;
  /** Its address has been in use before (`;warmup=off`). */
  isWarm: boolean;
}

/** The name of the egress without `SMTP_EGRESS` and `SMTP_PROXY_URL`. */
export const DIRECT = 'direct';

/** `direct`, `bind:198.51.100.7`, `bind:[2001:db8::7]` or `socks5://proxy.example.org:1080`. */
export function nameOfWay(way: EgressWay): string {
  if (way.kind === 'direct') return DIRECT;
  if (way.kind === 'bind') return `bind:${bracketed(way.address)}`;
  return `socks5://${bracketed(way.proxy.host.toLowerCase())}:${way.proxy.port}`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
