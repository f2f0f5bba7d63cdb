import { isIP } from 'node:net';
import type { DnsFailure, DnsRequester } from '../mx-resolver.js';
import { isUsableExchange } from './mx-exchange.js';

/** The addresses of a host. `none` is proven (NXDOMAIN or no data, with an SOA record), `error` is not. */
export type HostAddresses =
  { kind: 'addresses'; addresses: string[] } | { kind: 'none' } | ({ kind: 'error' } & DnsFailure);

export interface HostResolver {
  /** IPv4 first, then IPv6; a host that is an IP literal is `none`. Never rejects. */
  addresses(host: string, signal: AbortSignal, requester: DnsRequester): Promise<HostAddresses>;
}

/** The addresses of an exchange that is no name: an address is its own. Null: it must be looked up. */
export function addressesWithoutQuery(host: string): HostAddresses | null {
  if (isIP(host) !== 0) return { kind: 'addresses', addresses: [host] };
  if (isUsableExchange(host)) return null;
  return { kind: 'error', error: `"${host}" is not the name of a host` };
}
