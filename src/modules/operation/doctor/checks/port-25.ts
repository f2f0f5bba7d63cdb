import { SmtpFailure } from '../../../../engine/smtp/protocol/smtp-wire.js';
import type { EgressSettings } from '../../../../platform/net/egress.js';
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
import { found, remedy } from '../domain/sentences.js';
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
    if (!smtp.enabled) return notApplicable(found('smtp_disabled', {}));
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

const NONE_REACHED = {
  direct: 'none_reached',
  bind: 'none_reached_from_address',
  socks5: 'none_reached_through_proxy',
} as const;

function judge(results: readonly BannerResult[], { route }: EgressSettings): CheckResult {
  const those = (greeting: Greeting) => results.filter((result) => result.greeting === greeting);
  const counted = (greeting: Greeting) =>
    those(greeting)
      .map(({ provider, text }) => `${provider} (${text})`)
      .join(', ');
  const probed = results.length - those('unknown').length;

  if (probed === 0)
    return skipped(found('no_server_to_dial', { servers: counted('unknown') }), remedy('see_resolver', {}));
  if (those('egress failed').length > 0) {
    const code = route.kind === 'bind' ? 'source_address_fails' : 'proxy_does_not_work';
    return fail(found(code, { servers: counted('egress failed') }), remedy('see_egress', {}));
  }
  if (those('another server').length > 0)
    return fail(
      found('another_server_answers', { servers: counted('another server') }),
      remedy('end_redirection', {}),
    );
  if (those('unreachable').length === probed)
    return fail(
      found(NONE_REACHED[route.kind], { servers: counted('unreachable') }),
      remedy('open_port_25', {}),
    );
  if (those('refuses').length > 0)
    return warn(found('refused', { servers: counted('refuses') }), remedy('read_reply', {}));
  if (those('unreachable').length > 0)
    return warn(found('some_not_reached', { servers: counted('unreachable') }), remedy('try_again', {}));
  const servers = those('greets')
    .map(({ provider }) => provider)
    .join(', ');
  return pass(found(route.kind === 'socks5' ? 'servers_greet_through_proxy' : 'servers_greet', { servers }));
}
