import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';

/** `none`: the name exists and has no such record. `error` names the system's word for what went wrong. */
export type DnsLookup<T> =
  { kind: 'records'; records: T[] } | { kind: 'none' | 'no_domain' } | { kind: 'error'; code: string };

/** For one try of one server; the deadline of the whole ends the rest. */
const TRY_MS = 1_500;

/**
 * Asks the name servers that verification asks. The engine's own client knows the three
 * questions that verdicts need, and remembers; here others are put, once.
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
    const said = await this.ask(() => this.resolver.resolveMx(name));
    if (said.kind !== 'records') return said;
    const sorted = said.records.toSorted((a, b) => a.priority - b.priority);
    return { kind: 'records', records: sorted.map(({ exchange }) => exchange) };
  }

  /** IPv4 first. An error of one family is forgiven when the other has addresses. */
  async addresses(name: string): Promise<DnsLookup<string>> {
    const [v4, v6] = await Promise.all([this.ipv4(name), this.ask(() => this.resolver.resolve6(name))]);
    const records = [v4, v6].flatMap((said) => (said.kind === 'records' ? said.records : []));
    if (records.length > 0) return { kind: 'records', records };
    return v4.kind === 'error' ? v4 : v6.kind === 'error' ? v6 : v4;
  }

  ipv4(name: string): Promise<DnsLookup<string>> {
    return this.ask(() => this.resolver.resolve4(name));
  }

  texts(name: string): Promise<DnsLookup<string>> {
    return this.ask(async () => (await this.resolver.resolveTxt(name)).map((parts) => parts.join('')));
  }

  /** The reverse names of an address, in lower case. */
  pointers(ip: string): Promise<DnsLookup<string>> {
    const name = `${reversed(ip)}.${isIPv4(ip) ? 'in-addr' : 'ip6'}.arpa`;
    return this.ask(async () => (await this.resolver.resolvePtr(name)).map((host) => host.toLowerCase()));
  }

  private async ask<T>(question: () => Promise<T[]>): Promise<DnsLookup<T>> {
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

/** As reverse zones and DNS lists write an address: octets, or nibbles, from the last (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reversed(ip: string): string {
  if (isIPv4(ip)) return ip.split('.').reverse().join('.');
  // The URL parser writes any spelling in groups of hexadecimal digits, with at most one `::`.
  const [front = '', back] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (side: string) => side.split(':').filter((group) => group !== '');
  const zeroes = back === undefined ? 0 : 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array<string>(zeroes).fill('0'), ...groups(back ?? '')];
  const nibbles = all.map((group) => group.padStart(4, '0')).join('');
  return [...nibbles].reverse().join('.');
}
