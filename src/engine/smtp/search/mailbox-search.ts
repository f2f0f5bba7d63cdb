import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import type { MxRecord } from '../../../kernel/verdict.js';
import { addressesWithoutQuery, type HostResolver } from '../../dns/adapters/host-resolver.js';
import { providerOf } from '../../providers/mail-exchange.js';
import type { ProbeEnd, ProbeRequest, RandomProbe } from '../probe.js';
import { randomLocalPart, type RandomProbes } from './random-probes.js';
import {
  isBusy,
  isRelayingDenied,
  toRandomProbe,
  type SmtpProbeResult,
} from '../protocol/smtp-probe-result.js';
import type { Recipient } from '../protocol/smtp-conversation.js';
import type { SmtpSessionPool } from '../pool/smtp-session-pool.js';
import type { NotDialled } from '../../limits/not-dialled.js';

export interface SearchTools {
  pool: SmtpSessionPool;
  randomProbes: RandomProbes;
  hosts: HostResolver;
  /** Called with the address before every connection. */
  policy: { allows(ip: string): boolean };
  /** Whether the egress has a route to the address's family; default: to both. */
  hasRouteTo?: (ip: string) => boolean;
  clock: Clock;
  meter?: Meter;
  /** Returns a local part that does not exist; default: `randomLocalPart`. */
  random?: () => string;
}

/** Why no address of a host could be dialled. */
export type HostFailure = ProbeEnd & NotDialled;

/** One address of an MX host. */
interface Server {
  ip: string;
  mxHost: string;
  greetingDeadlineMs: number;
}

/** Further hosts would not improve the result. */
const MAX_HOSTS = 5;
const MAX_ADDRESSES_PER_HOST = 3;

/** Probes one host after the other until one gives a final reply. */
export class MailboxSearch {
  results: SmtpProbeResult[] = [];
  dialled: string[] = [];
  readonly hostFailures: HostFailure[] = [];
  /** Why the addresses of a host could not be resolved. */
  dnsError: string | undefined;
  /** The final reply about the recipient, and the result of the random address. */
  final: { result: SmtpProbeResult; random: RandomProbe } | null = null;
  /** The next host may not be dialled. */
  private isEnded = false;
  /** Replies of servers that deny relaying for the recipient and for the postmaster. */
  private readonly denials: SmtpProbeResult[] = [];
  /** Hosts without an address that was not dialled before. */
  private readonly hostsWithoutServer: string[] = [];

  constructor(
    private readonly tools: SearchTools,
    private readonly request: ProbeRequest,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<this> {
    const hosts = byPreference(this.request.hosts).slice(0, MAX_HOSTS);
    for (const [index, { host }] of hosts.entries()) {
      if (this.signal.aborted || this.final !== null || this.isEnded) break;
      await this.probeHost(host, index === hosts.length - 1);
    }
    this.conclude();
    return this;
  }

  /** Whether every server was overloaded. */
  get isBusy(): boolean {
    return this.final === null && this.results.length > 0 && this.results.every(isBusy);
  }

  /** Sends the random address to the server that has deferred the recipient, so that its delay is over when it is probed. */
  async deferRandom(): Promise<void> {
    const ip = this.dialled.at(-1);
    if (!this.request.probeRandom || this.final === null || ip === undefined) return;
    const { mxHost } = this.final.result;
    const { deadlineMs: greetingDeadlineMs } = this.request;
    await this.probeRandom({ ip, mxHost, greetingDeadlineMs }, 'deferred ');
  }

  /** Searches once more. The final reply of this search counts if the new one has none. */
  async again(): Promise<MailboxSearch> {
    const next = await new MailboxSearch(this.tools, this.request, this.signal).run();
    next.results = [...this.results, ...next.results];
    next.dialled = [...this.dialled, ...next.dialled];
    next.final ??= this.final;
    return next;
  }

  /**
   * If every host has denied relaying, none accepts mail for the domain. Otherwise the first denial is the
   * reply: a server that sends mail does not try another host after a permanent rejection.
   */
  private conclude(): void {
    const [denial] = this.denials;
    if (denial === undefined) return;
    const proven = new Set([...this.denials.map(({ mxHost }) => mxHost), ...this.hostsWithoutServer]);
    const isUnserved =
      this.final === null && this.isOnlyDenied && this.request.hosts.every(({ host }) => proven.has(host));
    const result = isUnserved ? { ...denial, end: 'relaying_denied' as const } : denial;
    this.final = { result, random: null };
  }

  /** Whether all results so far deny relaying, but for addresses to which no connection was possible. */
  private get isOnlyDenied(): boolean {
    return this.results.every((result) => this.denials.includes(result) || result.end === 'no_connect');
  }

  private async probeHost(mxHost: string, isLastHost: boolean): Promise<void> {
    const addresses = await this.dialableAddresses(mxHost);
    if (addresses.length === 0 && !this.hostFailures.some((failure) => failure !== 'no_address'))
      this.hostsWithoutServer.push(mxHost);
    const ips = addresses.slice(0, MAX_ADDRESSES_PER_HOST);
    const { gate } = this.request;
    if (ips.length > 0 && gate !== undefined && !(await gate.acquire(mxHost))) {
      this.isEnded = true;
      return;
    }
    for (const [index, ip] of ips.entries()) {
      if (this.signal.aborted) break;
      this.dialled.push(ip);
      const isLast = isLastHost && index === ips.length - 1;
      const server = { ip, mxHost, greetingDeadlineMs: this.greetingDeadlineMs(isLast) };
      const result = await this.probeRecipient(server);
      const mayBeUnserved = this.isOnlyDenied && isRelayingDenied(result);
      this.results.push(result);
      if (result.isFinal) {
        if (mayBeUnserved && (await this.deniesPostmaster(server))) {
          this.denials.push(result);
          continue;
        }
        const isTested = this.request.probeRandom && result.category === 'accepted';
        this.final = { result, random: isTested ? await this.probeRandom(server) : null };
        return;
      }
      // The other addresses of a host are the same server, without the extension.
      if (result.end === 'smtputf8_unsupported') break;
    }
  }

  /** An unreachable server must not use the time in which the next one would reply. */
  private greetingDeadlineMs(isLast: boolean): number {
    const { deadlineMs } = this.request;
    if (isLast) return deadlineMs;
    const nowMs = this.tools.clock.monotonicMs();
    return nowMs + (deadlineMs - nowMs) / 2;
  }

  private async dialableAddresses(host: string): Promise<string[]> {
    const { hosts, policy, hasRouteTo = () => true } = this.tools;
    const found = addressesWithoutQuery(host) ?? (await hosts.addresses(host, this.signal, this.request));
    if (found.kind === 'error') this.dnsError ??= found.error;
    if (found.kind !== 'addresses') {
      this.hostFailures.push(found.kind === 'none' ? 'no_address' : 'dns_error');
      return [];
    }
    const allowed = found.addresses.filter((ip) => policy.allows(ip));
    const reachable = allowed.filter(hasRouteTo);
    if (reachable.length === 0)
      this.hostFailures.push(allowed.length === 0 ? 'unsafe_mail_server' : 'no_route');
    return reachable.filter((ip) => !this.dialled.includes(ip));
  }

  /** Probes the mailbox in NFC, and as written when the server does not know that one. */
  private async probeRecipient(server: Server): Promise<SmtpProbeResult> {
    const { transcript, recipient } = this.request;
    const { mailbox, international, mailboxAsWritten } = recipient;
    transcript?.connect(server.mxHost);
    const result = await this.probe(server, { mailbox, international, transcript });
    if (mailboxAsWritten === null || result.category !== 'mailbox_not_found') return result;
    const asWritten = await this.probe(server, {
      mailbox: mailboxAsWritten,
      international: true,
      transcript,
    });
    // A server without SMTPUTF8 cannot have a mailbox of the written form.
    return asWritten.end === 'smtputf8_unsupported' ? result : asWritten;
  }

  /**
   * Whether the server denies relaying for the postmaster too, whom every server accepts for its domains
   * (RFC 5321 §4.5.1). Not probed when another server has already shown more.
   */
  private async deniesPostmaster(server: Server): Promise<boolean> {
    const { request, signal } = this;
    const { recipient, transcript } = request;
    const mailbox = `postmaster@${recipient.domain}`;
    const key = `postmaster ${recipient.domain} ${server.ip}`;
    const reply = await this.tools.randomProbes.join(key, request, signal, async () => {
      const result = await this.probe(server, { mailbox, international: false, isAlone: true, transcript });
      return isRelayingDenied(result) ? 'rejected' : 'unusable';
    });
    return reply === 'rejected';
  }

  /** Probes a random address at the server that accepted, or deferred, the real one. */
  private probeRandom(server: Server, prefix = ''): Promise<RandomProbe> {
    const { randomProbes, random = randomLocalPart } = this.tools;
    const { domain } = this.request.recipient;
    const key = `${domain} ${server.ip}`;
    const mailbox = `${randomProbes.localPart(key, random)}@${domain}`;
    return randomProbes.join(`${prefix}${key}`, this.request, this.signal, async () => {
      const result = await this.probe(server, { mailbox, international: false, isAlone: true });
      return toRandomProbe(result);
    });
  }

  private async probe(
    { ip, mxHost, greetingDeadlineMs }: Server,
    mailbox: Omit<Recipient, 'provider'>,
  ): Promise<SmtpProbeResult> {
    const { team, priority } = this.request;
    const { signal } = this;
    const provider = providerOf(mxHost);
    const recipient = { ...mailbox, provider };
    const queued = { team, priority, recipient, signal, greetingDeadlineMs };
    const { beginning = [], ...result } = await this.tools.pool.probe(ip, mxHost, queued);
    const { reply, end } = result;
    // `2xx`, `4xx`, `5xx`; without a reply, the end of the session.
    const outcome = reply === null ? end : `${Math.floor(reply.code / 100)}xx`;
    this.tools.meter?.count('rcpt_smtp_replies_total', outcome, provider ?? 'other');
    for (const exchange of beginning) recipient.transcript?.record(exchange);
    return { ...result, mxHost };
  }
}

/** By preference, equal preferences in random order (RFC 5321 §5.1). */
function byPreference(hosts: readonly MxRecord[]): readonly MxRecord[] {
  if (hosts.length < 2) return hosts;
  return hosts
    .map((record) => ({ record, draw: randomInt(1 << 30) }))
    .sort((a, b) => a.record.preference - b.record.preference || a.draw - b.draw)
    .map(({ record }) => record);
}
