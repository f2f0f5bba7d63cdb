import { acceptsAllByTable, patternOf, providerOf } from './mail-exchange.js';

/** What a provider allows, for each egress, in the whole installation. */
export interface ProviderLimits {
  /** Sessions at all addresses of the provider together. */
  connections: number;
  /** Sessions at one address. */
  connectionsPerHost: number;
  /** Recipients of one session; null: the number that all servers allow. */
  recipientsPerConnection: number | null;
}

/**
 * What large providers allow at all of their addresses together. Figures without a source are ours: few
 * sessions, since a verifier is no sender that they know.
 *
 * - Google, Microsoft, Yahoo, Apple, Orange, Mimecast, Comcast: `assets/policy-extras/shaping.toml` of KumoMTA
 *   (Apache-2.0), of November 2026, with the postmaster pages that it names. Microsoft's three groups of
 *   servers are one provider here.
 * - Orange: two of three sessions are ours, as `messagerie.orange.fr/postmaster.html` allows three in all.
 */
export const KNOWN_LIMITS: Readonly<Record<string, Partial<ProviderLimits>>> = {
  google: { connections: 5, recipientsPerConnection: 50 },
  microsoft: { connections: 5, recipientsPerConnection: 50 },
  yahoo: { connections: 5, recipientsPerConnection: 20 },
  yahoo_japan: { connections: 2, recipientsPerConnection: 20 },
  apple: { connections: 5, recipientsPerConnection: 5 },
  orange: { connections: 2 },
  comcast: { connections: 8 },
  mimecast: { connections: 8 },
  proofpoint: { connections: 8 },
  barracuda: { connections: 8 },
  cisco: { connections: 8 },
  gmx: { connections: 4 },
  ionos: { connections: 5 },
  telekom: { connections: 4 },
  strato: { connections: 4 },
  ovh: { connections: 5 },
  zoho: { connections: 5 },
  yandex: { connections: 5 },
  mailru: { connections: 4 },
  proton: { connections: 4 },
  fastmail: { connections: 5 },
  tencent: { connections: 2 },
  netease: { connections: 2 },
  rackspace: { connections: 5 },
  godaddy: { connections: 5 },
};

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
  /** It accepts every recipient and returns mail later; none: as in the table. */
  acceptsAll?: boolean;
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

  /** Whether it accepts every recipient and returns mail later, as the operator or the table says. */
  acceptsAll(mxHost: string): boolean {
    const { changes } = this.options;
    const change = changes?.get(this.nameOf(mxHost));
    return change?.acceptsAll ?? acceptsAllByTable(mxHost);
  }

  of(mxHost: string): Provider {
    const name = this.nameOf(mxHost);
    const { connectionsPerHost: perHost, changes } = this.options;
    const change = changes?.get(name);
    const known = KNOWN_LIMITS[name];
    const limits = { ...known, ...limitsIn(change) };
    const connections = limits.connections ?? 2 * perHost;
    return {
      name,
      isUnknown: limits.connections === undefined,
      connections,
      connectionsPerHost: Math.min(limits.connectionsPerHost ?? perHost, connections),
      recipientsPerConnection: limits.recipientsPerConnection ?? null,
    };
  }
}

function limitsIn({ mx: _, acceptsAll: __, ...limits }: ProviderChange = {}): Partial<ProviderLimits> {
  return limits;
}
