/** The assumptions of `bench/lists.ts` about a provider. */
export interface ProviderSpec {
  /** Sessions at all of its addresses together. */
  sessions: number;
  /** Of the rows of the list. */
  share: number;
  latencyMs: number;
  pipelining: boolean;
  addresses: number;
  /** Its own domains, the largest first, with the host of their mail. Half of its rows, if it has customers. */
  own: Readonly<Record<string, string>>;
  /** Domains of customers, by Zipf. */
  customers: number;
  /** The hosts of a customer; each has one of the addresses. */
  hostsOf: (customer: number) => string[];
}

const rotated = (hosts: readonly string[], by: number) =>
  hosts.map((_, n) => hosts[(n + by) % hosts.length] ?? '');
const GOOGLE = [
  'aspmx.l.google.com',
  'alt1.aspmx.l.google.com',
  'alt2.aspmx.l.google.com',
  'smtp.google.com',
];
const NORTHHOST = [1, 2, 3, 4].map((n) => `mx${n}.northhost.mailworld`);
const POSTBOX = [1, 2, 3].map((n) => `in${n}.postbox.mailworld`);

/**
 * Sessions of Google and Microsoft: `provider_connection_limit` of the traffic shaping rules that KumoMTA
 * publishes (`assets/policy-extras/shaping.toml`). Orange is a provider that allows few. Rcpt does not know
 * the names of the other two.
 */
export const PROVIDERS: Readonly<Record<string, ProviderSpec>> = {
  google: {
    sessions: 5,
    share: 0.15,
    latencyMs: 60,
    pipelining: true,
    addresses: 5,
    own: { 'gmail.com': 'gmail-smtp-in.l.google.com' },
    customers: 200,
    hostsOf: (customer) => rotated(GOOGLE, customer),
  },
  microsoft: {
    sessions: 5,
    share: 0.15,
    latencyMs: 60,
    pipelining: true,
    addresses: 5,
    own: {
      'outlook.com': 'outlook-com.olc.protection.outlook.com',
      'hotmail.com': 'hotmail-com.olc.protection.outlook.com',
    },
    customers: 200,
    hostsOf: (customer) => [`firm${customer}-example.mail.protection.outlook.com`],
  },
  orange: {
    sessions: 2,
    share: 0.05,
    latencyMs: 60,
    pipelining: true,
    addresses: 1,
    own: { 'orange.fr': 'smtp-in.orange.fr', 'wanadoo.fr': 'smtp-in.orange.fr' },
    customers: 0,
    hostsOf: () => [],
  },
  'northhost.mailworld': {
    sessions: 5,
    share: 0.05,
    latencyMs: 60,
    pipelining: false,
    addresses: 4,
    own: { 'north.mailworld': 'mx1.northhost.mailworld' },
    customers: 10,
    hostsOf: (customer) => rotated(NORTHHOST, customer),
  },
  'postbox.mailworld': {
    sessions: 5,
    share: 0.05,
    latencyMs: 60,
    pipelining: true,
    addresses: 3,
    own: { 'postbox-one.mailworld': POSTBOX[0] ?? '', 'postbox-two.mailworld': POSTBOX[1] ?? '' },
    customers: 4,
    hostsOf: (customer) => rotated(POSTBOX, customer),
  },
};

/** The domains that no provider has. */
export const SMALL = {
  domains: 2_500,
  sessions: 5,
  /** Latencies are log-normal: one server of a thousand has two seconds. */
  medianMs: 60,
  sigma: 1.1,
  minMs: 5,
  maxMs: 5_000,
  withoutPipelining: 0.3,
  catchAll: 0.1,
  silent: 0.01,
  refusing: 0.01,
  tarpit: 0.005,
  /** The largest domains work. */
  working: 50,
};

export type Mailbox = 'present' | 'absent' | 'disabled' | 'full';

/** Cumulative shares of mailboxes that are not present. */
export const MAILBOXES: readonly [Mailbox, number][] = [
  ['absent', 0.12],
  ['disabled', 0.14],
  ['full', 0.15],
];
