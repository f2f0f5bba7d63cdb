import { ConfigError, readConfig, type Config } from '../../platform/config/config.js';
import type { EngineOptions } from './engine-options.js';

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

/** The variables of a command that has only the engine. */
export const ENGINE_SETTINGS: readonly string[] = [...Object.values(VARIABLES), 'PROVIDERS_FILE', 'DATA_DIR'];

/** @throws TypeError that names the option and says what to write instead. */
export function configOf(options: EngineOptions): Config {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createEngine takes an object of options, such as { dnsServers: [] }');
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(VARIABLES, name));
  if (unknown !== undefined) throw new TypeError(`createEngine has no option ${unknown}`);
  const values = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
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
