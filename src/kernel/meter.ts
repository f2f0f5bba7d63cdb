/** What is counted, and by what: names after OpenTelemetry where it has one. No label tells a team, an address or a domain. */
export const COUNTERS = {
  rcpt_verdicts_total: { help: 'Verdicts given under live keys', labels: ['status', 'reason'] },
  rcpt_smtp_replies_total: {
    help: 'Replies of mail servers that ended a question (2xx, 4xx, 5xx), or why none came, by who runs them',
    labels: ['class', 'provider'],
  },
  rcpt_webhook_attempts_total: {
    help: 'Deliveries tried, by what came of it: arrived, or why not',
    labels: ['outcome'],
  },
  rcpt_payment_calls_total: {
    help: 'Questions and orders to the payment provider: answered, refused, or unavailable after all tries',
    labels: ['outcome'],
  },
  rcpt_payment_events_total: {
    help: 'Events that came as the payment provider’s: kept, of nothing new, or why they were turned down',
    labels: ['outcome'],
  },
  rcpt_quota_refusals_total: { help: 'Requests refused because too little was left of the day', labels: [] },
} as const satisfies Table;

/** Durations, in seconds. */
export const HISTOGRAMS = {
  http_server_request_duration_seconds: {
    help: 'Requests, from their first byte to the end of the answer',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
  },
  dns_lookup_duration_seconds: {
    help: 'Questions to the DNS that the cache could not answer, all tries together',
    labels: ['type', 'outcome'],
  },
} as const satisfies Table;

/** What is as it is, read when somebody looks. */
export const GAUGES = {
  rcpt_breakers_open: {
    help: 'Domains, hosts and providers that are left alone after refusals, for one team at least',
    labels: ['of'],
  },
  rcpt_queue_waiting: { help: 'Rings that wait to be handled', labels: ['queue'] },
  rcpt_queue_active: { help: 'Rings that are handled', labels: ['queue'] },
  rcpt_queue_oldest_seconds: {
    help: 'How long the oldest of the waiting rings has waited',
    labels: ['queue'],
  },
  rcpt_outbox_lag_seconds: { help: 'Age of the oldest event that was not told yet', labels: [] },
  rcpt_db_pool_connections: { help: 'The pool to PostgreSQL, and who waits for it', labels: ['state'] },
} as const satisfies Table;

export type Table = Readonly<Record<string, { help: string; labels: readonly string[] }>>;
export type CounterName = keyof typeof COUNTERS;
export type HistogramName = keyof typeof HISTOGRAMS;
export type GaugeName = keyof typeof GAUGES;

/** A value for each label, in their order. */
export type Labels<Names extends readonly string[]> = { [Index in keyof Names]: string };

/** A value of a gauge, for the labels that it stands for. */
export interface Reading {
  labels: readonly string[];
  value: number;
}

/** Counts what happens; costs the caller a look into a table. */
export abstract class Meter {
  /** One more. */
  abstract count<N extends CounterName>(name: N, ...labels: Labels<(typeof COUNTERS)[N]['labels']>): void;

  /** It took so long. */
  abstract observe<N extends HistogramName>(
    name: N,
    seconds: number,
    ...labels: Labels<(typeof HISTOGRAMS)[N]['labels']>
  ): void;

  /** Whoever looks asks `read`, and goes without its answer when it fails or takes more than a second. */
  abstract gauge(name: GaugeName, read: () => Reading[] | Promise<Reading[]>): void;
}
