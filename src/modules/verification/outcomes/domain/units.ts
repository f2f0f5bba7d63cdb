import { consumerProviderOf } from '../../../../engine/providers/mail-exchange.js';

/*
 * What the outcomes of a team are counted by:
 *
 * - A host is whoever runs mail servers, named by their registrable domain: `google.com` of `aspmx.l.google.com`.
 * - A place is what is known of where the mail of a domain goes: the domain, its host and its provider.
 * - A unit is a set of places whose addresses count together, because one system decides about them: all domains of a
 *   company at its own host, or a consumer service (`Units.hostOf`). Of a host with customers, each domain is a unit.
 */

/** Where the mail of an address goes. */
export interface Place {
  domain: string;
  /** Null: the domain has no mail servers. */
  host: string | null;
  /** From the table of providers; null: not known. */
  provider: string | null;
}

/** From this number of domains on, the domains of a host that is not in the table are those of its customers. */
export const HOST_DOMAINS = 3;

/** The ids of the domains that a team has verified at hosts which are not in the table, at most `HOST_DOMAINS`. */
export type DomainsOf = Readonly<Record<string, readonly string[]>>;

/** Which addresses count together. The customers of a host have nothing else in common. */
export class Units {
  /** @param idOf what identifies a domain in `domainsOf` */
  constructor(
    private readonly domainsOf: DomainsOf,
    private readonly idOf: (domain: string) => string,
  ) {}

  /** The host with whose addresses those of the domain count; null: they count by themselves. */
  hostOf({ domain, host, provider }: Place): string | null {
    if (provider !== null) return consumerOf(domain, provider);
    if (host === null) return null;
    const known = Object.hasOwn(this.domainsOf, host) ? (this.domainsOf[host] ?? []) : [];
    const isAnother = known.length === HOST_DOMAINS - 1 && !known.includes(this.idOf(domain));
    return known.length >= HOST_DOMAINS || isAnother ? null : host;
  }

  /** The name of the unit: a host, or `@` and a domain. */
  unitOf(place: Place): string {
    return this.hostOf(place) ?? `@${place.domain}`;
  }
}

/** Every provider of the table also has domains of customers, which are not those of its consumer service. */
function consumerOf(domain: string, provider: string): string | null {
  const consumer = consumerProviderOf(domain);
  return consumer === `${provider} consumer` ? consumer : null;
}

/** Under which names an accepted address is counted. Without the domain of a consumer service. */
export interface CountName {
  /** Of a provider that is not in the table. */
  host: string | null;
  /** A domain, or a consumer service. */
  name: string;
}

export function countNameOf({ domain, host, provider }: Place): CountName {
  if (provider === null) return { host, name: domain };
  return { host: null, name: consumerOf(domain, provider) ?? domain };
}
