import { SmtpConversation } from '../../../../engine/smtp/protocol/smtp-conversation.js';
import { reachableThrough } from '../../../../engine/egress/adapters/smtp-egresses.js';
import type { DoctorContext } from './check.js';

export interface Provider {
  name: string;
  domain: string;
  /** The host names in its banners. */
  banner: RegExp;
}

/** Providers that are large, always available and accept connections from unknown clients. */
export const PROVIDERS: readonly Provider[] = [
  { name: 'Google', domain: 'gmail.com', banner: /\bgoogle\.com\b/i },
  { name: 'Microsoft', domain: 'outlook.com', banner: /\boutlook\.com\b/i },
  { name: 'Yahoo', domain: 'yahoo.com', banner: /\byahoo/i },
];

const DIAL_MS = 5_000;
export const REPLY_MS = 5_000;

export interface ProviderServer {
  mxHost: string;
  ip: string;
}

/** The most preferred mail server of a provider that the egress can dial, or why there is none. */
export async function serverOf(
  { domain }: Provider,
  { names, policy, egress }: DoctorContext,
): Promise<ProviderServer | string> {
  const mx = await names.mx(domain);
  const mxHost = mx.kind === 'records' ? mx.records[0] : undefined;
  if (mxHost === undefined) return `${domain}: no MX`;
  const addresses = await names.addresses(mxHost);
  const hasRouteTo = reachableThrough(egress.route);
  const isDialled = (address: string) => policy.allows(address) && hasRouteTo(address);
  const ip = addresses.kind === 'records' ? addresses.records.find(isDialled) : undefined;
  return ip === undefined ? `${mxHost}: no A, AAAA` : { mxHost, ip };
}

/** @throws SmtpFailure */
export function converse(server: ProviderServer, context: DoctorContext): Promise<SmtpConversation> {
  const { dialler, egress, config, signal } = context;
  const dialling = {
    ...server,
    dialler,
    port: config.smtp.port,
    connectTimeoutMs: DIAL_MS,
    commandTimeoutMs: REPLY_MS,
  };
  return SmtpConversation.connect(dialling, egress, signal);
}
