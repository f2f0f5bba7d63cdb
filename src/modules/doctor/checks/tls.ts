import { SmtpFailure } from '../../../engine/smtp/protocol/smtp-wire.js';
import {
  fail,
  notApplicable,
  pass,
  skipped,
  type Check,
  type CheckResult,
  type DoctorContext,
} from './check.js';
import { converse, type Provider, PROVIDERS, REPLY_MS, serverOf } from './large-providers.js';

const ASK_NETWORK =
  'a firewall or proxy on the way changes SMTP (often called "SMTP inspection" or "fixup"): switch that off, or use another egress';

const SEE_PORT_25 = 'see the line about port 25';

export const TLS: Check = {
  check: 'tls',
  why: 'without TLS everybody on the way reads which addresses are verified, and some servers refuse the session',
  network: true,
  perEgress: true,
  run: async (context) => {
    if (!context.config.smtp.enabled) return notApplicable('SMTP_ENABLED is false: no mail server is probed');
    // One server is enough, and a second connection to each provider would say nothing new.
    for (const provider of PROVIDERS) {
      const result = await tlsWith(provider, context);
      if (result !== null) return result;
    }
    return skipped('no mail server greets us', SEE_PORT_25);
  },
};

/** All of these providers offer STARTTLS (RFC 3207 §6). @returns null: another provider has to be asked. */
async function tlsWith(provider: Provider, context: DoctorContext): Promise<CheckResult | null> {
  const { signal } = context;
  const server = await serverOf(provider, context);
  if (typeof server === 'string' || signal.aborted) return null;
  try {
    const conversation = await converse(server, context);
    try {
      if ((await conversation.banner(REPLY_MS, signal)).code !== 220) return null;
      if ((await conversation.hello(signal)).code !== 250) return null;
      if (!conversation.offers('STARTTLS'))
        return fail(`${provider.name} does not offer STARTTLS to us`, ASK_NETWORK);
      const { code, lines } = await conversation.startTls(signal);
      if (code !== 220)
        return skipped(`${provider.name} refuses STARTTLS for now: ${code} ${lines.join(' ')}`);
      return pass(`the session with ${provider.name} is encrypted`);
    } finally {
      await conversation.quit();
    }
  } catch (failure) {
    if (!(failure instanceof SmtpFailure)) throw failure;
    if (failure.kind === 'tls')
      return fail(`the TLS handshake with ${provider.name} fails: ${failure.message}`, ASK_NETWORK);
    if (failure.kind === 'egress_failed') return skipped('the egress does not work', SEE_PORT_25);
    return null;
  }
}
