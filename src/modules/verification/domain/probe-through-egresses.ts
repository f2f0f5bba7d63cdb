import { EARLIER_REFUSAL, type Breakers } from './breakers.js';
import { egressOrder, withoutResting } from './egress-choice.js';
import type { Egress } from './egress.js';
import type { ProbeOutcome, ProbeRequest, ProbeResult } from './mailbox-prober.js';
import { subjectOf } from './refusal-subject.js';

/** More would show a server that refuses us many of our addresses at once. */
const MAX_ASKED = 3;
/** Time that another egress needs for an answer. */
const MIN_REMAINING_MS = 1_000;

export interface EgressDependencies {
  egresses: readonly Egress[];
  breakers: Breakers;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
}

/**
 * Probes the servers through the egress of the domain, and through the next ones when the result may
 * depend on the egress: servers refused it, or it reached none. Open breakers of an egress skip it.
 */
export async function probeThroughEgresses(
  request: ProbeRequest,
  { egresses, breakers, nowMs }: EgressDependencies,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const { recipient: address, owner: team, hosts, deadlineMs } = request;
  const asked: AskedResult[] = [];
  for (const egress of candidates(request, { egresses, breakers, nowMs })) {
    const isLate = signal.aborted || deadlineMs - nowMs() < MIN_REMAINING_MS;
    if (asked.length >= MAX_ASKED || (asked.length > 0 && isLate)) break;
    const question = { address, team, egress: egress.name };
    const allowed = breakers.allowedHosts(question, hosts, nowMs());
    if (allowed.length === 0) continue;
    const outcome = await egress.prober.probe({ ...request, hosts: allowed }, signal);
    breakers.record(question, outcome, nowMs());
    asked.push({ outcome, egress });
    if (!mayDependOnEgress(outcome, egress)) break;
  }
  return asked.length === 0 ? NOT_ASKED : mostSignificant(asked);
}

interface AskedResult {
  outcome: ProbeOutcome;
  egress: Egress;
}

/** The result when earlier refusals prevent the probe. */
const NOT_ASKED: ProbeResult = { end: 'replied', evidence: EARLIER_REFUSAL, random: null, smtputf8: null };

function candidates(
  { recipient, owner: team }: ProbeRequest,
  { egresses, breakers, nowMs }: EgressDependencies,
): readonly Egress[] {
  const now = nowMs();
  return withoutResting(egressOrder(recipient.domain, egresses), (egress) => {
    if (egress.isOut(now)) return 'unreachable';
    return breakers.isEgressOpen(egress.name, team, now) ? 'refused' : null;
  });
}

/** Whether another egress may get another answer. */
function mayDependOnEgress({ end, evidence }: ProbeOutcome, { isProxied }: Egress): boolean {
  if (end === 'no_way_out' || end === 'no_route') return true;
  // The server has closed the connection, or the proxy has.
  if (end === 'smtp_protocol_error') return isProxied && evidence?.code === null;
  // A recipient who has blocked our sender is not asked again.
  return end === 'replied' && evidence?.category === 'sender_blocked' && subjectOf(evidence) !== 'recipient';
}

/** The last result, unless an earlier one says more. `attempts` are those of all egresses. */
function mostSignificant(asked: readonly AskedResult[]): ProbeResult {
  const { outcome, egress } = asked.reduce((best, next) =>
    significanceOf(next.outcome) >= significanceOf(best.outcome) ? next : best,
  );
  const { end, evidence, random, smtputf8 } = outcome;
  if (evidence === null) return { end, evidence, random, smtputf8 };
  const attempts = asked.reduce((sum, each) => sum + (each.outcome.evidence?.attempts ?? 0), 0);
  return { end, evidence: { ...evidence, attempts, egress: egress.name }, random, smtputf8 };
}

/** What a server says about the recipient, then that it refuses us, then why it said nothing. */
function significanceOf({ end, evidence }: ProbeOutcome): number {
  if (end === 'no_way_out' || end === 'no_route') return 0;
  if (end !== 'replied') return 1;
  return evidence?.category === 'sender_blocked' ? 2 : 3;
}
