/** What a provider allows, for each egress, in the whole installation. */
export interface ProviderLimits {
  /** Sessions at all addresses of the provider together. */
  connections: number;
  /** Sessions at one address. */
  connectionsPerHost: number;
  /** Recipients of one session; null: the number that all servers allow. */
  recipientsPerConnection: number | null;
  /** Recipients in a minute; null: no limit. */
  perMinute: number | null;
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
