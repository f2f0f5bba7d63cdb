import type { Egress } from '../../../src/modules/verification/domain/egress.js';
import { MailboxProber, type ProbeOutcome } from '../../../src/modules/verification/domain/mailbox-prober.js';
import { answeredBy } from './refusals.js';

/** Gives the same outcome to every request, and records their domains. */
class ScriptedProber extends MailboxProber {
  readonly probed: string[] = [];
  outcome: ProbeOutcome = answeredBy('mx.corp.test');
  onProbe: () => void = () => undefined;

  async probe({ recipient }: { recipient: { domain: string } }): Promise<ProbeOutcome> {
    this.probed.push(recipient.domain);
    this.onProbe();
    return this.outcome;
  }

  async close(): Promise<void> {}
}

/** An egress whose servers and state a test sets. */
export class ScriptedEgress implements Egress {
  isProxied = false;
  out = false;
  readonly prober = new ScriptedProber();

  constructor(readonly name: string) {}

  isOut(): boolean {
    return this.out;
  }
}
