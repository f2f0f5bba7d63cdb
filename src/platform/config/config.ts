import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { z } from 'zod';
import { isCidr } from '../net/address-policy.js';
import { parseSocksProxy, type SocksProxy } from '../net/socks-proxy.js';
import { BILLING_VARIABLES, billingIn, type BillingConfig } from './billing-config.js';
import { inviteMailIn, type InviteMailConfig } from './invite-mail-config.js';

/**
 * Everything that an operator can set, read once. No other file reads the
 * environment; docs/operating.md lists the same names.
 */
export abstract class Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** null: the embedded database under `dataDir`. */
  readonly databaseUrl: string | null;
  /** Base64 of 32 bytes each, the first encrypts; null: made once under `dataDir`. */
  readonly secretKeys: readonly string[] | null;
  /** `redis://` or `rediss://`; null: rate limits are counted per process. */
  readonly redisUrl: string | null;
  /** A table that replaces the built-in tiers; null: those. */
  readonly tiersFile: string | null;
  /** `closed`: only with an invite; `confirm`: the live key takes a link that is sent by mail. */
  readonly signup: { mode: 'closed' | 'open' | 'confirm'; perHour: number };
  /** The tier that signed-up teams start on. */
  readonly defaultTier: string;
  /** How many proxies stand before us, or the networks they are in: whose word about the caller's address counts. */
  readonly trustProxy: number | readonly string[];
  readonly dataDir: string;
  /** How long after its last other row a bulk job waits for deferred rows. */
  readonly bulkDeadlineMs: number;
  /** How long an entry of the audit log is kept. */
  readonly auditRetentionDays: number;
  readonly logLevel: string;
  /** Where `/metrics` is, and nothing else; null: beside the API. */
  readonly metricsPort: number | null;
  /** The server that takes invites and sign-up links; null: none, and an invite’s link is only in the answer. */
  readonly inviteMail: InviteMailConfig | null;
  /** null: nothing is sold. */
  readonly billing: BillingConfig | null;
  /** How long a tier stays when its payment has failed. */
  readonly billingGraceMs: number;
  /** Where callers may be sent back to, beside `publicUrl`. */
  readonly redirectOrigins: readonly string[];
  readonly dns: { servers: readonly string[]; timeoutMs: number };
  readonly smtp: {
    enabled: boolean;
    port: number;
    heloName: string;
    mailFrom: string;
    connectTimeoutMs: number;
    commandTimeoutMs: number;
    /** To one mail server at once, from this process. */
    maxConnections: number;
    allowCidrs: readonly string[];
    /** Through which mail servers are reached; null: directly. */
    proxy: SocksProxy | null;
  };
  readonly webhooks: {
    /** Receivers may be reached without TLS. */
    allowHttp: boolean;
    allowCidrs: readonly string[];
  };
}

/** The environment asks for something that cannot be; the message says what to set instead. */
export class ConfigError extends Error {}

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= least && n <= most, `must be between ${least} and ${most}`);

const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => /^(true|1)$/.test(text));

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const cidrs = list.refine(
  (all) => all.every(isCidr),
  'must be networks such as 10.0.0.0/8 or fd00::/8, comma-separated',
);

/** Never simply "all": then every caller could name an address of their choice. */
const proxies = list
  .transform((all) => (all.length === 1 && /^\d{1,2}$/.test(all[0] ?? '') ? Number(all[0]) : all))
  .refine(
    (all) =>
      typeof all === 'number' ||
      all.every((each) => !/\/0+$|%/.test(each) && (isIP(each) !== 0 || isCidr(each))),
    'must be the number of proxies before Rcpt, or their networks such as 10.0.0.0/8, comma-separated',
  );

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Read as milliseconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}\s*[smhd]$/, 'must be a number with its unit, such as 90m, 2h or 1d')
  .transform((text) => parseInt(text, 10) * (UNIT_MS[text.slice(-1)] ?? 0));

const hostName = z
  .string()
  .max(255)
  .regex(/^(?=.*[a-z0-9])[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/i, 'must be a host name such as verify.example.org');

const socksProxy = z.string().transform((text, context) => {
  try {
    return parseSocksProxy(text);
  } catch (error) {
    context.addIssue((error as RangeError).message);
    return z.NEVER;
  }
});

const Environment = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://verify.example.org' })
    .optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a URL such as postgresql://user:password@host:5432/rcpt')
    .optional(),
  SECRET_KEY: list
    .refine(
      (all) => all.length > 0 && all.every(isKey),
      'must be 32 random bytes in base64 (openssl rand -base64 32); several are comma-separated',
    )
    .optional(),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a URL such as redis://user:password@host:6379/0' })
    .optional(),
  TIERS_FILE: z.string().optional(),
  SIGNUP: z.enum(['closed', 'open', 'confirm'], 'must be closed, open or confirm').default('closed'),
  SIGNUP_PER_HOUR: integer(1, 1_000_000).default(10),
  DEFAULT_TIER: z.string().default('free'),
  TRUST_PROXY: proxies.default(0),
  DATA_DIR: z.string().default('./data'),
  BULK_DEADLINE: duration.default(7_200_000),
  AUDIT_RETENTION_DAYS: integer(30, 36_500).default(400),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_PORT: integer(0, 65_535).optional(),
  DNS_SERVERS: list
    .refine(
      (all) => all.every(isResolver),
      'must be addresses such as 192.0.2.53 or [2001:db8::53]:5353, comma-separated',
    )
    .optional(),
  DNS_TIMEOUT_MS: integer(100, 60_000).default(5000),
  SMTP_ENABLED: flag.default(true),
  SMTP_PORT: integer(1, 65_535).default(25),
  SMTP_HELO_NAME: hostName.optional(),
  SMTP_MAIL_FROM: z
    .string()
    .max(254)
    .regex(
      /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u,
      'must be an address such as verify@example.org, without angle brackets',
    )
    .optional(),
  SMTP_CONNECT_TIMEOUT_MS: integer(100, 60_000).default(7000),
  SMTP_COMMAND_TIMEOUT_MS: integer(100, 300_000).default(15_000),
  SMTP_MAX_CONNECTIONS_PER_MX: integer(1, 100).default(4),
  SMTP_PROXY_URL: socksProxy.optional(),
  INVITE_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be a URL such as smtps://user:password@mail.example.org' })
    .optional(),
  INVITE_FROM: z
    .string()
    .max(254)
    .regex(
      /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u,
      'must be an address such as rcpt@example.org, without angle brackets',
    )
    .optional(),
  MX_ALLOW_CIDRS: cidrs.default([]),
  WEBHOOK_ALLOW_HTTP: flag.default(false),
  WEBHOOK_ALLOW_CIDRS: cidrs.default([]),
  BILLING_GRACE_DAYS: integer(0, 365).default(7),
  ...BILLING_VARIABLES,
});

/** What a command that calls a running service needs to know. */
export interface ServiceAccess {
  /** null: none is named. */
  url: string | null;
  apiKey: string | null;
}

export function readServiceAccess(env: NodeJS.ProcessEnv = process.env): ServiceAccess {
  return { url: env.RCPT_URL?.trim() || null, apiKey: env.RCPT_API_KEY?.trim() || null };
}

/**
 * @param env `process.env`; a variable that is set to nothing counts as not set.
 * @throws ConfigError naming every variable that is wrong, and how to put it right.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'),
    );
  }
  const e = parsed.data;
  const production = e.NODE_ENV === 'production';
  const embedded = e.DATABASE_URL === undefined;
  if (production && embedded) {
    throw new ConfigError(
      'DATABASE_URL is not set. The embedded database is for trying Rcpt out; with NODE_ENV=production ' +
        'give the URL of a PostgreSQL (14 or later), such as postgresql://user:password@host:5432/rcpt.',
    );
  }
  if (!embedded && e.SECRET_KEY === undefined) {
    throw new ConfigError(
      'SECRET_KEY is not set. With DATABASE_URL it is required, the same for every process: ' +
        '32 random bytes in base64, for example from `openssl rand -base64 32`.',
    );
  }
  const inviteMail = inviteMailIn(e);
  if (typeof inviteMail === 'string') throw new ConfigError(inviteMail);
  const billing = billingIn(e);
  if (typeof billing === 'string') throw new ConfigError(billing);
  const heloName = e.SMTP_HELO_NAME ?? hostname();
  return Object.freeze({
    production,
    host: e.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    port: e.PORT,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    databaseUrl: e.DATABASE_URL ?? null,
    secretKeys: e.SECRET_KEY ?? null,
    redisUrl: e.REDIS_URL ?? null,
    tiersFile: e.TIERS_FILE === undefined ? null : resolve(e.TIERS_FILE),
    signup: { mode: e.SIGNUP, perHour: e.SIGNUP_PER_HOUR },
    defaultTier: e.DEFAULT_TIER,
    trustProxy: e.TRUST_PROXY,
    dataDir: resolve(e.DATA_DIR),
    bulkDeadlineMs: e.BULK_DEADLINE,
    auditRetentionDays: e.AUDIT_RETENTION_DAYS,
    logLevel: e.LOG_LEVEL,
    metricsPort: e.METRICS_PORT ?? null,
    inviteMail,
    billing,
    billingGraceMs: e.BILLING_GRACE_DAYS * 86_400_000,
    redirectOrigins: e.REDIRECT_ORIGINS,
    dns: { servers: e.DNS_SERVERS?.length ? e.DNS_SERVERS : getServers(), timeoutMs: e.DNS_TIMEOUT_MS },
    smtp: {
      enabled: e.SMTP_ENABLED,
      port: e.SMTP_PORT,
      heloName,
      mailFrom: e.SMTP_MAIL_FROM ?? `verify@${heloName}`,
      connectTimeoutMs: e.SMTP_CONNECT_TIMEOUT_MS,
      commandTimeoutMs: e.SMTP_COMMAND_TIMEOUT_MS,
      maxConnections: e.SMTP_MAX_CONNECTIONS_PER_MX,
      allowCidrs: e.MX_ALLOW_CIDRS,
      proxy: e.SMTP_PROXY_URL ?? null,
    },
    webhooks: { allowHttp: e.WEBHOOK_ALLOW_HTTP, allowCidrs: e.WEBHOOK_ALLOW_CIDRS },
  });
}

function isKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
}

/** `ip`, `ipv4:port` or `[ipv6]:port`, with or without the port. */
function isResolver(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, v6 = '', v4 = '', port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIP(v6) === 6 || isIP(v4) === 4) && Number(port) >= 1 && Number(port) <= 65_535;
}
