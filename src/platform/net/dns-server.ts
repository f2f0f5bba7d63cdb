import { isIP } from 'node:net';

export interface DnsServer {
  address: string;
  port: number;
}

const DNS_PORT = 53;

/** @param text `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. @returns null for anything else. */
export function parseDnsServer(text: string): DnsServer | null {
  if (isIP(text)) return { address: text, port: DNS_PORT };
  const [, v6, v4, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const isAddress = isIP(v6 ?? '') === 6 || isIP(v4 ?? '') === 4;
  return isAddress && port > 0 && port < 65_536 ? { address: (v6 ?? v4)!, port } : null;
}

/** The server in the form of `parseDnsServer`, always with its port. */
export function nameOfServer({ address, port }: DnsServer): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
