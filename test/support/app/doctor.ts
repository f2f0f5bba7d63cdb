import { runChecks, type CheckOptions } from '../../../src/modules/operation/doctor/checks/examination.js';
import { SharedLimitsModule } from '../../../src/modules/verification/mail-servers/shared-limits.module.js';
import type { Finding } from '../../../src/modules/operation/doctor/domain/finding.js';
import { readConfig } from '../../../src/platform/config/config.js';
import type { DnsName } from '../dns/dns-zones.js';
import { DnsWorld } from '../dns/dns-world.js';
import { mailboxes, type Reaction } from '../smtp/smtp-behaviours.js';
import { SmtpServer } from '../smtp/smtp-server.js';
import { AdjustableClock } from '../time/adjustable-clock.js';

/** The public addresses of this machine in the tests (RFC 5737, RFC 3849). */
export const SEEN_AS = '203.0.113.25';
export const SEEN_AS_V6 = '2001:db8::25';

const BANNERS = {
  google: '220 mx.google.com ESMTP',
  outlook: '220 BL0.mail.protection.outlook.com ESMTP',
  yahoo: '220 mta.yahoodns.net ESMTP',
};
type Banners = Record<keyof typeof BANNERS, Reaction>;

const HOSTS = { google: '127.0.0.2', outlook: '127.0.0.3', yahoo: '127.0.0.4' } as const;

/** Advances by a fixed number of milliseconds at each call, independent of the speed of the machine. */
class TickingClock extends AdjustableClock {
  tickMs = 1;
  private ticks = 0;

  override monotonicMs(): number {
    return (this.ticks += this.tickMs);
  }
}

/** A name server and the mail servers of three providers, all working. */
export class DoctorEnvironment {
  readonly clock = new TickingClock();
  private constructor(
    readonly dns: DnsWorld,
    public providers: readonly SmtpServer[],
    private readonly smtpPort: number,
  ) {}

  static async start(
    banners: Partial<Banners> = {},
    lie?: DnsName,
    negativeTtl: number | null = 60,
  ): Promise<DoctorEnvironment> {
    const providers: SmtpServer[] = [];
    for (const [name, host] of Object.entries(HOSTS)) {
      const banner = { ...BANNERS, ...banners }[name as keyof typeof BANNERS];
      const port = providers[0]?.port ?? 0;
      providers.push(
        await SmtpServer.start({ host, port, behaviour: { ...mailboxes(), startTls: 'offered', banner } }),
      );
    }
    const dns = await DnsWorld.start({ zones: ZONES, negativeTtl, ...(lie && { lie }) });
    return new DoctorEnvironment(dns, providers, providers[0]?.port ?? 0);
  }

  /** Environment variables for these servers. */
  get env(): Record<string, string> {
    return {
      DNS_SERVERS: this.dns.server,
      SMTP_PORT: String(this.smtpPort),
      MX_ALLOW_CIDRS: '127.0.0.0/8',
      SMTP_HELO_NAME: 'verify.example.test',
      SMTP_MAIL_FROM: 'checks@example.test',
      DATA_DIR: '/nonexistent',
    };
  }

  /** The results of the doctor by the name of the check. */
  async examine(
    env: Record<string, string> = {},
    circumstances: Partial<Omit<CheckOptions, 'config'>> = {},
  ): Promise<Record<string, Finding>> {
    const config = readConfig({ ...this.env, ...env });
    const examined = await runChecks({
      config,
      clock: this.clock,
      sessionsIn: (database) => SharedLimitsModule.sessionsIn(database, config.smtp.egresses),
      offline: false,
      egressIps: [SEEN_AS],
      localAddress: { ipv4: '10.0.0.7', ipv6: '2620:fe::25' },
      ...circumstances,
    });
    const nameOf = ({ check, egress }: Finding) => (egress === null ? check : `${check} ${egress}`);
    return Object.fromEntries(examined.map((check) => [nameOf(check), check]));
  }

  /** Closes the port of the mail servers. */
  async closePort25(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.stop()));
    this.providers = [];
  }

  async stop(): Promise<void> {
    await Promise.all([this.dns.stop(), this.closePort25()]);
  }
}

const ZONES: Record<string, DnsName> = {
  'gmail.com': { mx: [[5, 'mx.google.test']] },
  'mx.google.test': { a: [HOSTS.google] },
  'outlook.com': { mx: [[10, 'mx.outlook.test']] },
  'mx.outlook.test': { a: [HOSTS.outlook] },
  'yahoo.com': { mx: [[1, 'mx.yahoo.test']] },
  'mx.yahoo.test': { a: [HOSTS.yahoo] },
  'verify.example.test': { a: [SEEN_AS], aaaa: [SEEN_AS_V6] },
  '25.113.0.203.in-addr.arpa': { ptr: ['verify.example.test'] },
  '5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': {
    ptr: ['Verify.Example.Test'],
  },
  'example.test': { mx: [[10, 'mx.example.test']], txt: ['v=spf1 ip4:203.0.113.0/28 ip4:203.0.113.25 -all'] },
  'dnssec-failed.org': { rcode: 'SERVFAIL' },
  '2.0.0.127.zen.spamhaus.org': { a: ['127.0.0.2', '127.0.0.4', '127.0.0.10'] },
  '2.0.0.127.bl.spamcop.net': { a: ['127.0.0.2'] },
  'test.dbl.spamhaus.org': { a: ['127.0.1.2'] },
};
