import { WARMUP_RULE } from '../../kernel/verdict.js';
import { EARLIER_REJECTION } from './breakers.js';
import { egressOrder, withoutPaused } from './egress-choice.js';
import { Dials, type DialGates } from './dials.js';
import type { Egress } from './egress.js';
import type { NotDialled } from '../limits/not-dialled.js';
import type { ProbeOutcome, ProbeRequest } from '../smtp/probe.js';
import { subjectOf } from '../replies/rejection-subject.js';

/** A limit, so that a server that rejects us does not see many of our addresses at once. */
const MAX_PROBED = 3;
/** Time that a probe through another egress needs. */
const MIN_REMAINING_MS = 1_000;

export interface EgressParts extends DialGates {
  egresses: readonly Egress[];
}

/**
 * Probes the servers through the egress of the domain, and through the next ones when the result may
 * depend on the egress: servers rejected it, or it reached none. An egress with an open breaker, or at its
 * daily ceiling, is skipped.
 */
export async function probeThroughEgresses(
  request: ProbeRequest,
  parts: EgressParts,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const { nowMs } = parts;
  const probed: ProbeOutcome[] = [];
  const skipped = new Set<SkipCause>();
  for (const egress of usableEgresses(request.recipient.domain, request.team, parts)) {
    const isLate = signal.aborted || request.deadlineMs - nowMs() < MIN_REMAINING_MS;
    if (probed.length >= MAX_PROBED || (probed.length > 0 && isLate)) break;
    const question = { address: request.recipient, team: request.team, egress: egress.key };
    const dials = new Dials(parts, question, request.priority, signal);
    const outcome = await probeThrough(egress, request, dials, parts, signal);
    if (typeof outcome === 'string') {
      skipped.add(outcome);
      continue;
    }
    probed.push(outcome);
    if (dials.deniedBy === null && !mayDependOnEgress(outcome, egress)) break;
  }
  if (probed.length > 0) return mostSignificant(probed);
  return NOT_PROBED[SKIP_CAUSES.find((cause) => skipped.has(cause)) ?? 'breaker'];
}

/** Why no server was probed through an egress, most significant first. */
const SKIP_CAUSES = ['ceiling', 'breaker', 'no_route'] as const satisfies readonly NotDialled[];
type SkipCause = (typeof SKIP_CAUSES)[number];

const nothing = { random: null, smtputf8: null };
/** The results when no server was probed through any egress. */
const NOT_PROBED: Readonly<Record<SkipCause, ProbeOutcome>> = {
  ceiling: { ...nothing, end: 'replied', evidence: { ...EARLIER_REJECTION, rule: WARMUP_RULE } },
  breaker: { ...nothing, end: 'replied', evidence: EARLIER_REJECTION },
  no_route: { ...nothing, end: 'no_route', evidence: null },
};

/** @returns why, when no server was dialled. */
async function probeThrough(
  egress: Egress,
  request: ProbeRequest,
  dials: Dials,
  { breakers, nowMs }: DialGates,
  signal: AbortSignal,
): Promise<ProbeOutcome | SkipCause> {
  const { hosts } = request;
  const allowed = breakers.allowedHosts(dials.request, hosts, nowMs());
  if (allowed.length === 0) return 'breaker';
  const probed = await egress.probe({ ...request, hosts: allowed, gate: dials }, signal);
  const outcome = allowed.length < hosts.length ? ofSomeHosts(probed) : probed;
  breakers.record(dials.request, outcome, nowMs());
  await dials.end(outcome);
  const { evidence } = outcome;
  if (dials.deniedBy !== null && evidence === null) return dials.deniedBy;
  if (outcome.end === 'no_route') return 'no_route';
  return { ...outcome, evidence: evidence && { ...evidence, egress: egress.name } };
}

/** What all probed hosts have denied, another one may accept. */
function ofSomeHosts(outcome: ProbeOutcome): ProbeOutcome {
  return outcome.end === 'relaying_denied' ? { ...outcome, end: 'replied' } : outcome;
}

/** The egresses of a domain, in the order in which they are tried. */
export function usableEgresses(
  domain: string,
  team: string,
  { egresses, breakers, nowMs }: Pick<EgressParts, 'egresses' | 'breakers' | 'nowMs'>,
): readonly Egress[] {
  const now = nowMs();
  return withoutPaused(egressOrder(domain, egresses), (egress) => {
    if (egress.outage.isPaused(now)) return 'unreachable';
    return breakers.isEgressOpen(egress.key, team, now) ? 'rejected' : null;
  });
}

/** Whether another egress may give another result. */
function mayDependOnEgress({ end, evidence, random }: ProbeOutcome, { isProxied }: Egress): boolean {
  if (end === 'egress_failed' || random === 'egress_failed') return true;
  // The server has closed the connection, or the proxy has.
  if (end === 'smtp_protocol_error') return isProxied && evidence?.code === null;
  // A recipient who has blocked our sender is not probed again.
  return end === 'replied' && evidence?.category === 'sender_blocked' && subjectOf(evidence) !== 'recipient';
}

/** The last result, unless an earlier one is more significant. `attempts` are those of all egresses. */
function mostSignificant(probed: readonly ProbeOutcome[]): ProbeOutcome {
  const { end, evidence, random, smtputf8, dnsError } = probed.reduce((best, next) =>
    significanceOf(next) >= significanceOf(best) ? next : best,
  );
  const attempts = probed.reduce((sum, outcome) => sum + (outcome.evidence?.attempts ?? 0), 0);
  return { end, evidence: evidence && { ...evidence, attempts }, random, smtputf8, dnsError };
}

/** Replies about the recipient are most significant, then rejections of us, then other failures. */
function significanceOf({ end, evidence }: ProbeOutcome): number {
  if (end === 'egress_failed') return 0;
  if (end === 'relaying_denied') return 3;
  if (end !== 'replied') return 1;
  return evidence?.category === 'sender_blocked' ? 2 : 3;
}
