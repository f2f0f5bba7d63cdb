import { ConfigError, readConfig, type Config } from '../../platform/config/config.js';

/**
 * Options of `createEngine`: the variables of the same names in docs/installation.md, with the same
 * defaults. The environment is not read.
 */
export interface EngineOptions {
  /** Resolvers `ip[:port]`; default: those of the system. */
  dnsServers?: readonly string[];
  /** Timeout of one query, including retries; default: 5000. */
  dnsTimeoutMs?: number;
  /** `false`: no SMTP connections; default: true. */
  smtpEnabled?: boolean;
  /** Port of mail servers; default: 25. */
  smtpPort?: number;
  /** Host name in EHLO; default: the name of the host. */
  smtpHeloName?: string;
  /** Address in MAIL FROM; default: `verify@` and the EHLO name. */
  smtpMailFrom?: string;
  /** Default: 7000. */
  smtpConnectTimeoutMs?: number;
  /** Default: 15000. */
  smtpCommandTimeoutMs?: number;
  /** Concurrent connections to one mail server, for each egress; default: 4. */
  smtpMaxConnectionsPerMx?: number;
  /** A SOCKS5 proxy, `socks5://user:password@host:1080`. */
  smtpProxyUrl?: string;
  /** Ways out: `direct`, `bind:198.51.100.7`, `socks5://…`, `socks5s://…`, each with its options. */
  smtpEgress?: readonly string[];
  /** Private networks in which mail servers are allowed. */
  mxAllowCidrs?: readonly string[];
}

const VARIABLES: Readonly<Record<keyof EngineOptions, string>> = {
  dnsServers: 'DNS_SERVERS',
  dnsTimeoutMs: 'DNS_TIMEOUT_MS',
  smtpEnabled: 'SMTP_ENABLED',
  smtpPort: 'SMTP_PORT',
  smtpHeloName: 'SMTP_HELO_NAME',
  smtpMailFrom: 'SMTP_MAIL_FROM',
  smtpConnectTimeoutMs: 'SMTP_CONNECT_TIMEOUT_MS',
  smtpCommandTimeoutMs: 'SMTP_COMMAND_TIMEOUT_MS',
  smtpMaxConnectionsPerMx: 'SMTP_MAX_CONNECTIONS_PER_MX',
  smtpProxyUrl: 'SMTP_PROXY_URL',
  smtpEgress: 'SMTP_EGRESS',
  mxAllowCidrs: 'MX_ALLOW_CIDRS',
};

/** @throws TypeError that names the option and says what to write instead. */
export function configOf(options: EngineOptions): Config {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(VARIABLES, name));
  if (unknown !== undefined) throw new TypeError(`createEngine has no option ${unknown}`);
  const values = Object.entries(options).filter(([, value]) => value !== undefined);
  const variables = values.map(([name, value]) => [VARIABLES[name as keyof EngineOptions], String(value)]);
  try {
    return readConfig(Object.fromEntries(variables) as Record<string, string>);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new TypeError(inOptions(error.message), { cause: error });
  }
}

function inOptions(message: string): string {
  return Object.entries(VARIABLES).reduce(
    (text, [option, variable]) => text.replaceAll(new RegExp(`\\b${variable}\\b`, 'g'), option),
    message,
  );
}
