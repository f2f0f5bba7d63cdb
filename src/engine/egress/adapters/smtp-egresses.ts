import { isIPv6 } from 'node:net';
import { Clock } from '../../../kernel/clock.js';
import { Meter } from '../../../kernel/meter.js';
import { Config } from '../../../platform/config/config.js';
import { AddressPolicy } from '../../../platform/net/address-policy.js';
import { DirectDialler, type Dialler } from '../../../platform/net/dialler.js';
import type { EgressSettings, EgressRoute } from '../../../platform/net/egress.js';
import { SocksDialler } from '../../../platform/net/socks-dialler.js';
import { Providers } from '../../providers/session-limits.js';
import { ConnectionPermits } from '../../limits/connection-permits.js';
import { EgressTotal } from '../../limits/egress-total.js';
import type { Egress } from '../egress.js';
import type { ProbeOutcome, ProbeRequest } from '../../smtp/probe.js';
import { SharedState } from '../../limits/shared-state.js';
import { DnsClient } from '../../dns/adapters/dns-client.js';
import { SmtpMailboxProber, type SmtpMailboxProberOptions } from '../../smtp/search/smtp-mailbox-prober.js';
import { EgressDialler } from './egress-dialler.js';
import { EgressOutage } from '../egress-outage.js';
import { PortReach } from '../port-reach.js';

type CommonOptions = Omit<
  SmtpMailboxProberOptions,
  'heloName' | 'mailFrom' | 'egressName' | 'egressTotal' | 'hasRouteTo' | 'dialler' | 'meter'
> & { meter: Meter };

/** Of all processes. Fewer than `rcpt egress` accepts, because it notices the end of a connection a little later. */
export const MAX_CONNECTIONS = 180;

/** An egress with a prober of its own and the state of its connections. */
export class SmtpEgress implements Egress {
  readonly key = this.settings.key;
  readonly name = this.settings.name;
  readonly isProxied = this.settings.route.kind === 'socks5';
  readonly outage = new EgressOutage();
  readonly reach = new PortReach();
  private readonly prober: SmtpMailboxProber;

  constructor(
    private readonly settings: EgressSettings,
    private readonly options: CommonOptions,
  ) {
    const { key, route, heloName, mailFrom } = settings;
    // `rcpt egress` closes further connections, and each would count as a failure of the egress.
    const isLimited = route.kind === 'socks5' && route.proxy.pin !== null;
    const { clock, permits } = options;
    this.prober = new SmtpMailboxProber({
      ...options,
      heloName,
      mailFrom,
      egressName: key,
      hasRouteTo: reachableThrough(route),
      dialler: new EgressDialler({ dialler: diallerFor(route), outage: this.outage, clock }),
      egressTotal: isLimited ? new EgressTotal(key, MAX_CONNECTIONS, permits) : null,
    });
  }

  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome> {
    const outcome = await this.prober.probe(request, signal);
    this.options.meter.count('rcpt_egress_probes_total', this.name, classOf(outcome));
    this.reach.record(request.recipient.domain, outcome);
    return outcome;
  }

  learnedConnections(provider: string): number {
    return this.prober.learnedConnections(provider);
  }

  close(): Promise<void> {
    return this.prober.close();
  }
}

/** The configured egresses, at least one: no connection, limit or learned state is shared between them. */
export class SmtpEgresses {
  readonly all: readonly SmtpEgress[];

  constructor(
    { smtp }: Config,
    hosts: DnsClient,
    providers: Providers,
    clock: Clock,
    meter: Meter,
    permits: ConnectionPermits,
    sharedState: SharedState,
    onBlocked?: SmtpMailboxProberOptions['onBlocked'],
  ) {
    const policy = new AddressPolicy(smtp.allowCidrs);
    const options = { ...smtp, policy, hosts, providers, clock, meter, permits, sharedState, onBlocked };
    this.all = smtp.egresses.map((settings) => new SmtpEgress(settings, options));
  }

  /** Closes the idle connections. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((egress) => egress.close()));
  }
}

export function diallerFor(route: EgressRoute): Dialler {
  if (route.kind === 'socks5') return new SocksDialler(route.proxy);
  return new DirectDialler(route.kind === 'bind' ? route.address : null);
}

/** A source address connects to servers of its own family only. */
export function reachableThrough(route: EgressRoute): (ip: string) => boolean {
  if (route.kind !== 'bind') return () => true;
  const version6 = isIPv6(route.address);
  return (ip) => isIPv6(ip) === version6;
}

function classOf({ end, evidence }: ProbeOutcome): string {
  if (end === 'relaying_denied') return 'replied';
  if (end === 'replied') return evidence?.category === 'sender_blocked' ? 'rejected' : 'replied';
  return end === 'egress_failed' || end === 'no_route' ? end : 'no_reply';
}
