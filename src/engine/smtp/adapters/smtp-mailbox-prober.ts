import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import { providerOf } from '../../dns/mail-exchange.js';
import { MailboxProber, type ProbeOutcome, type ProbeRequest, type RandomProbe } from '../mailbox-prober.js';
import type { Requester } from '../../limits/requester.js';
import type { HostResolver } from '../../dns/adapters/dns-client.js';
import { deferralMs } from './smtp-deferral.js';
import { randomLocalPart } from './random-local-part.js';
import { RandomProbes } from './random-probes.js';
import {
  isRelayingDenied,
  isBusy,
  isDeferral,
  toRandomProbe,
  type SmtpProbeResult,
} from './smtp-probe-result.js';
import {
  byPreference,
  concluded,
  isOnlyDenied,
  newSearch,
  outcomeOf,
  type HostProbeResult,
  type Search,
} from './smtp-search.js';
import type { RecipientQuestion } from './smtp-recipient.js';
import { SmtpSessionPool, type PoolOptions } from './smtp-session-pool.js';

export interface SmtpMailboxProberOptions extends PoolOptions {
  hosts: HostResolver;
  /** Called with the address before every connection. */
  policy: { allows(ip: string): boolean };
  /** Whether the egress has a route to the address's family; default: to both. */
  hasRouteTo?: (ip: string) => boolean;
  clock: Clock;
  meter?: Meter;
  /** Returns a local part that does not exist. */
  random?: () => string;
}

/** Further hosts would not improve the result. */
const MAX_HOSTS = 5;
const MAX_ADDRESSES_PER_HOST = 3;

type Recipient = Pick<RecipientQuestion, 'mailbox' | 'international' | 'isAlone' | 'transcript'>;

/** When every server is overloaded, all are tried once more after this pause. */
const BUSY_PAUSE_MS = 1_000;

/** Probes mail servers up to RCPT. It never sends a message. */
export class SmtpMailboxProber extends MailboxProber {
  private readonly options: SmtpMailboxProberOptions & { random: () => string };
  private readonly pool: SmtpSessionPool;
  private readonly randomProbes: RandomProbes;
  private closing: Promise<void> | null = null;

  constructor(options: SmtpMailboxProberOptions) {
    super();
    this.options = { random: randomLocalPart, ...options };
    this.pool = new SmtpSessionPool(options);
    this.randomProbes = new RandomProbes(options.clock, options.sharedState, options.egressName);
  }

  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome> {
    const first = await this.search(request, signal);
    if (this.mayRetry(first, request)) {
      await this.options.clock.pause(BUSY_PAUSE_MS / 2 + randomInt(BUSY_PAUSE_MS), signal);
      return outcomeOf(await this.search(request, signal), signal.aborted);
    }
    const delayMs = deferralMs(first, request, this.remainingMs(request));
    return outcomeOf(
      delayMs === null ? first : await this.searchAgain(first, delayMs, request, signal),
      signal.aborted,
    );
  }

  override close(): Promise<void> {
    return (this.closing ??= this.pool.close());
  }

  /** Probes one host after the other until one gives a final answer. */
  private async search(request: ProbeRequest, signal: AbortSignal): Promise<Search> {
    const search = newSearch();
    const hosts = byPreference(request.hosts).slice(0, MAX_HOSTS);
    for (const [index, { host }] of hosts.entries()) {
      if (signal.aborted || search.settled !== null || search.isEnded) break;
      await this.probeHost(host, index === hosts.length - 1, request, search, signal);
    }
    return concluded(search, request.hosts);
  }

  /**
   * The second search after a deferral, or the first one when the second gives no final answer. No
   * session is held during the delay.
   */
  private async searchAgain(
    first: Search,
    delayMs: number,
    request: ProbeRequest,
    signal: AbortSignal,
  ): Promise<Search> {
    await this.deferRandom(first, request, signal);
    await this.options.clock.pause(delayMs, signal);
    if (signal.aborted) return first;
    const second = await this.search(request, signal);
    const results = [...first.results, ...second.results];
    const dialled = [...first.dialled, ...second.dialled];
    return { ...(second.settled === null ? first : second), results, dialled };
  }

  /** Sends the random address too, so that its delay is over when it is probed. */
  private async deferRandom(
    { dialled, settled }: Search,
    request: ProbeRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const ip = dialled.at(-1);
    if (!request.probeRandom || settled === null || ip === undefined) return;
    const recipient = this.randomRecipient(ip, request);
    const key = `deferred ${request.recipient.domain} ${ip}`;
    const { mxHost } = settled.result;
    await this.randomProbes.join(key, request, signal, async () => {
      const result = await this.probeAddress(ip, mxHost, recipient, request.deadlineMs, request, signal);
      if (isDeferral(result)) this.randomProbes.onDeferred(`${request.recipient.domain} ${ip}`);
      return toRandomProbe(result);
    });
  }

  private remainingMs({ deadlineMs }: ProbeRequest): number {
    return deadlineMs - this.options.clock.monotonicMs();
  }

  private mayRetry({ results, settled }: Search, request: ProbeRequest): boolean {
    return (
      settled === null &&
      results.length > 0 &&
      results.every(isBusy) &&
      this.remainingMs(request) >= 2 * BUSY_PAUSE_MS
    );
  }

  private async probeHost(
    host: string,
    isLastHost: boolean,
    request: ProbeRequest,
    search: Search,
    signal: AbortSignal,
  ): Promise<void> {
    const addresses = await this.dialableAddresses(host, request, search, signal);
    if (addresses.length === 0 && !search.hostFailures.some((failure) => failure !== 'no_address'))
      search.hostsWithoutServer.push(host);
    const ips = addresses.slice(0, MAX_ADDRESSES_PER_HOST);
    if (ips.length > 0 && request.mayDial !== undefined && !(await request.mayDial(host))) {
      search.isEnded = true;
      return;
    }
    for (const [index, ip] of ips.entries()) {
      if (signal.aborted) break;
      search.dialled.push(ip);
      const isLast = isLastHost && index === ips.length - 1;
      const greetingDeadlineMs = this.greetingDeadlineMs(request.deadlineMs, isLast);
      const result = await this.probeRecipient(ip, host, greetingDeadlineMs, request, signal);
      search.results.push(result);
      if (result.settled) {
        if (await this.deniesDomain(ip, result, greetingDeadlineMs, request, search, signal)) {
          search.denials.push(result);
          continue;
        }
        const random = await this.randomProbe(ip, result, greetingDeadlineMs, request, signal);
        search.settled = { result, random };
        return;
      }
      // The other addresses of a host are the same server, without the extension.
      if (result.end === 'smtputf8_unsupported') break;
    }
  }

  /**
   * Whether the server denies relaying for the postmaster too, whom every server accepts for its domains
   * (RFC 5321 §4.5.1). Not probed when another server has already shown more.
   */
  private async deniesDomain(
    ip: string,
    result: HostProbeResult,
    greetingDeadlineMs: number,
    request: ProbeRequest,
    search: Search,
    signal: AbortSignal,
  ): Promise<boolean> {
    const others = { ...search, results: search.results.filter((other) => other !== result) };
    if (!isRelayingDenied(result) || !isOnlyDenied(others)) return false;
    const { domain } = request.recipient;
    const { transcript } = request;
    const postmaster = { mailbox: `postmaster@${domain}`, international: false, isAlone: true, transcript };
    const probe = () => this.probeAddress(ip, result.mxHost, postmaster, greetingDeadlineMs, request, signal);
    const reply = await this.randomProbes.join(`postmaster ${domain} ${ip}`, request, signal, async () =>
      isRelayingDenied(await probe()) ? 'refused' : 'unusable',
    );
    return reply === 'refused';
  }

  /** Probes the mailbox in NFC, and as written when the server does not know that one. */
  private async probeRecipient(
    ip: string,
    mxHost: string,
    greetingDeadlineMs: number,
    request: ProbeRequest,
    signal: AbortSignal,
  ): Promise<HostProbeResult> {
    const { mailbox, international, mailboxAsWritten } = request.recipient;
    const { transcript } = request;
    transcript?.connect(mxHost);
    const probe = (recipient: Recipient) =>
      this.probeAddress(ip, mxHost, recipient, greetingDeadlineMs, request, signal);
    const result = await probe({ mailbox, international, transcript });
    if (mailboxAsWritten === null || result.category !== 'mailbox_not_found') return result;
    const asWritten = await probe({ mailbox: mailboxAsWritten, international: true, transcript });
    // A server without SMTPUTF8 cannot have a mailbox of the written form.
    return asWritten.end === 'smtputf8_unsupported' ? result : asWritten;
  }

  private async probeAddress(
    ip: string,
    mxHost: string,
    recipient: Recipient,
    greetingDeadlineMs: number,
    { tenant, priority }: ProbeRequest,
    signal: AbortSignal,
  ): Promise<HostProbeResult> {
    const provider = providerOf(mxHost);
    const question = { ...recipient, provider };
    const { beginning = [], ...probeResult } = await this.pool.probe(ip, mxHost, {
      tenant,
      priority,
      question,
      signal,
      greetingDeadlineMs,
    });
    this.options.meter?.count('rcpt_smtp_replies_total', classOf(probeResult), provider ?? 'other');
    for (const exchange of beginning) recipient.transcript?.record(exchange);
    return { ...probeResult, mxHost };
  }

  private async dialableAddresses(
    host: string,
    requester: Requester,
    search: Search,
    signal: AbortSignal,
  ): Promise<string[]> {
    const found = await this.options.hosts.addresses(host, signal, requester);
    if (found.kind !== 'addresses') {
      search.hostFailures.push(found.kind === 'none' ? 'no_address' : 'dns_error');
      return [];
    }
    const { policy, hasRouteTo = () => true } = this.options;
    const allowed = found.addresses.filter((ip) => policy.allows(ip));
    const reachable = allowed.filter(hasRouteTo);
    if (reachable.length === 0)
      search.hostFailures.push(allowed.length === 0 ? 'unsafe_mail_server' : 'no_route');
    return reachable.filter((ip) => !search.dialled.includes(ip));
  }

  /** Probes a random address at the server that accepted the real one. */
  private async randomProbe(
    ip: string,
    { category, mxHost }: HostProbeResult,
    greetingDeadlineMs: number,
    request: ProbeRequest,
    signal: AbortSignal,
  ): Promise<RandomProbe> {
    if (!request.probeRandom || category !== 'accepted') return null;
    const { domain } = request.recipient;
    const recipient = this.randomRecipient(ip, request);
    return this.randomProbes.join(`${domain} ${ip}`, request, signal, async () => {
      const result = await this.probeAddress(ip, mxHost, recipient, greetingDeadlineMs, request, signal);
      if (isDeferral(result)) this.randomProbes.onDeferred(`${domain} ${ip}`);
      return toRandomProbe(result);
    });
  }

  private randomRecipient(ip: string, { recipient: { domain } }: ProbeRequest): Recipient {
    const localPart = this.randomProbes.localPart(`${domain} ${ip}`, this.options.random);
    return { mailbox: `${localPart}@${domain}`, international: false, isAlone: true };
  }

  /** An unreachable server must not use the time in which the next one would answer. */
  private greetingDeadlineMs(deadlineMs: number, isLast: boolean): number {
    if (isLast) return deadlineMs;
    const nowMs = this.options.clock.monotonicMs();
    return nowMs + (deadlineMs - nowMs) / 2;
  }
}

/** `2xx`, `4xx`, `5xx`; without a reply, the end of the session. */
function classOf({ reply, end }: SmtpProbeResult): string {
  return reply === null ? end : `${Math.floor(reply.code / 100)}xx`;
}
