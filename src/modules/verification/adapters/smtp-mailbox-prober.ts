import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { MxRecord, SmtpEvidence } from '../../../kernel/verdict.js';
import { MailboxProber, type ProbeRequest, type ProbeResult } from '../domain/mailbox-prober.js';
import { excerpt } from '../domain/smtp-reply.js';
import type { HostResolver } from './dns-client.js';
import { randomLocalPart } from './random-local-part.js';
import { inquire, type Finding, type Question } from './smtp-inquiry.js';

export interface SmtpMailboxProberOptions {
  hosts: HostResolver;
  /** Asked about the very address that is dialled, every time. */
  egress: { allows(ip: string): boolean };
  clock: Clock;
  port: number;
  /** Our name in EHLO: that of the address we dial from. */
  heloName: string;
  /** An address, or '' for the null sender. */
  mailFrom: string;
  connectTimeoutMs: number;
  /** For one reply; a greeting has twice as long. */
  commandTimeoutMs: number;
  /** Makes a local part that nobody has. */
  random?: () => string;
}

/** A domain with more servers than this is not made more reachable by the rest of them. */
const MAX_HOSTS = 5;
const MAX_ADDRESSES_PER_HOST = 3;

/** Why a host could not be dialled at all, the weightiest first. */
const OBSTACLES = ['dns_error', 'unsafe_mail_server', 'no_address'] as const;
type Obstacle = (typeof OBSTACLES)[number];

/** What the search has come to so far. */
interface Search {
  findings: Finding[];
  obstacles: Set<Obstacle>;
  dialled: Set<string>;
}

/** Asks the mail servers themselves, up to RCPT, and never sends a message. */
export class SmtpMailboxProber extends MailboxProber {
  private readonly options: Required<SmtpMailboxProberOptions>;

  constructor(options: SmtpMailboxProberOptions) {
    super();
    this.options = { random: randomLocalPart, ...options };
  }

  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeResult> {
    const search: Search = { findings: [], obstacles: new Set(), dialled: new Set() };
    const hosts = inOrder(request.hosts).slice(0, MAX_HOSTS);
    for (const [index, { host }] of hosts.entries()) {
      if (signal.aborted) break;
      const settled = await this.askHost(host, index === hosts.length - 1, request, search, signal);
      if (settled !== null) return resultOf(settled, search);
    }
    return unsettled(search, signal.aborted);
  }

  /** @returns the finding that settles the matter, or null */
  private async askHost(
    host: string,
    isLastHost: boolean,
    request: ProbeRequest,
    search: Search,
    signal: AbortSignal,
  ): Promise<Finding | null> {
    const ips = (await this.dialableAddresses(host, search, signal)).slice(0, MAX_ADDRESSES_PER_HOST);
    for (const [index, ip] of ips.entries()) {
      if (signal.aborted) break;
      search.dialled.add(ip);
      const isLast = isLastHost && index === ips.length - 1;
      const dialling = { ...this.options, ip, mxHost: host, signal };
      const greetedBy = this.greetedByMs(request.deadlineMs, isLast);
      const finding = await inquire(this.questionOf(request), dialling, this.options.clock, greetedBy);
      if (finding.settled) return finding;
      search.findings.push(finding);
      // The other addresses of a host are the same service: they would lack the extension too.
      if (finding.end === 'smtputf8_unsupported') break;
    }
    return null;
  }

  private async dialableAddresses(host: string, search: Search, signal: AbortSignal): Promise<string[]> {
    const found = await this.options.hosts.addresses(host, signal);
    if (found.kind !== 'addresses') {
      search.obstacles.add(found.kind === 'none' ? 'no_address' : 'dns_error');
      return [];
    }
    const allowed = found.addresses.filter((ip) => this.options.egress.allows(ip));
    if (allowed.length === 0) search.obstacles.add('unsafe_mail_server');
    return allowed.filter((ip) => !search.dialled.has(ip));
  }

  private questionOf({ recipient, askRandom }: ProbeRequest): Question {
    const { heloName, mailFrom, random } = this.options;
    return {
      recipient,
      heloName,
      mailFrom,
      randomMailbox: askRandom ? `${random()}@${recipient.domain}` : null,
    };
  }

  /** A black hole must not use up the time in which the next server would have answered. */
  private greetedByMs(deadlineMs: number, isLast: boolean): number {
    if (isLast) return deadlineMs;
    const nowMs = this.options.clock.monotonicMs();
    return nowMs + (deadlineMs - nowMs) / 2;
  }
}

/** By preference, equals in any order (RFC 5321 §5.1). */
function inOrder(hosts: readonly MxRecord[]): MxRecord[] {
  return hosts
    .map((record) => ({ record, draw: randomInt(1 << 30) }))
    .sort((a, b) => a.record.preference - b.record.preference || a.draw - b.draw)
    .map(({ record }) => record);
}

/** No server settled it: the most telling failure is the answer. */
function unsettled(search: Search, cutShort: boolean): ProbeResult {
  const { findings, obstacles } = search;
  const obstacle = OBSTACLES.find((known) => obstacles.has(known));
  const [first, ...others] = findings;
  if (first === undefined) {
    const end = cutShort ? 'timeout' : (obstacle ?? 'dns_error');
    return { end, evidence: null, random: null, smtputf8: null };
  }

  const finding = others.reduce((best, next) => (weight(next) > weight(best) ? next : best), first);
  const result = resultOf(finding, search);
  if (finding.reply !== null && !saysNever(finding)) return result;
  if (cutShort) return { ...result, end: 'timeout' };
  // "No mail here" and "no SMTPUTF8" are believed only if every host says so.
  if (saysNever(finding) && obstacle === 'dns_error') return { ...result, end: 'dns_error' };
  return result;
}

/** What a server said tells more than its silence, and silence more than a closed door. */
const LEAST_TELLING_FIRST: readonly ((finding: Finding) => boolean)[] = [
  saysNever,
  ({ end }) => end === 'no_connect',
  ({ end }) => end === 'smtp_protocol_error',
  ({ end }) => end === 'timeout',
  ({ category }) => category === 'protocol',
  ({ category }) => category !== 'sender_blocked',
  ({ category }) => category === 'sender_blocked',
];

function weight(finding: Finding): number {
  return LEAST_TELLING_FIRST.findIndex((fits) => fits(finding));
}

/** Would make the address undeliverable: the last thing to believe while another host is in doubt. */
function saysNever({ category }: Finding): boolean {
  return category === 'null_mx' || category === 'smtputf8';
}

function resultOf(finding: Finding, search: Search): ProbeResult {
  const { end, stage, reply, category, mxHost, tls, random, smtputf8 } = finding;
  const evidence: SmtpEvidence = {
    stage,
    code: reply?.code ?? null,
    enhancedCode: reply?.enhancedCode ?? null,
    category,
    mxHost,
    attempts: search.dialled.size,
    tls,
    text: reply === null ? null : excerpt(reply.text),
  };
  return { end, evidence, random, smtputf8 };
}
