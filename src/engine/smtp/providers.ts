import { patternOf, providerOf } from '../dns/mail-exchange.js';
import { KNOWN_LIMITS, type ProviderLimits } from './provider-limits.js';

/** Before its name in permits, where others have the address of a server. */
export const PROVIDER_PREFIX = 'provider ';

export interface Provider extends ProviderLimits {
  /** Of the table, or the registrable domain of the MX host. */
  name: string;
  /** Its limits are not known in advance. */
  isUnknown: boolean;
}

/** What an operator changes or adds. */
export interface ProviderChange extends Partial<ProviderLimits> {
  /** Patterns of MX hosts as in the table of `mail-exchange.ts`; none: those of the table. */
  mx?: readonly string[];
}

export interface ProvidersOptions {
  /** `SMTP_MAX_CONNECTIONS_PER_MX` */
  connectionsPerHost: number;
  /** The registrable domain of a host name. */
  registrableOf: (host: string) => string;
  /** By name, from `PROVIDERS_FILE`. */
  changes?: ReadonlyMap<string, ProviderChange>;
}

/** The providers of mail servers with their limits. */
export class Providers {
  private readonly patterns: readonly { name: string; pattern: RegExp }[];

  constructor(private readonly options: ProvidersOptions) {
    this.patterns = [...(options.changes ?? [])].flatMap(([name, { mx = [] }]) =>
      mx.map((host) => ({ name, pattern: patternOf(host.toLowerCase()) })),
    );
  }

  /** @param mxHost A-label. */
  nameOf(mxHost: string): string {
    const host = mxHost.toLowerCase().replace(/\.$/, '');
    const added = this.patterns.find(({ pattern }) => pattern.test(host))?.name;
    return added ?? providerOf(host) ?? this.options.registrableOf(host);
  }

  /** Whether its limits are known in advance. */
  isKnown(name: string): boolean {
    return KNOWN_LIMITS[name] !== undefined || this.options.changes?.has(name) === true;
  }

  of(mxHost: string): Provider {
    const name = this.nameOf(mxHost);
    const { connectionsPerHost: perHost, changes } = this.options;
    const change = changes?.get(name);
    const known = KNOWN_LIMITS[name];
    const limits = { ...known, ...withoutMx(change) };
    const connections = limits.connections ?? 2 * perHost;
    return {
      name,
      isUnknown: limits.connections === undefined,
      connections,
      connectionsPerHost: Math.min(limits.connectionsPerHost ?? perHost, connections),
      recipientsPerConnection: limits.recipientsPerConnection ?? null,
      perMinute: limits.perMinute ?? null,
    };
  }
}

function withoutMx({ mx: _, ...limits }: ProviderChange = {}): Partial<ProviderLimits> {
  return limits;
}
