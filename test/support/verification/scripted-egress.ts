import type { Egress } from '../../../src/engine/egress/egress.js';
import type { ProbeOutcome, ProbeRequest } from '../../../src/engine/smtp/probe.js';
import { answeredBy } from './rejections.js';

const NOT_DIALLED: ProbeOutcome = {
  end: 'dns_error',
  evidence: null,
  random: null,
  smtputf8: null,
  rejections: [],
};

/** Gives the same outcome to every request, and records their domains. */
class ScriptedProber {
  readonly probed: string[] = [];
  outcome: ProbeOutcome = answeredBy('mx.corp.test');
  onProbe: () => void = () => undefined;

  /** Dials the hosts up to that of the outcome; with an outcome without a host, the first one. */
  async probe({ recipient, hosts, gate }: ProbeRequest): Promise<ProbeOutcome> {
    const last = hosts.findIndex(({ host }) => host === this.outcome.evidence?.mxHost);
    for (const { host } of hosts.slice(0, Math.max(0, last) + 1))
      if (gate !== undefined && !(await gate.acquire(host))) return NOT_DIALLED;
    this.probed.push(recipient.domain);
    this.onProbe();
    return this.outcome;
  }
}

/** An egress whose servers and state a test sets. */
export class ScriptedEgress implements Egress {
  isProxied = false;
  out = false;
  readonly outage = { isPaused: () => this.out };
  readonly prober = new ScriptedProber();
  /** Sessions, by provider. */
  readonly learned = new Map<string, number>();

  constructor(readonly name: string) {}

  get key(): string {
    return this.name;
  }

  learnedConnections(provider: string): number {
    return this.learned.get(provider) ?? Infinity;
  }

  probe(request: ProbeRequest): Promise<ProbeOutcome> {
    return this.prober.probe(request);
  }
}
