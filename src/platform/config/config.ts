import { getServers } from 'node:dns';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { NO_WARMUP, type WarmupPlan } from '../../kernel/warmup-plan.js';
import type { EgressSettings } from '../net/egress.js';
import type { BillingConfig } from './billing-config.js';
import { entryOf } from './egress-config.js';
import { FIELDS } from './environment-fields.js';
import { EnvironmentVariables, type LogFormat } from './environment.js';
import type { OidcConfig } from './oidc-config.js';
import type { ProcessRoles } from './process-roles.js';
import { unknownVariables } from './unknown-variables.js';
import { parseWarmup } from './warmup-config.js';

/** The configuration of the process, read once from the environment. docs/installation.md documents each variable. */
export abstract class Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** null: the embedded database under `dataDir`. */
  readonly databaseUrl: string | null;
  /** Base64 of 32 bytes each, the first encrypts; null: created once under `dataDir`. */
  readonly secretKeys: readonly string[] | null;
  /** `redis://` or `rediss://`; null: rate limits are counted per process. */
  readonly redisUrl: string | null;
  /** A file that replaces the built-in tiers; null: the built-in ones. */
  readonly tiersFile: string | null;
  readonly providersFile: string | null;
  /** `closed`: only with an invite; `confirm`: the live key requires a link that is sent by mail. */
  readonly signup: { mode: 'closed' | 'open' | 'confirm'; perHour: number };
  readonly defaultTier: string;
  /** The number of proxies in front of this process, or their networks: their `X-Forwarded-For` is trusted. */
  readonly trustProxy: number | readonly string[];
  readonly dataDir: string;
  /** The start pauses the installation. */
  readonly isPaused: boolean;
  /** How long after its last other row a bulk job waits for deferred rows. */
  readonly bulkDeadlineMs: number;
  readonly auditRetentionDays: number;
  /** The interval of the checks of every egress; 0: none. */
  readonly selfCheckMs: number;
  readonly logLevel: string;
  /** Of the log, and of what the service says when it is ready. */
  readonly logFormat: LogFormat;
  /** A port that serves only `/metrics`; null: it is on the port of the API. */
  readonly metricsPort: number | null;
  /** The server (`smtp://` or `smtps://`) and sender of invites and links; null: none, and the link of an invite is only in the response. */
  readonly inviteMail: { url: string; from: string } | null;
  /** What the service is called in mails: in their subjects, texts and sender. */
  readonly mailBrand: string;
  /** null: nobody signs in with an identity provider. */
  readonly oidc: OidcConfig | null;
  /** null: nothing is sold. */
  readonly billing: BillingConfig | null;
  /** How long a tier stays in force after a failed payment. */
  readonly billingGraceMs: number;
  /** Origins to which a caller may be redirected, in addition to that of `publicUrl`. */
  readonly redirectOrigins: readonly string[];
  readonly dns: { servers: readonly string[]; timeoutMs: number };
  readonly smtp: {
    enabled: boolean;
    port: number;
    connectTimeoutMs: number;
    commandTimeoutMs: number;
    /** Concurrent connections to one mail server, of all processes together, for each egress. */
    maxConnections: number;
    allowCidrs: readonly string[];
    /** The egresses to mail servers, at least one; names are unique. */
    egresses: readonly EgressSettings[];
    /** `address` or `egress=address`: the public addresses that this machine cannot determine. */
    egressIps: readonly string[];
    /** The daily ceilings of new egresses; null: none. */
    warmup: WarmupPlan;
  };
  readonly webhooks: {
    /** URLs without TLS are allowed. */
    allowHttp: boolean;
    allowCidrs: readonly string[];
  };
}

/** The configuration is invalid; the message says what to set instead. */
export class ConfigError extends Error {}

/** The names of all settings. */
export const SETTINGS: readonly string[] = [...FIELDS.keys()];

/** Sentences about variables that look like settings and are none. */
export function unknownSettings(env: NodeJS.ProcessEnv = process.env): string[] {
  return unknownVariables(SETTINGS, env);
}

/** Options of a command take the place of variables. Call it before the configuration is read. */
export function setSettings(settings: Readonly<Record<string, string>>, env = process.env): void {
  Object.assign(env, settings);
}

/** The command line has neither role. */
const NO_ROLES: ProcessRoles = { api: false, worker: false };

/**
 * @param env `process.env`; a blank variable counts as not set.
 * @param roles those of the process: with one of them, variables are required that both together can do without.
 * @throws ConfigError with one sentence for each invalid variable: its name, and what to write instead.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, roles = NO_ROLES): Config {
  const e = readEnvironment(env);
  const embedded = e.DATABASE_URL === undefined;
  if (e.NODE_ENV === 'production' && embedded) {
    throw new ConfigError(
      'DATABASE_URL is not set. The embedded database is for trials; with NODE_ENV=production ' +
        'set the URL of a PostgreSQL server (14 or later), such as postgresql://user:password@host:5432/rcpt.',
    );
  }
  if (!embedded && e.SECRET_KEY === undefined) {
    throw new ConfigError(
      'SECRET_KEY is not set. With DATABASE_URL it is required, the same for every process: ' +
        '32 random bytes in base64, for example from `openssl rand -base64 32`.',
    );
  }
  if (roles.api !== roles.worker && e.PUBLIC_URL === undefined) {
    throw new ConfigError(
      'PUBLIC_URL is not set. A process with only one role (--api or --worker) requires it: links in webhooks, ' +
        'mails and responses lead to the API, and the default is the port of this process, which may be a worker. ' +
        'Set the URL of the API for clients, the same for every process, such as https://verify.example.org.',
    );
  }
  // 0 is any free port.
  if (e.METRICS_PORT === e.PORT && e.PORT !== 0) {
    throw new ConfigError(
      `METRICS_PORT and PORT are both ${e.PORT}. Set METRICS_PORT to another port, or remove it to serve /metrics on PORT.`,
    );
  }
  return Object.freeze({
    host: e.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    port: e.PORT,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    databaseUrl: e.DATABASE_URL ?? null,
    secretKeys: e.SECRET_KEY ?? null,
    redisUrl: e.REDIS_URL ?? null,
    tiersFile: e.TIERS_FILE === undefined ? null : resolve(e.TIERS_FILE),
    providersFile: e.PROVIDERS_FILE === undefined ? null : resolve(e.PROVIDERS_FILE),
    signup: { mode: e.SIGNUP, perHour: e.SIGNUP_PER_HOUR },
    defaultTier: e.DEFAULT_TIER,
    trustProxy: e.TRUST_PROXY,
    dataDir: resolve(e.DATA_DIR),
    isPaused: e.PAUSED,
    bulkDeadlineMs: e.BULK_DEADLINE,
    auditRetentionDays: e.AUDIT_RETENTION_DAYS,
    selfCheckMs: e.SELF_CHECK_EVERY * 60_000,
    logLevel: e.LOG_LEVEL,
    logFormat: e.LOG_FORMAT ?? (process.stdout.isTTY ? 'text' : 'json'),
    metricsPort: e.METRICS_PORT ?? null,
    inviteMail: inviteMailIn(e),
    mailBrand: e.MAIL_BRAND,
    oidc: oidcIn(e),
    billing: billingIn(e),
    billingGraceMs: e.BILLING_GRACE_DAYS * 86_400_000,
    redirectOrigins: e.REDIRECT_ORIGINS,
    dns: { servers: e.DNS_SERVERS?.length ? e.DNS_SERVERS : getServers(), timeoutMs: e.DNS_TIMEOUT_MS },
    smtp: {
      enabled: e.SMTP_ENABLED,
      port: e.SMTP_PORT,
      connectTimeoutMs: e.SMTP_CONNECT_TIMEOUT_MS,
      commandTimeoutMs: e.SMTP_COMMAND_TIMEOUT_MS,
      maxConnections: e.SMTP_MAX_CONNECTIONS_PER_MX,
      allowCidrs: e.MX_ALLOW_CIDRS,
      egresses: egressesIn(e),
      egressIps: egressIpsIn(e),
      // Without SMTP_EGRESS no egress is new.
      warmup: e.EGRESS_WARMUP ?? (e.SMTP_EGRESS === undefined ? NO_WARMUP : parseWarmup('')),
    },
    webhooks: { allowHttp: e.WEBHOOK_ALLOW_HTTP, allowCidrs: e.WEBHOOK_ALLOW_CIDRS },
  });
}

/** Of the environment only these variables: the others may be those of a program that uses the engine. */
export function readConfigOf(names: readonly string[], env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(Object.fromEntries(names.map((name) => [name, env[name]])));
}

function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentVariables {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of FIELDS) {
    const text = env[name];
    if (text === undefined || text.trim() === '') continue;
    try {
      values[name] = field.read(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`${name} ${error.message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.assign(new EnvironmentVariables(), values);
}

/** @returns null: no mail is sent. */
function inviteMailIn({ SIGNUP, INVITE_SMTP_URL: url, INVITE_FROM: from }: EnvironmentVariables) {
  if ((url === undefined) !== (from === undefined))
    throw new ConfigError(
      'Set both INVITE_SMTP_URL and INVITE_FROM, or neither: the mail server for invites, and their sender address. ' +
        'Without them, the link of an invite is only in the response that creates it.',
    );
  if (url !== undefined && from !== undefined) return { url, from };
  if (SIGNUP !== 'confirm') return null;
  throw new ConfigError(
    'SIGNUP=confirm sends a link to every address that signs up, and INVITE_SMTP_URL is not set. ' +
      'Set a mail server with INVITE_SMTP_URL and INVITE_FROM, or set SIGNUP to open or closed.',
  );
}

/** @returns null: there is no such sign-in. */
function oidcIn(e: EnvironmentVariables): OidcConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = e;
  const { OIDC_ALLOWED_DOMAINS: allowedDomains, OIDC_ROLE: role = null } = e;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    const isNoneSet = [issuer, clientId, clientSecret].every((value) => value === undefined);
    if (isNoneSet && allowedDomains.length === 0 && role === null) return null;
    throw new ConfigError(
      'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together, or no variable that begins with OIDC_: ' +
        'the identity provider, and the client that is registered there for the console.',
    );
  }
  if (role !== null && allowedDomains.length === 0)
    throw new ConfigError(
      'OIDC_ROLE lets people without an account join the first team, and OIDC_ALLOWED_DOMAINS is not set: everybody ' +
        'with an account at the identity provider could join. Set the domains of your addresses, such as example.com.',
    );
  return { issuer, clientId, clientSecret, allowedDomains, role };
}

/** @returns null: nothing is sold. */
function billingIn(e: EnvironmentVariables): BillingConfig | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = e;
  if (secretKey === undefined && webhookSecret === undefined) return null;
  if (secretKey === undefined || webhookSecret === undefined)
    throw new ConfigError(
      'Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither: the API key of Stripe, and the ' +
        'signing secret of its webhook endpoint. Without them, billing routes return 503 and all else works.',
    );
  const checkout = {
    automaticTax: e.STRIPE_AUTOMATIC_TAX,
    taxIds: e.STRIPE_TAX_IDS,
    promotionCodes: e.STRIPE_PROMOTION_CODES,
  };
  const offersMore = Object.values(checkout).includes(true);
  const account = { secretKey, webhookSecret, apiBase: e.STRIPE_API_BASE, prices: e.STRIPE_PRICES };
  return { ...account, ...(offersMore && { checkout }) };
}

/** @returns at least one: without `SMTP_EGRESS`, that of the proxy if there is one. */
/** @throws ConfigError if one is of an egress that does not exist. */
function egressIpsIn(e: EnvironmentVariables): readonly string[] {
  const names = egressesIn(e).map(({ name }) => name);
  const owners = e.EGRESS_IPS.filter((item) => item.includes('=')).map((item) =>
    item.slice(0, item.lastIndexOf('=')),
  );
  if (owners.some((owner) => !names.includes(owner)))
    throw new ConfigError(
      `EGRESS_IPS must name egresses of SMTP_EGRESS before the equals signs: ${names.join(', ')}.`,
    );
  return e.EGRESS_IPS;
}

function egressesIn(e: EnvironmentVariables): EgressSettings[] {
  const proxy = e.SMTP_PROXY_URL;
  if (e.SMTP_EGRESS !== undefined && proxy !== undefined)
    throw new ConfigError(
      'SMTP_EGRESS and SMTP_PROXY_URL exclude each other: write the proxy as an item of SMTP_EGRESS, ' +
        'in addition to the other egresses, and omit SMTP_PROXY_URL.',
    );
  const entries = e.SMTP_EGRESS ?? [entryOf(proxy ? { kind: 'socks5', proxy } : { kind: 'direct' })];
  return entries.map((entry) => {
    const heloName = entry.heloName ?? e.SMTP_HELO_NAME ?? hostname();
    const mailFrom = entry.mailFrom ?? e.SMTP_MAIL_FROM ?? `verify@${heloName}`;
    return { ...entry, heloName, mailFrom };
  });
}
