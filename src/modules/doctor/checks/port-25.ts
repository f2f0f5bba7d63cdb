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
import { converse, type Provider, PROVIDERS, REPLY_MS, serverOf } from './large-providers.js';

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
async function greetingOf(provider: Provider, context: DoctorContext): Promise<BannerResult> {
  const toResult = (greeting: Greeting, text: string): BannerResult => ({
    provider: provider.name,
    greeting,
    text,
  });
  const server = await serverOf(provider, context);
  if (typeof server === 'string') return toResult('unknown', server);
  try {
    const conversation = await converse(server, context);
    try {
      const { code, lines } = await conversation.banner(REPLY_MS, context.signal);
      if (code !== 220) return toResult('refuses', `${code} ${lines.join(' ')}`);
      const isOurs = lines.some((line) => provider.banner.test(line));
      return toResult(isOurs ? 'greets' : 'another server', lines.join(' '));
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
