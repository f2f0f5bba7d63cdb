import { randomInt } from 'node:crypto';
import type { MxRecord } from '../../../kernel/verdict.js';
import type { DialledResult, ProbeOutcome, RandomProbe, ServerEvidence } from '../probe.js';
import { excerpt } from '../../replies/smtp-reply.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';

/** Why no address of a host could be dialled, most important first. */
const HOST_FAILURES = ['dns_error', 'no_route', 'unsafe_mail_server', 'no_address'] as const;
export type HostFailure = (typeof HOST_FAILURES)[number];

/** The result of one server, with the MX host name. */
export interface HostProbeResult extends SmtpProbeResult {
  mxHost: string;
}

/** What a search over all hosts has found. */
interface SearchResult {
  results: readonly HostProbeResult[];
  settled: { result: HostProbeResult; random: RandomProbe } | null;
  hostFailures: readonly HostFailure[];
  dialled: readonly string[];
  dnsError?: string | undefined;
}

export function outcomeOf(search: SearchResult, isAborted: boolean): ProbeOutcome {
  const { settled, results } = search;
  const result = settled ? resultOf(settled.result, search, settled.random) : unsettled(search, isAborted);
  const rejections = results.filter(({ category }) => category === 'sender_blocked');
  return { ...result, rejections: rejections.map((rejection) => evidenceOf(rejection, search)) };
}

/** No server gave a final reply: the most significant failure is the result. */
function unsettled(search: SearchResult, isAborted: boolean): DialledResult {
  const { results, hostFailures, dnsError } = search;
  const hostFailure = HOST_FAILURES.find((failure) => hostFailures.includes(failure));
  const [first, ...others] = results;
  if (first === undefined) {
    const end = isAborted ? 'timeout' : (hostFailure ?? 'dns_error');
    const result: DialledResult = { end, evidence: null, random: null, smtputf8: null };
    return end === 'dns_error' ? { ...result, dnsError } : result;
  }

  const probeResult = others.reduce(
    (best, next) => (significanceOf(next) > significanceOf(best) ? next : best),
    first,
  );
  const result = resultOf(probeResult, search, null);
  if (probeResult.reply !== null && !isPermanentRejection(probeResult)) return result;
  if (isAborted) return { ...result, end: 'timeout' };
  // Null MX and missing SMTPUTF8 count only if every host agrees.
  if (isPermanentRejection(probeResult) && hostFailure === 'dns_error')
    return { ...result, end: 'dns_error', dnsError };
  return result;
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

function resultOf(result: HostProbeResult, search: SearchResult, random: RandomProbe): DialledResult {
  const { end, smtputf8 } = result;
  return { end, evidence: evidenceOf(result, search), random, smtputf8 };
}

function evidenceOf(
  { stage, reply, category, rule, mxHost, tls, failure }: HostProbeResult,
  { dialled }: SearchResult,
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

/** By preference, equal preferences in random order (RFC 5321 §5.1). */
export function byPreference(hosts: readonly MxRecord[]): readonly MxRecord[] {
  if (hosts.length < 2) return hosts;
  return hosts
    .map((record) => ({ record, draw: randomInt(1 << 30) }))
    .sort((a, b) => a.record.preference - b.record.preference || a.draw - b.draw)
    .map(({ record }) => record);
}
