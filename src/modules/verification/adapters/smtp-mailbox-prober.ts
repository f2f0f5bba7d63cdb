import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import type { MxRecord } from '../../../kernel/verdict.js';
import { providerOf } from '../domain/mail-exchange.js';
import {
  MailboxProber,
  type DialledResult,
  type ProbeOutcome,
  type ProbeRequest,
  type RandomProbe,
  type ServerEvidence,
} from '../domain/mailbox-prober.js';
import type { Requester } from '../domain/requester.js';
import { excerpt } from '../domain/smtp-reply.js';
import type { HostResolver } from './dns-client.js';
import { randomLocalPart } from './random-local-part.js';
import { RandomProbes } from './random-probes.js';
import { isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import { SmtpSessionPool, type PoolOptions } from './smtp-session-pool.js';

export interface SmtpMailboxProberOptions extends PoolOptions {
  hosts: HostResolver;
  /** Asked about the very address that is dialled, every time. */
  egress: { allows(ip: string): boolean };
  clock: Clock;
  meter?: Meter;
  /** Makes a local part that nobody has. */
  random?: () => string;
}

/** A domain with more servers than this is not made more reachable by the rest of them. */
const MAX_HOSTS = 5;
const MAX_ADDRESSES_PER_HOST = 3;

/** Why a host could not be dialled at all, the weightiest first. */
const OBSTACLES = ['dns_error', 'unsafe_mail_server', 'no_address'] as const;
type Obstacle = (typeof OBSTACLES)[number];

/** A server's part in the answer, with the name that led to it. */
interface HostProbeResult extends SmtpProbeResult {
  mxHost: string;
}

/** What the search has come to so far. */
interface Search {
  heard: HostProbeResult[];
  /** The answer about the recipient, and what was said to a random one. */
  settled: { heard: HostProbeResult; random: RandomProbe } | null;
  obstacles: Obstacle[];
  dialled: string[];
}

/** When every server was too busy, all are asked once more after so long. */
const BUSY_PAUSE_MS = 1_000;

/** Asks the mail servers themselves, up to RCPT, and never sends a message. */
export class SmtpMailboxProber extends MailboxProber {
  private readonly options: SmtpMailboxProberOptions & { random: () => string };
  private readonly pool: SmtpSessionPool;
  private readonly randomProbes: RandomProbes;

  constructor(options: SmtpMailboxProberOptions) {
    super();
    this.options = { random: randomLocalPart, ...options };
    this.pool = new SmtpSessionPool(options);
    this.randomProbes = new RandomProbes(options.clock);
  }

  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome> {
    const first = await this.search(request, signal);
    if (!this.mayAskAgain(first, request)) return outcomeOf(first, signal.aborted);
    await this.options.clock.pause(BUSY_PAUSE_MS / 2 + randomInt(BUSY_PAUSE_MS), signal);
    return outcomeOf(await this.search(request, signal), signal.aborted);
  }

  override close(): Promise<void> {
    return this.pool.close();
  }

  /** Asks one host after the other until one settles the matter. */
  private async search(request: ProbeRequest, signal: AbortSignal): Promise<Search> {
    const search: Search = { heard: [], settled: null, obstacles: [], dialled: [] };
    const hosts = inOrder(request.hosts).slice(0, MAX_HOSTS);
    for (const [index, { host }] of hosts.entries()) {
      if (signal.aborted || search.settled !== null) break;
      await this.askHost(host, index === hosts.length - 1, request, search, signal);
    }
    return search;
  }

  private mayAskAgain({ heard, settled }: Search, { deadlineMs }: ProbeRequest): boolean {
    const leftMs = deadlineMs - this.options.clock.monotonicMs();
    return settled === null && heard.length > 0 && heard.every(isBusy) && leftMs >= 2 * BUSY_PAUSE_MS;
  }

  private async askHost(
    host: string,
    isLastHost: boolean,
    request: ProbeRequest,
    search: Search,
    signal: AbortSignal,
  ): Promise<void> {
    const addresses = await this.dialableAddresses(host, request, search, signal);
    const ips = addresses.slice(0, MAX_ADDRESSES_PER_HOST);
    for (const [index, ip] of ips.entries()) {
      if (signal.aborted) break;
      search.dialled.push(ip);
      const isLast = isLastHost && index === ips.length - 1;
      const greetedByMs = this.greetedByMs(request.deadlineMs, isLast);
      const { mailbox, international } = request.recipient;
      const heard = await this.ask(ip, host, { mailbox, international }, greetedByMs, request, signal);
      search.heard.push(heard);
      if (heard.settled) {
        const random = await this.randomProbe(ip, heard, greetedByMs, request, signal);
        search.settled = { heard, random };
        return;
      }
      // The other addresses of a host are the same service: they would lack the extension too.
      if (heard.end === 'smtputf8_unsupported') break;
    }
  }

  private async ask(
    ip: string,
    mxHost: string,
    recipient: { mailbox: string; international: boolean },
    greetedByMs: number,
    { owner, priority }: ProbeRequest,
    signal: AbortSignal,
  ): Promise<HostProbeResult> {
    const provider = providerOf(mxHost);
    const question = { ...recipient, provider };
    const finding = await this.pool.ask(ip, mxHost, { owner, priority, question, signal, greetedByMs });
    this.options.meter?.count('rcpt_smtp_replies_total', classOf(finding), provider ?? 'other');
    return { ...finding, mxHost };
  }

  private async dialableAddresses(
    host: string,
    requester: Requester,
    search: Search,
    signal: AbortSignal,
  ): Promise<string[]> {
    const found = await this.options.hosts.addresses(host, signal, requester);
    if (found.kind !== 'addresses') {
      search.obstacles.push(found.kind === 'none' ? 'no_address' : 'dns_error');
      return [];
    }
    const allowed = found.addresses.filter((ip) => this.options.egress.allows(ip));
    if (allowed.length === 0) search.obstacles.push('unsafe_mail_server');
    return allowed.filter((ip) => !search.dialled.includes(ip));
  }

  /** What the server that accepted the real address says to one that nobody has. */
  private async randomProbe(
    ip: string,
    { category, mxHost }: HostProbeResult,
    greetedByMs: number,
    request: ProbeRequest,
    signal: AbortSignal,
  ): Promise<RandomProbe> {
    if (!request.askRandom || category !== 'accepted') return null;
    const { domain } = request.recipient;
    const recipient = { mailbox: `${this.options.random()}@${domain}`, international: false };
    return this.randomProbes.join(`${domain} ${ip}`, request, signal, async () =>
      readRandom(await this.ask(ip, mxHost, recipient, greetedByMs, request, signal)),
    );
  }

  /** A black hole must not use up the time in which the next server would have answered. */
  private greetedByMs(deadlineMs: number, isLast: boolean): number {
    if (isLast) return deadlineMs;
    const nowMs = this.options.clock.monotonicMs();
    return nowMs + (deadlineMs - nowMs) / 2;
  }
}

/** `2xx`, `4xx`, `5xx`; without a reply, how it ended. */
function classOf({ reply, end }: SmtpProbeResult): string {
  return reply === null ? end : `${Math.floor(reply.code / 100)}xx`;
}

function readRandom({ category, settled }: SmtpProbeResult): RandomProbe {
  if (!settled) return 'unusable';
  if (category === 'accepted') return 'accepted';
  return category === 'mailbox_not_found' || category === 'mailbox_disabled' ? 'refused' : 'unusable';
}

/** Turned away before anything was asked: too many clients, of ours or of others. */
function isBusy(finding: SmtpProbeResult): boolean {
  return finding.stage === 'banner' && isOverload(finding);
}

/** By preference, equals in any order (RFC 5321 §5.1). */
function inOrder(hosts: readonly MxRecord[]): readonly MxRecord[] {
  if (hosts.length < 2) return hosts;
  return hosts
    .map((record) => ({ record, draw: randomInt(1 << 30) }))
    .sort((a, b) => a.record.preference - b.record.preference || a.draw - b.draw)
    .map(({ record }) => record);
}

function outcomeOf(search: Search, cutShort: boolean): ProbeOutcome {
  const { settled, heard } = search;
  const result = settled ? resultOf(settled.heard, search, settled.random) : unsettled(search, cutShort);
  const refusals = heard.filter(({ category }) => category === 'sender_blocked');
  return { ...result, refusals: refusals.map((refusal) => evidenceOf(refusal, search)) };
}

/** No server settled it: the most telling failure is the answer. */
function unsettled(search: Search, cutShort: boolean): DialledResult {
  const { heard, obstacles } = search;
  const obstacle = OBSTACLES.find((known) => obstacles.includes(known));
  const [first, ...others] = heard;
  if (first === undefined) {
    const end = cutShort ? 'timeout' : (obstacle ?? 'dns_error');
    return { end, evidence: null, random: null, smtputf8: null };
  }

  const finding = others.reduce((best, next) => (weight(next) > weight(best) ? next : best), first);
  const result = resultOf(finding, search, null);
  if (finding.reply !== null && !saysNever(finding)) return result;
  if (cutShort) return { ...result, end: 'timeout' };
  // "No mail here" and "no SMTPUTF8" are believed only if every host says so.
  if (saysNever(finding) && obstacle === 'dns_error') return { ...result, end: 'dns_error' };
  return result;
}

/** What a server said tells more than its silence, and silence more than a closed door. */
const LEAST_TELLING_FIRST: readonly ((finding: SmtpProbeResult) => boolean)[] = [
  saysNever,
  ({ end }) => end === 'no_way_out',
  ({ end }) => end === 'no_connect',
  ({ end }) => end === 'smtp_protocol_error',
  ({ end }) => end === 'timeout',
  ({ category }) => category === 'protocol',
  ({ category }) => category !== 'sender_blocked',
  ({ category }) => category === 'sender_blocked',
];

function weight(finding: SmtpProbeResult): number {
  return LEAST_TELLING_FIRST.findIndex((fits) => fits(finding));
}

/** Would make the address undeliverable: the last thing to believe while another host is in doubt. */
function saysNever({ category }: SmtpProbeResult): boolean {
  return category === 'null_mx' || category === 'smtputf8';
}

function resultOf(heard: HostProbeResult, search: Search, random: RandomProbe): DialledResult {
  const { end, smtputf8 } = heard;
  return { end, evidence: evidenceOf(heard, search), random, smtputf8 };
}

function evidenceOf(
  { stage, reply, category, mxHost, tls }: HostProbeResult,
  { dialled }: Search,
): ServerEvidence {
  return {
    stage,
    code: reply?.code ?? null,
    enhancedCode: reply?.enhancedCode ?? null,
    category,
    mxHost,
    attempts: dialled.length,
    tls,
    text: reply === null ? null : excerpt(reply.text),
  };
}
