import { setTimeout as pause } from 'node:timers/promises';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { DnsWorld } from '../dns/dns-world.js';
import type { DnsName } from '../dns/dns-zones.js';
import { mailboxes, type SmtpBehaviour } from '../smtp/smtp-behaviours.js';
import { SmtpServer, type ServerGroup } from '../smtp/smtp-server.js';
import type { BulkFleet } from './bulk-fleet.js';

interface MailProvider {
  group: ServerGroup;
  servers: SmtpServer[];
}

export type ProviderName = 'google' | 'post';

/** Sessions at all addresses of the provider: Google's total is known, the other one is found. */
const TOTALS: Readonly<Record<ProviderName, number>> = { google: 5, post: 4 };
const HOSTS: Readonly<Record<ProviderName, readonly string[]>> = {
  google: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com', 'alt2.aspmx.l.google.com'],
  post: ['mx1.post-test.net', 'mx2.post-test.net'],
};
const SMALL_DOMAINS = 10;
const REPLY_MS = 15;
const POLL_MS = 50;

export interface ListedRow {
  email: string;
  status: string | null;
  reason: string;
}

/**
 * DNS and mail servers of a list: a known and an unknown provider with several addresses, and small domains.
 * Mailboxes that begin with `jane` exist.
 */
export class ListWorld {
  private constructor(
    private readonly dns: DnsWorld,
    readonly providers: Readonly<Record<ProviderName, MailProvider>>,
    private readonly small: readonly SmtpServer[],
    /** In the order of the list. */
    readonly rows: readonly string[],
  ) {}

  /** @param size rows of each provider, and of the small domains together. */
  static async start(size: number): Promise<ListWorld> {
    const zones: Record<string, DnsName> = {};
    const rows: string[] = [];
    const behaviour = slowly();
    let ip = 2;
    let port = 0;
    const start = async (group?: ServerGroup) => {
      const server = await SmtpServer.start({
        behaviour,
        host: `127.0.0.${ip++}`,
        port,
        ...(group && { group }),
      });
      ({ port } = server);
      return server;
    };
    const provider = async (name: ProviderName): Promise<MailProvider> => {
      const group = { most: TOTALS[name], open: 0, peak: 0 };
      const servers: SmtpServer[] = [];
      for (const [n, host] of HOSTS[name].entries()) {
        servers.push(await start(group));
        zones[host] = { a: [servers[n]!.host] };
        zones[`${name}${n}.rcpt-test.net`] = { mx: [[10, host]] };
      }
      for (let n = 0; n < size; n++) rows.push(personAt(n, `${name}${n % HOSTS[name].length}.rcpt-test.net`));
      return { group, servers };
    };
    const providers = { google: await provider('google'), post: await provider('post') };
    const small: SmtpServer[] = [];
    for (let n = 0; n < SMALL_DOMAINS; n++) {
      small.push(await start());
      zones[`mx.company${n}.rcpt-test.net`] = { a: [small[n]!.host] };
      zones[`company${n}.rcpt-test.net`] = { mx: [[10, `mx.company${n}.rcpt-test.net`]] };
    }
    for (let n = 0; n < size; n++) rows.push(personAt(n, `company${n % SMALL_DOMAINS}.rcpt-test.net`));
    return new ListWorld(await DnsWorld.start({ zones }), providers, small, rows);
  }

  /** For the processes of the service. */
  get env(): Record<string, string> {
    return {
      DNS_SERVERS: this.dns.server,
      DNS_TIMEOUT_MS: '2000',
      SMTP_PORT: String(this.small[0]!.port),
      SMTP_HELO_NAME: 'verify.rcpt.test',
      MX_ALLOW_CIDRS: '127.0.0.0/8',
    };
  }

  /** How many times each address of the list was sent. */
  get sent(): Map<string, number> {
    const count = new Map<string, number>();
    for (const server of this.servers)
      for (const line of server.commandsOf('RCPT')) {
        const address = /<(.*)>/.exec(line)?.[1] ?? '';
        if (/^(jane|ghost)\d/.test(address)) count.set(address, (count.get(address) ?? 0) + 1);
      }
    return count;
  }

  /** Begins to count what is sent and how many sessions are open. */
  reset(): void {
    for (const server of this.servers) server.commands.length = 0;
    for (const { group } of Object.values(this.providers)) group.peak = group.open;
  }

  /** Resolves when so many addresses were sent. */
  async untilSent(count: number): Promise<void> {
    while (this.sent.size < count) await pause(POLL_MS);
  }

  /** Waits for the end of a list. @returns its rows with a result that the servers do not explain. */
  async wrongRows(fleet: BulkFleet, id: string, key: string): Promise<ListedRow[]> {
    for (;;) {
      // The API returns 503 while it has no database.
      const job = await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key).catch(() => null);
      if (job?.finished_at) break;
      await pause(POLL_MS);
    }
    const response = await fetch(`${fleet.url}/v1/bulk-jobs/${id}/results`, {
      headers: { Authorization: `Bearer ${key}`, Accept: 'application/x-ndjson' },
    });
    const rows = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ListedRow);
    const missing = this.rows.filter((email, n) => rows[n]?.email !== email);
    return [
      ...rows.filter(({ email, status }) => status !== rightStatus(email)),
      ...missing.map((email) => ({ email, status: null, reason: 'missing' })),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all([this.dns.stop(), ...this.servers.map((server) => server.stop())]);
  }

  private get servers(): SmtpServer[] {
    return [...Object.values(this.providers).flatMap(({ servers }) => servers), ...this.small];
  }
}

/** Replies take a while, so that a fault meets a list that is being verified. */
export function slowly(): SmtpBehaviour {
  const known = mailboxes();
  return {
    ...known,
    rcpt: (asking) => ({
      afterMs: REPLY_MS,
      then: asking.localPart.startsWith('jane') ? '250 2.1.5 Ok' : known.rcpt(asking),
    }),
  };
}

const personAt = (n: number, domain: string) => `${n % 3 === 0 ? 'ghost' : 'jane'}${n}@${domain}`;

/** The right status of an address of the list. */
const rightStatus = (email: string) => (email.startsWith('jane') ? 'deliverable' : 'undeliverable');
