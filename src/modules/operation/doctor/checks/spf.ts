import { BlockList, isIP, isIPv4 } from 'node:net';
import type { DoctorResolver } from './names.js';

/** RFC 7208 §2.6; `unsure`: the result depends on more than the address (macros, `exists`, `ptr`). */
export type SpfResult =
  'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror' | 'unsure';

/** RFC 7208 §4.6.4. */
const MAX_LOOKUPS = 10;

const QUALIFIERS: Readonly<Record<string, SpfResult>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};
const TERM = /^([+\-~?])?([a-z][a-z0-9]*)(?::([^/]*))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/i;
/** IPv6 networks contain colons and a slash. */
const NETWORK = /^([+\-~?])?ip[46]:([^/]+)(?:\/(\d{1,3}))?$/i;

/** Evaluates a domain's SPF record for an address. Never rejects. */
export function spfResult(names: DoctorResolver, domain: string, ip: string): Promise<SpfResult> {
  return new SpfCheck(names, ip).of(domain);
}

class SpfCheck {
  private lookups = 0;

  constructor(
    private readonly names: DoctorResolver,
    private readonly ip: string,
  ) {}

  async of(domain: string): Promise<SpfResult> {
    const lookup = await this.names.texts(domain);
    if (lookup.kind === 'error') return 'temperror';
    const records =
      lookup.kind === 'records' ? lookup.records.filter((text) => /^v=spf1( |$)/i.test(text)) : [];
    if (records.length !== 1) return records.length === 0 ? 'none' : 'permerror';

    const terms = (records[0] ?? '')
      .split(/ +/)
      .slice(1)
      .filter((term) => term !== '');
    for (const term of terms.filter((word) => !word.includes('='))) {
      const result = await this.ofTerm(term, domain);
      if (result !== null) return result;
    }
    const redirect = terms.find((term) => /^redirect=/i.test(term))?.slice('redirect='.length);
    return redirect === undefined
      ? 'neutral'
      : this.ofAnother(redirect, (result) => (result === 'none' ? 'permerror' : result));
  }

  /** null: the term does not match. */
  private async ofTerm(term: string, domain: string): Promise<SpfResult | null> {
    if (term.includes('%')) return 'unsure';
    const network = NETWORK.exec(term);
    if (network) return this.ofNetwork(network[2] ?? '', network[3], verdictOf(network[1]));
    const [, qualifier, name = '', target = domain, v4, v6] = TERM.exec(term) ?? [];
    switch (name.toLowerCase()) {
      case 'all':
        return verdictOf(qualifier);
      case 'include':
        return this.ofAnother(target, (result) => INCLUDED[result](verdictOf(qualifier)));
      case 'a':
      case 'mx':
        return this.ofHosts(
          name.toLowerCase() === 'mx',
          target,
          isIPv4(this.ip) ? (v4 ?? '32') : (v6 ?? '128'),
          verdictOf(qualifier),
        );
      case 'exists':
      case 'ptr':
        return 'unsure';
      default:
        return 'permerror';
    }
  }

  private ofNetwork(base: string, prefix: string | undefined, match: SpfResult): SpfResult | null {
    const version = isIP(base);
    const bits = version === 4 ? 32 : 128;
    if (version === 0 || Number(prefix ?? bits) > bits) return 'permerror';
    return version === isIP(this.ip) && covers(base, Number(prefix ?? bits), this.ip) ? match : null;
  }

  private async ofAnother<T>(domain: string, read: (result: SpfResult) => T): Promise<T | SpfResult> {
    if (domain.includes('%')) return 'unsure';
    if (++this.lookups > MAX_LOOKUPS) return 'permerror';
    return read(await this.of(domain));
  }

  private async ofHosts(
    isMx: boolean,
    domain: string,
    prefix: string,
    match: SpfResult,
  ): Promise<SpfResult | null> {
    if (++this.lookups > MAX_LOOKUPS) return 'permerror';
    const mx = isMx ? await this.names.mx(domain) : null;
    if (mx?.kind === 'error') return 'temperror';
    const hosts = mx === null ? [domain] : mx.kind === 'records' ? mx.records.slice(0, MAX_LOOKUPS) : [];
    const lookup = await Promise.all(hosts.map((host) => this.names.addresses(host)));
    const addresses = lookup.flatMap((found) => (found.kind === 'records' ? found.records : []));
    const exists = addresses.some(
      (address) => isIP(address) === isIP(this.ip) && covers(address, Number(prefix), this.ip),
    );
    if (exists) return match;
    return lookup.some(({ kind }) => kind === 'error') ? 'temperror' : null;
  }
}

/** How the result of an included record applies (RFC 7208 §5.2). */
const INCLUDED: Readonly<Record<SpfResult, (match: SpfResult) => SpfResult | null>> = {
  pass: (match) => match,
  fail: () => null,
  softfail: () => null,
  neutral: () => null,
  none: () => 'permerror',
  permerror: () => 'permerror',
  temperror: () => 'temperror',
  unsure: () => 'unsure',
};

function verdictOf(qualifier = '+'): SpfResult {
  return QUALIFIERS[qualifier] ?? 'permerror';
}

function covers(base: string, prefix: number, ip: string): boolean {
  const family = isIPv4(ip) ? 'ipv4' : 'ipv6';
  if (prefix > (family === 'ipv4' ? 32 : 128)) return false;
  const network = new BlockList();
  network.addSubnet(base, prefix, family);
  return network.check(ip, family);
}
