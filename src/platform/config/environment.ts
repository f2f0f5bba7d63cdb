import type { WarmupPlan } from '../../kernel/warmup-plan.js';
import { INSTALLATION } from '../installation/installation.js';
import { parseSocksProxy, type SocksProxy } from '../net/socks-proxy.js';
import { parseOrigin, parseOrigins, parsePrices, type PriceOfTier } from './billing-config.js';
import { parseDatabaseUrl } from './database-url.js';
import { parseEgresses, type EgressEntry } from './egress-config.js';
import {
  EhloName,
  Flag,
  ListenAddress,
  ListOf,
  Milliseconds,
  Networks,
  OneOf,
  ParsedBy,
  Port,
  SenderAddress,
  Text,
  TextMatching,
  Url,
  WholeNumber,
} from './environment-fields.js';
import {
  isEgressIp,
  isResolver,
  isSecretKey,
  parseDuration,
  parseTrustedProxies,
} from './environment-values.js';
import { parseWarmup } from './warmup-config.js';
import { parseDomains, parseIssuer } from './oidc-config.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const LOG_FORMATS = ['json', 'text'] as const;
/** `text`: sentences for a person. */
export type LogFormat = (typeof LOG_FORMATS)[number];
/** Another one would be taken as development, with an embedded database. */
const NODE_ENVS = ['production', 'development', 'test'];
const SECRET_KEYS =
  'must be 32 random bytes in base64 (openssl rand -base64 32); several are comma-separated';

/**
 * The environment variables. A property has a default value, or is optional. docs/installation.md
 * documents the same names.
 */
export class EnvironmentVariables {
  @OneOf(NODE_ENVS, 'must be production, development or test')
  NODE_ENV: string = 'development';

  @Port(0)
  PORT: number = 3000;

  @ListenAddress()
  HOST?: string;

  @Url(/^https?:\/\//i, 'https://verify.example.org')
  PUBLIC_URL?: string;

  @ParsedBy(parseDatabaseUrl)
  DATABASE_URL?: string;

  @ListOf(isSecretKey, SECRET_KEYS, 1)
  SECRET_KEY?: string[];

  @Url(/^rediss?:/i, 'redis://user:password@host:6379/0')
  REDIS_URL?: string;

  @Text()
  TIERS_FILE?: string;

  @Text()
  PROVIDERS_FILE?: string;

  @OneOf(['closed', 'open', 'confirm'], 'must be closed, open or confirm')
  SIGNUP: 'closed' | 'open' | 'confirm' = 'closed';

  @WholeNumber(1, 1_000_000)
  SIGNUP_PER_HOUR: number = 10;

  @Text()
  DEFAULT_TIER: string = 'free';

  @ParsedBy(parseTrustedProxies)
  TRUST_PROXY: number | string[] = 0;

  @Text()
  DATA_DIR: string = INSTALLATION.dataDir;

  @Flag()
  PAUSED: boolean = false;

  @ParsedBy(parseDuration)
  BULK_DEADLINE: number = parseDuration('2h');

  @WholeNumber(30, 36_500)
  AUDIT_RETENTION_DAYS: number = 400;

  @WholeNumber(0, 1440)
  SELF_CHECK_EVERY: number = 60;

  @OneOf(LOG_LEVELS, `must be one of ${LOG_LEVELS.map((level) => `"${level}"`).join(', ')}`)
  LOG_LEVEL: string = 'info';

  @OneOf(LOG_FORMATS, 'must be json or text')
  LOG_FORMAT?: LogFormat;

  @Port(0)
  METRICS_PORT?: number;

  @ListOf(isResolver, 'must be addresses such as 192.0.2.53 or [2001:db8::53]:5353, comma-separated')
  DNS_SERVERS?: string[];

  @Milliseconds(60_000)
  DNS_TIMEOUT_MS: number = 5000;

  @Flag()
  SMTP_ENABLED: boolean = true;

  @Port(1)
  SMTP_PORT: number = 25;

  @EhloName()
  SMTP_HELO_NAME?: string;

  @SenderAddress('verify@example.org')
  SMTP_MAIL_FROM?: string;

  @Milliseconds(60_000)
  SMTP_CONNECT_TIMEOUT_MS: number = 7000;

  @Milliseconds(300_000)
  SMTP_COMMAND_TIMEOUT_MS: number = 15_000;

  @WholeNumber(1, 100)
  SMTP_MAX_CONNECTIONS_PER_MX: number = 4;

  @ParsedBy(parseSocksProxy)
  SMTP_PROXY_URL?: SocksProxy;

  @ParsedBy(parseEgresses)
  SMTP_EGRESS?: EgressEntry[];

  @ListOf(isEgressIp, 'must be addresses such as 203.0.113.25, or NAME=ADDRESS, comma-separated')
  EGRESS_IPS: string[] = [];

  @ParsedBy(parseWarmup)
  EGRESS_WARMUP?: WarmupPlan;

  @Url(/^smtps?:/i, 'smtps://user:password@mail.example.org')
  INVITE_SMTP_URL?: string;

  @SenderAddress('rcpt@example.org')
  INVITE_FROM?: string;

  @TextMatching(
    /^[^\p{Cc}\p{Cf}<>"]{1,60}$/u,
    'must be a name of at most 60 characters on one line, without < > "',
  )
  MAIL_BRAND: string = 'Rcpt';

  @Networks()
  MX_ALLOW_CIDRS: string[] = [];

  @Flag()
  WEBHOOK_ALLOW_HTTP: boolean = false;

  @Networks()
  WEBHOOK_ALLOW_CIDRS: string[] = [];

  @WholeNumber(0, 365)
  BILLING_GRACE_DAYS: number = 7;

  @TextMatching(
    /^[sr]k_\S+$/,
    'must be a secret or restricted key of Stripe that begins with sk_ or rk_ (Developers, API keys)',
  )
  STRIPE_SECRET_KEY?: string;

  @TextMatching(
    /^whsec_\S+$/,
    'must be the signing secret of the webhook endpoint at Stripe that begins with whsec_ (Developers, Webhooks)',
  )
  STRIPE_WEBHOOK_SECRET?: string;

  @ParsedBy(parsePrices)
  STRIPE_PRICES: PriceOfTier[] = [];

  @Flag()
  STRIPE_AUTOMATIC_TAX: boolean = false;

  @Flag()
  STRIPE_TAX_IDS: boolean = false;

  @Flag()
  STRIPE_PROMOTION_CODES: boolean = false;

  @ParsedBy(parseOrigin)
  STRIPE_API_BASE: string = 'https://api.stripe.com';

  @ParsedBy(parseIssuer)
  OIDC_ISSUER?: string;

  @Text()
  OIDC_CLIENT_ID?: string;

  @Text()
  OIDC_CLIENT_SECRET?: string;

  @ParsedBy(parseDomains)
  OIDC_ALLOWED_DOMAINS: string[] = [];

  @OneOf(['admin', 'member'], 'must be admin or member')
  OIDC_ROLE?: 'admin' | 'member';

  @ParsedBy(parseOrigins)
  REDIRECT_ORIGINS: string[] = [];
}
