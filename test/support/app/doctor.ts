import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { runChecks, type CheckOptions } from '../../../src/modules/doctor/adapters/examination.js';
import type { Finding } from '../../../src/modules/doctor/domain/finding.js';
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

/** A name server, mail servers of three providers and a time server, all working. */
export class DoctorEnvironment {
  readonly clock = new TickingClock();
  private constructor(
    readonly dns: DnsWorld,
    public providers: readonly SmtpServer[],
    private readonly time: TimeServer,
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
      providers.push(await SmtpServer.start({ host, port, behaviour: { ...mailboxes(), banner } }));
    }
    const dns = await DnsWorld.start({ zones: ZONES, negativeTtl, ...(lie && { lie }) });
    return new DoctorEnvironment(dns, providers, await TimeServer.start(), providers[0]?.port ?? 0);
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
    const examined = await runChecks({
      config: readConfig({ ...this.env, ...env }),
      clock: this.clock,
      offline: false,
      egressIps: [SEEN_AS],
      timeServer: { name: 'time.example.test', port: this.time.port },
      localAddress: { ipv4: '10.0.0.7', ipv6: '2620:fe::25' },
      ...circumstances,
    });
    const nameOf = ({ check, egress }: Finding) => (egress === null ? check : `${check} ${egress}`);
    return Object.fromEntries(examined.map((each) => [nameOf(each), each]));
  }

  /** Closes the port of the mail servers. */
  async closePort25(): Promise<void> {
    await Promise.all(this.providers.map((each) => each.stop()));
    this.providers = [];
  }

  async stop(): Promise<void> {
    this.time.stop();
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
  'time.example.test': { a: ['127.0.0.1'] },
};

const ERA_SECONDS = 2_208_988_800;

/** Serves the time of this machine over SNTP (RFC 5905). */
class TimeServer {
  private constructor(private readonly socket = createSocket('udp4')) {
    socket.on('message', (request, { address, port }) => {
      const answer = Buffer.alloc(48);
      answer[0] = 0x24;
      answer[1] = 2;
      request.copy(answer, 24, 40, 48);
      for (const at of [32, 40]) {
        const ms = Date.now();
        answer.writeUInt32BE(Math.floor(ms / 1000) + ERA_SECONDS, at);
        answer.writeUInt32BE(Math.floor(((ms % 1000) / 1000) * 2 ** 32), at + 4);
      }
      socket.send(answer, port, address);
    });
  }

  static async start(): Promise<TimeServer> {
    const server = new TimeServer();
    server.socket.bind(0, '127.0.0.1');
    await once(server.socket, 'listening');
    return server;
  }

  get port(): number {
    return this.socket.address().port;
  }

  stop(): void {
    this.socket.close();
  }
}
