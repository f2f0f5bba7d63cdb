import type { Priority } from '../../kernel/concurrency/fair-queue.js';
import type { NotDialled } from '../limits/not-dialled.js';
import { providerOf } from '../providers/mail-exchange.js';
import { subjectOf } from '../replies/rejection-subject.js';
import { isOfServer, type HostGate, type ProbeOutcome, type ServerEvidence } from '../smtp/probe.js';
import type { BreakerRequest, Breakers } from './breakers.js';
import type { EgressWarmup } from './egress-warmup.js';
import type { CountedAt } from './first-contacts.js';

/** Why a host may not be dialled. */
type Denial = Extract<NotDialled, 'breaker' | 'ceiling'>;

/** What decides whether a server may be dialled through an egress. */
export interface DialGates {
  breakers: Breakers;
  warmup: EgressWarmup;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
}

/**
 * The hosts that one verification dials through one egress. It counts one probe against the ceiling of each
 * provider whose host is dialled: MX records that name a provider's host behind other hosts cost nothing until
 * it is dialled.
 */
export class Dials implements HostGate {
  private readonly counted: CountedAt = new Map();
  /** By provider: whether a probe was granted. */
  private readonly probes = new Map<string, Promise<boolean>>();
  /** Providers of which a host was dialled. */
  private readonly dialled = new Set<string | null>();
  /** Why a host was not dialled. */
  deniedBy: Denial | null = null;

  constructor(
    private readonly gates: DialGates,
    readonly request: Required<BreakerRequest>,
    private readonly priority: Priority,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits until the host may be dialled; false: it may not. */
  async acquire(mxHost: string): Promise<boolean> {
    const { breakers, nowMs } = this.gates;
    const { request, priority, counted, signal } = this;
    if (!(await breakers.enter(request, mxHost, { priority, counted, signal, nowMs })))
      return this.deny('breaker');
    if (!(await this.isBelowCeiling(mxHost))) return this.deny('ceiling');
    // Another request may have been refused, or become the half-open probe, while this one waited.
    if (!breakers.mayProbe(request, mxHost, nowMs())) return this.deny('breaker');
    breakers.onProbing(request, mxHost, nowMs());
    this.dialled.add(providerOf(mxHost));
    return true;
  }

  /** Must be called when the verification has its outcome. */
  async end(outcome: ProbeOutcome): Promise<void> {
    for (const release of this.counted.values()) release();
    const isSent = (provider: string) => outcome.end !== 'egress_failed' && this.dialled.has(provider);
    for (const [provider, probe] of this.probes) {
      if (!(await probe)) continue;
      const event = { egress: this.request.egress, team: this.request.team, provider };
      if (!isSent(provider)) await this.gates.warmup.record({ ...event, kind: 'return' });
      else if (isRejectedBy(provider, outcome))
        await this.gates.warmup.record({ ...event, kind: 'rejection' });
    }
  }

  private deny(by: Denial): false {
    if (!this.signal.aborted) this.deniedBy = by;
    return false;
  }

  private async isBelowCeiling(mxHost: string): Promise<boolean> {
    const provider = providerOf(mxHost);
    if (provider === null) return true;
    const { egress, team } = this.request;
    const probe =
      this.probes.get(provider) ?? this.gates.warmup.record({ egress, team, provider, kind: 'probe' });
    this.probes.set(provider, probe);
    return probe;
  }
}

/** Whether hosts of the provider have rejected our address or names, and none has replied about a recipient. */
function isRejectedBy(provider: string, { evidence, rejections = [] }: ProbeOutcome): boolean {
  const isOfProvider = ({ mxHost }: ServerEvidence) => providerOf(mxHost) === provider;
  if (isOfServer(evidence) && isOfProvider(evidence) && evidence.category !== 'sender_blocked') return false;
  const ofProvider = rejections.filter(isOfProvider);
  return ofProvider.some((rejection) => rejection.stage !== 'rcpt' || subjectOf(rejection) === 'sender');
}
