/** Counters and their labels. Names follow OpenTelemetry where it defines one. No label contains a team, an address or a domain. */
export const COUNTERS = {
  rcpt_verdicts_total: { help: 'Verdicts returned to live keys', labels: ['status', 'reason'] },
  rcpt_smtp_replies_total: {
    help: 'Final SMTP replies of probes (2xx, 4xx, 5xx), or the reason why there was none, by mail provider',
    labels: ['class', 'provider'],
  },
  rcpt_egress_probes_total: {
    help: 'Probes by egress: replied, rejected, no_reply, egress_failed or no_route (of the address family)',
    labels: ['egress', 'outcome'],
  },
  rcpt_dns_rejected_answers_total: {
    help: 'Negative responses of name servers that were not accepted, by reason',
    labels: ['why'],
  },
  rcpt_webhook_attempts_total: {
    help: 'Webhook delivery attempts, by outcome: succeeded, or the error',
    labels: ['outcome'],
  },
  rcpt_payment_calls_total: {
    help: 'Calls to the payment provider: succeeded, rejected, or unavailable after all retries',
    labels: ['outcome'],
  },
  rcpt_payment_events_total: {
    help: 'Events received from the payment provider: accepted, ignored, or the reason for the rejection',
    labels: ['outcome'],
  },
  rcpt_publishable_rejections_total: {
    help: 'Requests with publishable keys that were rejected: origin, or the limit that was reached (client_minute, client_day, key_day, team_rate, in_progress)',
    labels: ['why'],
  },
  rcpt_deprecated_requests_total: {
    help: 'Requests to deprecated routes, by method and route',
    labels: ['method', 'route'],
  },
  rcpt_quota_rejections_total: {
    help: 'Requests rejected because the daily quota was exceeded',
    labels: [],
  },
} as const satisfies Table;

export const HISTOGRAMS = {
  http_server_request_duration_seconds: {
    help: 'Duration of HTTP requests, from the first byte to the end of the response',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
  },
  dns_lookup_duration_seconds: {
    help: 'Duration of DNS lookups that were not cached, including retries',
    labels: ['type', 'outcome'],
  },
} as const satisfies Table;

/** Gauges, read at each scrape. */
export const GAUGES = {
  rcpt_build_info: { help: '1, with the version of this process', labels: ['version'] },
  rcpt_circuit_breakers_open: {
    help: 'Open circuit breakers for domains, hosts, providers and egresses, for at least one team',
    labels: ['scope'],
  },
  rcpt_circuit_breakers_by_provider: {
    help: 'Open circuit breakers by scope and mail provider; an empty provider: another server, or not known',
    labels: ['scope', 'provider'],
  },
  rcpt_egress_pause_seconds: {
    help: 'Seconds until a paused egress is used again by every team; 0: it is not paused, or only for one team',
    labels: ['egress'],
  },
  rcpt_egress_paused: {
    help: '1 while an egress is paused, because servers refuse it for most teams or because it reaches none',
    labels: ['egress', 'cause'],
  },
  rcpt_egress_port_closed: {
    help: '1 while an egress has connected to no mail server in ten probes of five domains in a row',
    labels: ['egress'],
  },
  rcpt_egress_warmup_probes: {
    help: 'Daily ceiling of a new egress at a provider, and the probes of today by all processes, as last seen by this one',
    labels: ['egress', 'provider', 'value'],
  },
  rcpt_provider_sessions: {
    help: 'Sessions with a mail provider through an egress, of all processes: `limit`, `used`, and requests that are `waiting` for one; `other`: all providers that are not in the table',
    labels: ['egress', 'provider', 'value'],
  },
  rcpt_provider_blocked: {
    help: 'Requests that wait for a session, of all processes, by the smallest limit of a connection; without a provider: for the egress itself',
    labels: ['egress', 'provider', 'limit'],
  },
  rcpt_self_check: {
    help: 'Last result of a check of an egress: 1 it passes, 0.5 it warns, 0 it fails, -1 it could not be made',
    labels: ['check', 'egress'],
  },
  rcpt_dns_servers_unhealthy: {
    help: 'Name servers that deny well-known domains, or answer for none',
    labels: [],
  },
  rcpt_queue_waiting: { help: 'Jobs that wait to be processed', labels: ['queue'] },
  rcpt_queue_active: { help: 'Jobs that are being processed', labels: ['queue'] },
  rcpt_queue_oldest_seconds: {
    help: 'Age of the oldest waiting job',
    labels: ['queue'],
  },
  rcpt_outbox_lag_seconds: { help: 'Age of the oldest event that is not dispatched', labels: [] },
  rcpt_db_pool_connections: {
    help: 'Connections of the PostgreSQL pool, and callers that wait for one',
    labels: ['state'],
  },
} as const satisfies Table;

interface Description {
  help: string;
  labels: readonly string[];
}
export type Table = Readonly<Record<string, Description>>;
export type CounterName = keyof typeof COUNTERS;
export type HistogramName = keyof typeof HISTOGRAMS;
export type GaugeName = keyof typeof GAUGES;

/** One value for each label, in order. */
export type Labels<Names extends readonly string[]> = { [Index in keyof Names]: string };

/** A gauge value for one set of label values. */
export interface Reading {
  labels: readonly string[];
  value: number;
}

/** Port: records metrics. */
export abstract class Meter {
  abstract count<N extends CounterName>(name: N, ...labels: Labels<(typeof COUNTERS)[N]['labels']>): void;

  abstract observe<N extends HistogramName>(
    name: N,
    seconds: number,
    ...labels: Labels<(typeof HISTOGRAMS)[N]['labels']>
  ): void;

  /** Calls `read` at each scrape. The value is omitted if `read` fails or takes more than a second. */
  abstract gauge(name: GaugeName, read: () => Reading[] | Promise<Reading[]>): void;

  /** The values of this process now; of a counter, since its start. */
  abstract read(name: CounterName | GaugeName): Promise<Reading[]>;
}
