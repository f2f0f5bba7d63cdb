import type { ProbeOutcome, RandomProbe, ServerEvidence } from '../probe.js';
import { excerpt } from '../../replies/smtp-reply.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import type { HostFailure, MailboxSearch } from './mailbox-search.js';

/** Why no address of a host could be dialled, most important first. */
const HOST_FAILURES: readonly HostFailure[] = ['dns_error', 'no_route', 'unsafe_mail_server', 'no_address'];

/** What a search over all hosts has found. */
export function outcomeOf(search: MailboxSearch, isAborted: boolean): ProbeOutcome {
  const { final, results } = search;
  const outcome = final ? outcomeAt(final.result, search, final.random) : withoutReply(search, isAborted);
  const rejections = results.filter(({ category }) => category === 'sender_blocked');
  return { ...outcome, rejections: rejections.map((rejection) => evidenceOf(rejection, search)) };
}

/** No server gave a final reply: the most significant failure is the result. */
function withoutReply(search: MailboxSearch, isAborted: boolean): ProbeOutcome {
  const { results, hostFailures, dnsError } = search;
  const hostFailure = HOST_FAILURES.find((failure) => hostFailures.includes(failure));
  const [first, ...others] = results;
  if (first === undefined) {
    const end = isAborted ? 'timeout' : (hostFailure ?? 'dns_error');
    const outcome: ProbeOutcome = { end, evidence: null, random: null, smtputf8: null };
    return end === 'dns_error' ? { ...outcome, dnsError } : outcome;
  }

  const probeResult = others.reduce(
    (best, next) => (significanceOf(next) > significanceOf(best) ? next : best),
    first,
  );
  const outcome = outcomeAt(probeResult, search, null);
  if (probeResult.reply !== null && !isPermanentRejection(probeResult)) return outcome;
  if (isAborted) return { ...outcome, end: 'timeout' };
  // Null MX and missing SMTPUTF8 count only if every host agrees.
  if (isPermanentRejection(probeResult) && hostFailure === 'dns_error')
    return { ...outcome, end: 'dns_error', dnsError };
  return outcome;
}

/** A reply is more significant than a timeout, and a timeout more than a refused connection. */
const LEAST_SIGNIFICANT_FIRST: readonly ((probeResult: SmtpProbeResult) => boolean)[] = [
  isPermanentRejection,
  ({ end }) => end === 'egress_failed',
  ({ end }) => end === 'no_connect',
  ({ end }) => end === 'smtp_protocol_error',
  ({ end }) => end === 'timeout',
  ({ category }) => category === 'protocol',
  ({ category }) => category !== 'sender_blocked',
  ({ category }) => category === 'sender_blocked',
];

function significanceOf(probeResult: SmtpProbeResult): number {
  return LEAST_SIGNIFICANT_FIRST.findIndex((matches) => matches(probeResult));
}

/** Would make the address undeliverable, so every other result is preferred. */
function isPermanentRejection({ category }: SmtpProbeResult): boolean {
  return category === 'null_mx' || category === 'smtputf8';
}

function outcomeAt(result: SmtpProbeResult, search: MailboxSearch, random: RandomProbe): ProbeOutcome {
  const { end, smtputf8 } = result;
  return { end, evidence: evidenceOf(result, search), random, smtputf8 };
}

function evidenceOf(
  { stage, reply, category, rule, mxHost, tls, failure }: SmtpProbeResult,
  { dialled }: MailboxSearch,
): ServerEvidence {
  return {
    stage,
    code: reply?.code ?? null,
    enhancedCode: reply?.enhancedCode ?? null,
    category,
    rule,
    mxHost,
    attempts: dialled.length,
    tls,
    text: reply === null ? (failure ?? null) : excerpt(reply.text),
  };
}
