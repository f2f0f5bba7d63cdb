import { randomBytes } from 'node:crypto';
import { parseResponse } from '../../../engine/dns/adapters/dns-message.js';
import { parseDnsServer, queryServer, withTimeout } from '../../../engine/dns/adapters/dns-transport.js';
import { fail, worstOf, pass, skipped, type Check, type CheckResult } from './check.js';
import type { DoctorContext } from './doctor-context.js';

/** For one server. */
const TIMEOUT_MS = 4_000;

export const NEGATIVE_ANSWERS: Check = {
  check: 'negative_answers',
  why: 'negative answers without an SOA record are not accepted (RFC 2308), and verdicts for mistyped domains are unknown / dns_error',
  network: true,
  run: async (context) =>
    worstOf(await Promise.all(context.config.dns.servers.map((server) => checkServer(server, context)))),
};

async function checkServer(text: string, { clock, signal }: DoctorContext): Promise<CheckResult> {
  const server = parseDnsServer(text);
  if (server === null) return skipped(`${text} is not an address of a name server`);
  // A random name is not cached.
  const question = { type: 'MX', name: `rcpt-doctor-${randomBytes(12).toString('hex')}.com` } as const;
  if (signal.aborted) return skipped(`${text} could not be queried before the deadline`);
  const kinds: string[] = [];
  await withTimeout(clock, TIMEOUT_MS, signal, async (ended) => {
    // Twice: some forwarders omit the SOA record only in cached responses.
    for (let n = 0; n < 2 && !ended.aborted; n++) {
      const reply = await queryServer(server, question, true, ended);
      if (reply.kind === 'packet') kinds.push(parseResponse(reply.packet, question).kind);
    }
  });
  if (kinds.includes('unproven'))
    return fail(
      `${text} omits the SOA record in negative answers`,
      `set DNS_SERVERS to a resolver that keeps the authority section: a local caching resolver (unbound, knot-resolver), or the one that ${text} forwards to`,
    );
  if (kinds.includes('response')) return pass(`${text} sends the SOA record in negative answers`);
  return skipped(`${text} gave no usable answer for a name that does not exist`);
}
