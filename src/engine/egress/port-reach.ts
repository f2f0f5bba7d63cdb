import type { ProbeOutcome } from '../smtp/probe.js';

/** Probes in a row that connect to no server, and the domains among them, after which the port counts as closed. */
const PROBES = 10;
const DOMAINS = 5;

/**
 * Whether an egress connects to mail servers at all. Many networks close outbound port 25; then every probe ends
 * without a connection, as at a server that is down. It changes no verdict and no order: it is reported.
 */
export class PortReach {
  private probes = 0;
  private readonly domains = new Set<string>();

  /** Since the last connection. */
  get isClosed(): boolean {
    return this.probes >= PROBES && this.domains.size >= DOMAINS;
  }

  record(domain: string, { end, evidence }: ProbeOutcome): void {
    if (evidence === null) return;
    if (evidence.stage !== 'connect') {
      this.probes = 0;
      this.domains.clear();
    } else if (end === 'no_connect' || end === 'timeout') {
      if (this.probes < PROBES) this.probes += 1;
      if (this.domains.size < DOMAINS) this.domains.add(domain);
    }
  }
}
