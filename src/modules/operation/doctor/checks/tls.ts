import { SmtpFailure } from '../../../../engine/smtp/protocol/smtp-wire.js';
import {
  fail,
  notApplicable,
  pass,
  skipped,
  type Check,
  type CheckResult,
  type DoctorContext,
} from './check.js';
import { found, remedy } from '../domain/sentences.js';
import { converse, type Provider, PROVIDERS, REPLY_MS, serverOf } from './large-providers.js';

export const TLS: Check = {
  check: 'tls',
  why: 'without TLS everybody on the way reads which addresses are verified, and some servers refuse the session',
  network: true,
  perEgress: true,
  run: async (context) => {
    if (!context.config.smtp.enabled) return notApplicable(found('smtp_disabled', {}));
    // One server is enough, and a second connection to each provider would say nothing new.
    for (const provider of PROVIDERS) {
      const result = await tlsWith(provider, context);
      if (result !== null) return result;
    }
    return skipped(found('no_server_greets', {}), remedy('see_port_25', {}));
  },
};

/** All of these providers offer STARTTLS (RFC 3207 §6). @returns null: another provider has to be asked. */
async function tlsWith(provider: Provider, context: DoctorContext): Promise<CheckResult | null> {
  const { signal } = context;
  const dialled = await serverOf(provider, context);
  if (typeof dialled === 'string' || signal.aborted) return null;
  const server = provider.name;
  try {
    const conversation = await converse(dialled, context);
    try {
      if ((await conversation.banner(REPLY_MS, signal)).code !== 220) return null;
      if ((await conversation.hello(signal)).code !== 250) return null;
      if (!conversation.offers('STARTTLS'))
        return fail(found('no_starttls', { server }), remedy('end_inspection', {}));
      const { code, lines } = await conversation.startTls(signal);
      if (code !== 220)
        return skipped(found('starttls_refused', { server, reply: `${code} ${lines.join(' ')}` }));
      return pass(found('session_encrypted', { server }));
    } finally {
      await conversation.quit();
    }
  } catch (failure) {
    if (!(failure instanceof SmtpFailure)) throw failure;
    if (failure.kind === 'tls')
      return fail(
        found('handshake_fails', { server, reason: failure.message }),
        remedy('end_inspection', {}),
      );
    if (failure.kind === 'egress_failed')
      return skipped(found('egress_fails', {}), remedy('see_port_25', {}));
    return null;
  }
}
