import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { octetsOf } from '../../../../platform/net/ip-octets.js';

/** `none`: the name exists and has no such record. `error` contains the system's error code. */
export type DnsLookup<T> =
  { kind: 'records'; records: T[] } | { kind: 'none' | 'no_domain' } | { kind: 'error'; code: string };

/** For one attempt at one server; the overall deadline limits the rest. */
const TRY_MS = 1_500;

/**
 * Queries the configured name servers. The engine's client supports only the three query types that
 * verdicts need, and caches.
 */
export class DoctorResolver {
  private readonly resolver = new Resolver({ timeout: TRY_MS, tries: 2 });

  constructor(
    servers: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.resolver.setServers(servers);
    signal.addEventListener('abort', () => this.resolver.cancel(), { once: true });
  }

  /** The most preferred first. */
  async mx(name: string): Promise<DnsLookup<string>> {
    const lookup = await this.query(() => this.resolver.resolveMx(name));
    if (lookup.kind !== 'records') return lookup;
    const sorted = lookup.records.toSorted((a, b) => a.priority - b.priority);
    return { kind: 'records', records: sorted.map(({ exchange }) => exchange) };
  }

  /** IPv4 first. An error of one family is ignored when the other has addresses. */
  async addresses(name: string): Promise<DnsLookup<string>> {
    const [v4, v6] = await Promise.all([this.ipv4(name), this.query(() => this.resolver.resolve6(name))]);
    const records = [v4, v6].flatMap((lookup) => (lookup.kind === 'records' ? lookup.records : []));
    if (records.length > 0) return { kind: 'records', records };
    return v4.kind === 'error' ? v4 : v6.kind === 'error' ? v6 : v4;
  }

  ipv4(name: string): Promise<DnsLookup<string>> {
    return this.query(() => this.resolver.resolve4(name));
  }

  texts(name: string): Promise<DnsLookup<string>> {
    return this.query(async () => (await this.resolver.resolveTxt(name)).map((parts) => parts.join('')));
  }

  /** The PTR names of an address, in lower case. */
  pointers(ip: string): Promise<DnsLookup<string>> {
    const name = `${reversed(ip)}.${isIPv4(ip) ? 'in-addr' : 'ip6'}.arpa`;
    return this.query(async () => (await this.resolver.resolvePtr(name)).map((host) => host.toLowerCase()));
  }

  private async query<T>(question: () => Promise<T[]>): Promise<DnsLookup<T>> {
    if (this.signal.aborted) return { kind: 'error', code: 'ETIMEOUT' };
    try {
      return { kind: 'records', records: await question() };
    } catch (error) {
      const { code = 'EUNKNOWN' } = error as NodeJS.ErrnoException;
      if (code === NODATA) return { kind: 'none' };
      return code === NOTFOUND ? { kind: 'no_domain' } : { kind: 'error', code };
    }
  }
}

/**
 * The address in the form of reverse zones and DNS lists: octets or nibbles in reverse order (RFC 1035
 * §3.5, RFC 3596 §2.5).
 */
export function reversed(ip: string): string {
  const octets = octetsOf(ip);
  return [...(octets.length === 4 ? octets : octets.toString('hex'))].reverse().join('.');
}
