import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import type { Soon } from '../../../kernel/soon.js';
import type { MxRecord } from '../../../kernel/verdict.js';
import type { Requester } from '../domain/requester.js';
import type { Callers } from './callers.js';
import { DnsCache } from './dns-cache.js';
import { DnsQueries } from './dns-queries.js';
import { MAX_ALIASES, readAnswer } from './dns-message.js';
import type { DnsAnswer, DnsQuestion, DnsReading } from './dns-message.js';
import { isDnsName, presentName } from './dns-name.js';
import { outcomeOf } from './dns-outcome.js';
import type { Outcome } from './dns-outcome.js';
import { askServer, parseDnsServer } from './dns-transport.js';
import type { DnsServer, ServerReply, TcpGate } from './dns-transport.js';
import { FairSlots } from './fair-slots.js';

/** What the DNS says about a host's addresses. `none` is authoritative (NXDOMAIN or no data), `error` is not. */
export type HostAddresses = { kind: 'addresses'; addresses: string[] } | { kind: 'none' } | { kind: 'error' };

export interface HostResolver {
  /** IPv4 first, then IPv6; a host that is an IP literal is `none`. Never rejects. */
  addresses(host: string, signal: AbortSignal, requester: Requester): Promise<HostAddresses>;
}

/** How old an answer is. */
export interface Freshness {
  /** Whole seconds since the DNS was asked; 0 when it was asked for this answer. */
  ageSeconds: number;
  /** True when the answer was remembered and nothing was asked. */
  cached: boolean;
}

/** The MX records as published, in no order; the root, as in `0 .`, is the host ''. `no_domain` is NXDOMAIN only. */
export type MxAnswer = (
  { kind: 'records'; records: MxRecord[] } | { kind: 'no_data' | 'no_domain' | 'error' }
) &
  Freshness;

export interface DnsClientOptions {
  /** Recursive resolvers: `ip`, `ip:port`, `ipv6` or `[ipv6]:port`. */
  servers: readonly string[];
  /** For one question over all tries and servers, from when it leaves the queue. */
  timeoutMs: number;
  clock: Clock;
  meter?: Meter;
  /** Questions in flight at once; more wait. */
  maxInFlight?: number;
  /** Of these, one team's single calls; its lists may have as many. */
  maxInFlightPerTeam?: number;
  /** Questions that one team's single calls, and its lists, may have waiting; more are an `error` at once. */
  maxQueuedPerTeam?: number;
  /** Of the questions in flight, those that are asked over TCP; more wait. */
  maxTcp?: number;
  /** Answers remembered. */
  cacheEntries?: number;
}

/** A question that is being asked, and for whom. */
interface Flight {
  question: DnsQuestion;
  /** The cache's name for it. */
  key: string;
  /** Who asked first: the answer takes up that one's part of the cache. */
  owner: string;
  callers: Callers;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

const ERROR = { kind: 'error' } as const;

/**
 * A try waits this part of the time-out: a lost packet then costs a quarter of
 * it and not the answer, while a slow resolver is found done when asked again.
 */
const TRIES = 4;

/** Who asks where no account is behind the question. */
const NOBODY: Requester = { owner: '', priority: 'single' };

/** Of the TCP connections, one team's single calls may have this part, and its lists as much. */
const TCP_PART = 10;

/** The longest that records, and that their absence, are believed, whatever the zone says. */
const MAX_TTL_SECONDS = 3600;
const MAX_NEGATIVE_TTL_SECONDS = 900;

/**
 * Asks recursive name servers for mail exchangers and addresses.
 *
 * A client of its own because Node's tells no TTLs and sends all questions from
 * one socket, which loses answers when some hundred are in the air. Errors are
 * not remembered: the resolver does that (RFC 9520), and knows better when to
 * stop. An idle client holds no socket and no timer.
 */
export class DnsClient implements HostResolver {
  private readonly clock: Clock;
  private readonly meter: Meter | undefined;
  private readonly timeoutMs: number;
  private readonly slots: FairSlots;
  private readonly tcpSlots: FairSlots;
  private readonly cache: DnsCache<Outcome>;
  private readonly flights = new DnsQueries<Outcome>();
  /** The one that answered last comes first: a dead server costs its wait once, not once a question. */
  private servers: DnsServer[];

  /** @throws RangeError when a server is not written as an address. */
  constructor({
    servers,
    timeoutMs,
    clock,
    meter,
    maxInFlight = 1_000,
    maxInFlightPerTeam = 100,
    maxQueuedPerTeam = 2_000,
    maxTcp = 100,
    cacheEntries = 20_000,
  }: DnsClientOptions) {
    this.servers = servers.map((text) => {
      const server = parseDnsServer(text);
      if (server === null)
        throw new RangeError(`"${text}" is not a DNS server such as 192.0.2.1 or [2001:db8::1]:53`);
      return server;
    });
    this.timeoutMs = timeoutMs;
    this.clock = clock;
    this.meter = meter;
    this.slots = new FairSlots({
      total: maxInFlight,
      perRequester: maxInFlightPerTeam,
      queuedPerRequester: maxQueuedPerTeam,
    });
    this.tcpSlots = new FairSlots({
      total: maxTcp,
      perRequester: Math.max(1, Math.floor(maxTcp / TCP_PART)),
      queuedPerRequester: maxInFlightPerTeam,
    });
    this.cache = new DnsCache(clock, cacheEntries);
  }

  /** @param signal cuts the wait short; the answer is then `error`. Never rejects. */
  async mx(name: string, signal: AbortSignal, requester = NOBODY): Promise<MxAnswer> {
    const answer = await this.lookUp('MX', name, signal, requester);
    if (answer.kind !== 'records') return answer;
    const { kind, exchangers: records, ageSeconds, cached } = answer;
    return { kind, records, ageSeconds, cached };
  }

  /** `none` only when the DNS said so for both families; one that failed is forgiven when the other has addresses. */
  async addresses(host: string, signal: AbortSignal, requester = NOBODY): Promise<HostAddresses & Freshness> {
    const v4 = this.lookUp('A', host, signal, requester);
    const v6 = this.lookUp('AAAA', host, signal, requester);
    const answers = [await v4, await v6];
    const found = answers.flatMap((answer) => (answer.kind === 'records' ? answer.addresses : []));
    if (found.length > 0)
      return { kind: 'addresses', addresses: [...new Set(found)], ...freshnessOf(answers) };
    const kind = answers.some((answer) => answer.kind === 'error') ? 'error' : 'none';
    return { kind, ...freshnessOf(answers) };
  }

  /** Nearly always remembered: a list asks about the same servers again and again. */
  private lookUp(
    type: DnsQuestion['type'],
    spelling: string,
    signal: AbortSignal,
    requester: Requester,
  ): Soon<Outcome & Freshness> {
    const name = presentName(spelling);
    const key = `${type} ${name}`;
    const remembered = this.cache.get(key, requester.owner);
    if (remembered) return { ...remembered.value, ageSeconds: remembered.ageSeconds, cached: true };
    if (!isDnsName(name)) return { kind: 'no_data', ageSeconds: 0, cached: false };
    return this.fly({ type, name }, key, signal, requester);
  }

  private async fly(
    question: DnsQuestion,
    key: string,
    signal: AbortSignal,
    requester: Requester,
  ): Promise<Outcome & Freshness> {
    if (!this.flights.has(key) && this.slots.isFullFor(requester))
      return { ...ERROR, ageSeconds: 0, cached: false };
    const { owner } = requester;
    const ask = async (callers: Callers, shared: AbortSignal) => {
      const flight = { question, key, owner, callers, signal: shared };
      return (await callers.withSlot(this.slots, shared, () => this.measured(flight))) ?? ERROR;
    };
    const outcome = await this.flights.join(key, requester, ask, signal);
    return { ...(outcome ?? ERROR), ageSeconds: 0, cached: false };
  }

  private async measured(flight: Flight): Promise<Outcome> {
    const { question } = flight;
    const start = this.clock.monotonicMs();
    const outcome = await this.ask(flight);
    const seconds = (this.clock.monotonicMs() - start) / 1000;
    this.meter?.observe('dns_lookup_duration_seconds', seconds, question.type, outcome.kind);
    return outcome;
  }

  /** Asks on from alias to alias until a name has an answer, and remembers it. */
  private async ask(flight: Flight): Promise<Outcome> {
    const { question } = flight;
    const deadlineMs = this.clock.monotonicMs() + this.timeoutMs;
    let ttlSeconds = MAX_TTL_SECONDS;
    let hops = 0;
    let { name } = question;
    while (hops <= MAX_ALIASES) {
      const reading = await this.askServers({ ...question, name }, deadlineMs, flight);
      if (reading.kind === 'error') return ERROR;
      ttlSeconds = Math.min(ttlSeconds, reading.ttlSeconds);
      if (reading.kind !== 'alias') return this.remember(flight, reading.answer, ttlSeconds);
      if (!isDnsName(reading.target)) return this.remember(flight, { kind: 'no_data' }, ttlSeconds);
      hops += reading.hops;
      name = reading.target;
    }
    return ERROR;
  }

  private remember({ key, owner }: Flight, answer: DnsAnswer, ttlSeconds: number): Outcome {
    const maxSeconds = answer.kind === 'records' ? MAX_TTL_SECONDS : MAX_NEGATIVE_TTL_SECONDS;
    const outcome = outcomeOf(answer);
    this.cache.set(key, owner, outcome, Math.min(ttlSeconds, maxSeconds));
    return outcome;
  }

  /** Asks one server after the other: a silent one again later, one that fails not again. */
  private async askServers(
    question: DnsQuestion,
    deadlineMs: number,
    { callers, signal }: Flight,
  ): Promise<Exclude<DnsReading, { kind: 'edns_refused' }>> {
    const waiting = [...this.servers];
    let edns = true;
    for (let server = waiting.shift(); server && !signal.aborted; server = waiting.shift()) {
      const leftMs = Math.min(this.timeoutMs / TRIES, deadlineMs - this.clock.monotonicMs());
      if (leftMs < 1) break;
      const reply = await this.tryServer(server, question, edns, leftMs, callers, signal);
      if (reply.kind === 'silent') waiting.push(server);
      if (reply.kind !== 'packet') continue;

      const reading = readAnswer(reply.packet, question);
      if (reading.kind === 'edns_refused') {
        if (edns) waiting.unshift(server);
        edns = false;
      } else if (reading.kind !== 'error') {
        this.prefer(server);
        return reading;
      }
    }
    return ERROR;
  }

  private async tryServer(
    server: DnsServer,
    question: DnsQuestion,
    edns: boolean,
    waitMs: number,
    callers: Callers,
    signal: AbortSignal,
  ): Promise<ServerReply> {
    const over = new AbortController();
    const end = () => over.abort();
    signal.addEventListener('abort', end, { once: true });
    void this.clock.pause(waitMs, over.signal).then(end);
    const tcpGate: TcpGate = (ask) => callers.withSlot(this.tcpSlots, over.signal, ask);
    const reply = await askServer(server, question, edns, over.signal, tcpGate);
    signal.removeEventListener('abort', end);
    end();
    return reply;
  }

  private prefer(server: DnsServer): void {
    if (this.servers[0] === server) return;
    this.servers = [server, ...this.servers.filter((other) => other !== server)];
  }
}

/** Of an answer made of several: as old as the oldest, remembered only when all were. */
export function freshnessOf(parts: readonly Freshness[]): Freshness {
  return {
    ageSeconds: Math.max(...parts.map((part) => part.ageSeconds)),
    cached: parts.every((part) => part.cached),
  };
}
