import { isIPv6 } from 'node:net';
import { Injectable } from '../../../platform/injection/injectable.js';
import { Clock } from '../../../kernel/clock.js';
import { Meter } from '../../../kernel/meter.js';
import { Config } from '../../../platform/config/config.js';
import { AddressPolicy } from '../../../platform/net/address-policy.js';
import { DirectDialler, type Dialler } from '../../../platform/net/dialler.js';
import type { EgressSettings, EgressRoute } from '../../../platform/net/egress.js';
import { SocksDialler } from '../../../platform/net/socks-dialler.js';
import { Providers } from '../../smtp/providers.js';
import { ConnectionPermits } from '../../limits/connection-permits.js';
import { EgressOutage } from '../egress-outage.js';
import { Egresses, type Egress } from '../egress.js';
import { MailboxProber, type ProbeOutcome, type ProbeRequest } from '../../smtp/mailbox-prober.js';
import { SharedState } from '../../limits/shared-state.js';
import { DnsClient } from '../../dns/adapters/dns-client.js';
import { BoundedDialler } from './bounded-dialler.js';
import { MonitoredDialler } from './monitored-dialler.js';
import { SmtpMailboxProber } from '../../smtp/adapters/smtp-mailbox-prober.js';

/** An egress with the state of its connections. */
export interface SmtpEgress extends Egress {
  readonly outage: EgressOutage;
}

/** One prober for each configured egress: no connection, limit or learned state is shared between them. */
@Injectable()
export class SmtpEgresses extends Egresses {
  readonly all: readonly SmtpEgress[];

  constructor(
    { smtp }: Config,
    private readonly hosts: DnsClient,
    private readonly providers: Providers,
    private readonly clock: Clock,
    private readonly meter: Meter,
    private readonly permits: ConnectionPermits,
    private readonly sharedState: SharedState,
  ) {
    super();
    const policy = new AddressPolicy(smtp.allowCidrs);
    this.all = smtp.egresses.map((settings) => this.create(settings, smtp, policy));
  }

  override async close(): Promise<void> {
    await Promise.all(this.all.map(({ prober }) => prober.close()));
  }

  private create(settings: EgressSettings, smtp: Config['smtp'], policy: AddressPolicy): SmtpEgress {
    const { key, name, route, heloName, mailFrom } = settings;
    const { hosts, providers, clock, meter, permits, sharedState } = this;
    const outage = new EgressOutage();
    const prober = new SmtpMailboxProber({
      ...smtp,
      heloName,
      mailFrom,
      hosts,
      providers,
      clock,
      meter,
      permits,
      sharedState,
      egressName: key,
      policy,
      hasRouteTo: reachableThrough(route),
      dialler: new MonitoredDialler(boundedDiallerFor(route), outage, clock),
    });
    return {
      key,
      name,
      prober: new CountedProber(prober, name, meter),
      isProxied: route.kind === 'socks5',
      outage,
      isOut: (nowMs) => outage.isPaused(nowMs),
    };
  }
}

export function diallerFor(route: EgressRoute): Dialler {
  if (route.kind === 'socks5') return new SocksDialler(route.proxy);
  return new DirectDialler(route.kind === 'bind' ? route.address : null);
}

function boundedDiallerFor(route: EgressRoute): Dialler {
  const dialler = diallerFor(route);
  return route.kind === 'socks5' && route.proxy.pin !== null ? new BoundedDialler(dialler) : dialler;
}

/** A source address connects to servers of its own family only. */
export function reachableThrough(route: EgressRoute): (ip: string) => boolean {
  if (route.kind !== 'bind') return () => true;
  const version6 = isIPv6(route.address);
  return (ip) => isIPv6(ip) === version6;
}

/** Counts the results by egress. */
class CountedProber extends MailboxProber {
  constructor(
    private readonly prober: MailboxProber,
    private readonly egress: string,
    private readonly meter: Meter,
  ) {
    super();
  }

  override async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome> {
    const outcome = await this.prober.probe(request, signal);
    this.meter.count('rcpt_egress_probes_total', this.egress, classOf(outcome));
    return outcome;
  }

  override close(): Promise<void> {
    return this.prober.close();
  }
}

function classOf({ end, evidence }: ProbeOutcome): string {
  if (end === 'relaying_denied') return 'answered';
  if (end === 'replied') return evidence?.category === 'sender_blocked' ? 'refused' : 'answered';
  return end === 'egress_failed' || end === 'no_route' ? end : 'no_answer';
}
