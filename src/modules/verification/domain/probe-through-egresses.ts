import { WARMUP_RULE } from '../../../kernel/verdict.js';
import { EARLIER_REFUSAL, type Breakers } from './breakers.js';
import { egressOrder, withoutPaused } from './egress-choice.js';
import type { EgressWarmup } from './egress-warmup.js';
import type { Egress } from './egress.js';
import { providerOfHosts } from './mail-exchange.js';
import type { ProbeOutcome, ProbeRequest, ProbeResult } from './mailbox-prober.js';
import { subjectOf } from './refusal-subject.js';

/** A limit, so that a server that refuses us does not see many of our addresses at once. */
const MAX_ASKED = 3;
/** Time that a probe through another egress needs. */
const MIN_REMAINING_MS = 1_000;

export interface EgressDependencies {
  egresses: readonly Egress[];
  breakers: Breakers;
  warmup: EgressWarmup;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
}

/**
 * Probes the servers through the egress of the domain, and through the next ones when the result may
 * depend on the egress: servers refused it, or it reached none. An egress with an open breaker, or at its
 * daily ceiling, is skipped.
 */
export async function probeThroughEgresses(
  request: ProbeRequest,
  dependencies: EgressDependencies,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const { nowMs } = dependencies;
  const asked: AskedResult[] = [];
  const skipped = new Set<SkipCause>();
  for (const egress of candidates(request, dependencies)) {
    const isLate = signal.aborted || request.deadlineMs - nowMs() < MIN_REMAINING_MS;
    if (asked.length >= MAX_ASKED || (asked.length > 0 && isLate)) break;
    const outcome = await probeThrough(egress, request, dependencies, signal);
    if (typeof outcome === 'string') skipped.add(outcome);
    else asked.push({ outcome, egress });
    if (typeof outcome !== 'string' && !mayDependOnEgress(outcome, egress)) break;
  }
  if (asked.length > 0) return mostSignificant(asked);
  return UNASKED[SKIP_CAUSES.find((cause) => skipped.has(cause)) ?? 'breaker'];
}

interface AskedResult {
  outcome: ProbeOutcome;
  egress: Egress;
}

/** Why no server was probed through an egress, most significant first. */
const SKIP_CAUSES = ['ceiling', 'breaker', 'no_route'] as const;
type SkipCause = (typeof SKIP_CAUSES)[number];

const nothing = { random: null, smtputf8: null };
/** The results when no server was probed through any egress. */
const UNASKED: Readonly<Record<SkipCause, ProbeResult>> = {
  ceiling: { ...nothing, end: 'replied', evidence: { ...EARLIER_REFUSAL, rule: WARMUP_RULE } },
  breaker: { ...nothing, end: 'replied', evidence: EARLIER_REFUSAL },
  no_route: { ...nothing, end: 'no_route', evidence: null },
};

async function probeThrough(
  egress: Egress,
  request: ProbeRequest,
  { breakers, warmup, nowMs }: EgressDependencies,
  signal: AbortSignal,
): Promise<ProbeOutcome | SkipCause> {
  const { recipient: address, owner: team, hosts } = request;
  const { name } = egress;
  const route = { egress: name, provider: providerOfHosts(hosts), team };
  const question = { address, team, egress: name };
  if (warmup.hasCeiling(route) && !(await warmup.take(route))) return 'ceiling';
  const allowed = breakers.allowedHosts(question, hosts, nowMs());
  if (allowed.length === 0) {
    warmup.returnProbe(route);
    return 'breaker';
  }
  const outcome = await egress.prober.probe({ ...request, hosts: allowed }, signal);
  breakers.record(question, outcome, nowMs());
  if (outcome.end === 'egress_failed' || outcome.end === 'no_route') warmup.returnProbe(route);
  else if (isRefused(outcome)) warmup.refused(route);
  return outcome.end === 'no_route' ? 'no_route' : outcome;
}

/** Whether the result is a refusal of our address or names. */
function isRefused({ end, evidence }: ProbeOutcome): boolean {
  if (end !== 'replied' || evidence?.category !== 'sender_blocked') return false;
  return evidence.stage !== 'rcpt' || subjectOf(evidence) === 'us';
}

function candidates(
  { recipient, owner: team }: ProbeRequest,
  { egresses, breakers, nowMs }: EgressDependencies,
): readonly Egress[] {
  const now = nowMs();
  return withoutPaused(egressOrder(recipient.domain, egresses), (egress) => {
    if (egress.isOut(now)) return 'unreachable';
    return breakers.isEgressOpen(egress.name, team, now) ? 'refused' : null;
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
function mostSignificant(asked: readonly AskedResult[]): ProbeResult {
  const { outcome, egress } = asked.reduce((best, next) =>
    significanceOf(next.outcome) >= significanceOf(best.outcome) ? next : best,
  );
  const { end, evidence, random, smtputf8 } = outcome;
  if (evidence === null) return { end, evidence, random, smtputf8 };
  const attempts = asked.reduce((sum, each) => sum + (each.outcome.evidence?.attempts ?? 0), 0);
  return { end, evidence: { ...evidence, attempts, egress: egress.name }, random, smtputf8 };
}

/** Replies about the recipient are most significant, then refusals of us, then other failures. */
function significanceOf({ end, evidence }: ProbeOutcome): number {
  if (end === 'egress_failed') return 0;
  if (end !== 'replied') return 1;
  return evidence?.category === 'sender_blocked' ? 2 : 3;
}
