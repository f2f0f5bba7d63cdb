import { STATUS_OF, type Reason, type Status } from '../../../src/kernel/verdict.js';
import { DnsWorld } from '../dns/dns-world.js';
import type { DnsName } from '../dns/dns-zones.js';
import type { MailScene } from './mail-scene.js';
import { MAIL_SCENES } from './mail-scenes.js';
import type { SmtpServer } from '../smtp/smtp-server.js';
import { SmtpWorld, type SmtpSites } from '../smtp/smtp-world.js';

/** An address of the mail world with its expected verdict. */
export interface Expectation {
  email: string;
  status: Status;
  reason: Reason;
  story: string;
}

/**
 * Scripted DNS and mail servers on real sockets of this machine. Each mail
 * server has its own address in 127.1.0.0/16 (Linux).
 */
export class MailWorld {
  private constructor(
    readonly dns: DnsWorld,
    readonly smtp: SmtpWorld,
    private readonly addresses: ReadonlyMap<string, string>,
    private readonly scenes: readonly MailScene[],
  ) {}

  static async start({ scenes = MAIL_SCENES, dnsPort = 0, smtpPort = 0 } = {}): Promise<MailWorld> {
    const zones: Record<string, DnsName> = {};
    const sites: SmtpSites = {};
    const addresses = new Map<string, string>();
    for (const scene of scenes) {
      const servers = scene.servers ?? [];
      const hosts = scene.hosts ?? servers.map((_, index) => `mx${index + 1}.${scene.domain}`);
      if (hosts.length > 0)
        zones[scene.domain] = { mx: hosts.map((host, index) => [10 * (index + 1), host]) };
      Object.assign(zones, scene.dns);
      for (const [index, behaviour] of servers.entries()) {
        const host = hosts[index] ?? '';
        const address = `127.1.${addresses.size >> 8}.${(addresses.size & 255) + 1}`;
        addresses.set(`${scene.domain} ${index}`, address);
        sites[address] = behaviour;
        zones[host] = { ...zones[host], a: [address] };
        const zone = zones[scene.domain];
        zone?.mx?.forEach((record) => (record[1] = record[1].replace('{address}', address)));
      }
    }
    const [dns, smtp] = await Promise.all([
      DnsWorld.start({ zones, port: dnsPort }),
      SmtpWorld.start(sites, smtpPort),
    ]);
    return new MailWorld(dns, smtp, addresses, scenes);
  }

  /** Environment variables of a service that uses this mail world. */
  get env(): Record<string, string> {
    return {
      DNS_SERVERS: this.dns.server,
      SMTP_PORT: String(this.smtp.port),
      MX_ALLOW_CIDRS: '127.0.0.0/8',
      SMTP_HELO_NAME: 'verify.mailworld',
    };
  }

  get expectations(): Expectation[] {
    return this.scenes.flatMap(({ domain, story, expect }) =>
      Object.entries(expect).map(([localPart, reason]) => ({
        email: `${localPart}@${domain}`,
        status: STATUS_OF[reason],
        reason,
        story,
      })),
    );
  }

  /** The mail server of a domain; index 0 has the highest preference. */
  server(domain: string, index = 0): SmtpServer {
    return this.smtp.at(this.addresses.get(`${domain} ${index}`) ?? domain);
  }

  async stop(): Promise<void> {
    await Promise.all([this.dns.stop(), this.smtp.stop()]);
  }
}
