import { SmtpConversation } from '../../../engine/smtp/protocol/smtp-conversation.js';
import { reachableThrough } from '../../../engine/egress/adapters/smtp-egresses.js';
import { SmtpFailure } from '../../../engine/smtp/protocol/smtp-wire.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import {
  fail,
  notApplicable,
  pass,
  skipped,
  warn,
  type Check,
  type CheckResult,
  type DoctorContext,
} from './check.js';

interface Provider {
  name: string;
  domain: string;
  /** The host names in its banners. */
  banner: RegExp;
}

/** Providers that are large, always available and accept connections from unknown clients. */
const PROVIDERS: readonly Provider[] = [
  { name: 'Google', domain: 'gmail.com', banner: /\bgoogle\.com\b/i },
  { name: 'Microsoft', domain: 'outlook.com', banner: /\boutlook\.com\b/i },
  { name: 'Yahoo', domain: 'yahoo.com', banner: /\byahoo/i },
];

const DIAL_MS = 5_000;
const BANNER_MS = 5_000;

type Greeting = 'greets' | 'another server' | 'refuses' | 'unreachable' | 'egress failed' | 'unknown';
interface BannerResult {
  provider: string;
  greeting: Greeting;
  text: string;
}

export const PORT_25: Check = {
  check: 'port_25',
  why: 'mail servers are reached over port 25; where it is closed, every verdict that needs one is unknown / no_connect',
  network: true,
  perEgress: true,
  run: async (context) => {
    const { smtp } = context.config;
    if (!smtp.enabled) return notApplicable('SMTP_ENABLED is false: no mail server is probed');
    const results = await Promise.all(PROVIDERS.map((provider) => greetingOf(provider, context)));
    return judge(results, context.egress);
  },
};

/** Connects, reads the banner and sends QUIT. */
async function greetingOf({ name, domain, banner }: Provider, context: DoctorContext): Promise<BannerResult> {
  const toResult = (greeting: Greeting, text: string): BannerResult => ({ provider: name, greeting, text });
  const { names, policy, egress, dialler, config, signal } = context;
  const mx = await names.mx(domain);
  const mxHost = mx.kind === 'records' ? mx.records[0] : undefined;
  if (mxHost === undefined) return toResult('unknown', `the DNS names no mail server of ${domain}`);
  const addresses = await names.addresses(mxHost);
  const hasRouteTo = reachableThrough(egress.route);
  const isDialled = (address: string) => policy.allows(address) && hasRouteTo(address);
  const ip = addresses.kind === 'records' ? addresses.records.find(isDialled) : undefined;
  if (ip === undefined) return toResult('unknown', `the DNS names no address of ${mxHost}`);
  try {
    const dialling = {
      dialler,
      ip,
      port: config.smtp.port,
      mxHost,
      connectTimeoutMs: DIAL_MS,
      commandTimeoutMs: BANNER_MS,
    };
    const conversation = await SmtpConversation.connect(dialling, egress, signal);
    try {
      const { code, lines } = await conversation.banner(BANNER_MS, signal);
      if (code !== 220) return toResult('refuses', `${code} ${lines.join(' ')}`);
      return toResult(lines.some((line) => banner.test(line)) ? 'greets' : 'another server', lines.join(' '));
    } finally {
      await conversation.quit();
    }
  } catch (failure) {
    if (!(failure instanceof SmtpFailure)) throw failure;
    return toResult(failure.kind === 'egress_failed' ? 'egress failed' : 'unreachable', failure.message);
  }
}

const CLOSED =
  'ask your hosting provider to open outbound port 25 (most clouds block it; home connections always do), ' +
  'or set SMTP_PROXY_URL (or an item of SMTP_EGRESS) to a SOCKS5 proxy on a machine where it is open';

const THROUGH = { direct: '', bind: ' from this address', socks5: ' through the proxy' } as const;

function judge(results: readonly BannerResult[], { route }: EgressSettings): CheckResult {
  const those = (greeting: Greeting) => results.filter((result) => result.greeting === greeting);
  const counted = (greeting: Greeting) =>
    those(greeting)
      .map(({ provider, text }) => `${provider} (${text})`)
      .join(', ');
  const probed = results.length - those('unknown').length;
  const through = THROUGH[route.kind];

  if (probed === 0)
    return skipped(`no mail server to dial: ${counted('unknown')}`, 'see the line about the resolver');
  if (those('egress failed').length > 0)
    return fail(
      `${route.kind === 'bind' ? 'the source address' : 'the proxy'} does not work: ${counted('egress failed')}`,
      'see the line about the egress; then correct SMTP_EGRESS or SMTP_PROXY_URL',
    );
  if (those('another server').length > 0)
    return fail(
      `another server answers instead of ${counted('another server')}`,
      'your network redirects port 25 to another server: ask for an exception, or use SMTP_PROXY_URL',
    );
  if (those('unreachable').length === probed)
    return fail(`none of the mail servers can be reached${through}: ${counted('unreachable')}`, CLOSED);
  if (those('refuses').length > 0)
    return warn(
      `refused${through} by ${counted('refuses')}`,
      'read its reply: usually the address is on a block list, or has no reverse name',
    );
  if (those('unreachable').length > 0)
    return warn(
      `cannot be reached${through}: ${counted('unreachable')}`,
      'try again; if it still fails, the provider blocks the address',
    );
  return pass(
    `${those('greets')
      .map(({ provider }) => provider)
      .join(', ')} greet us${through}`,
  );
}
