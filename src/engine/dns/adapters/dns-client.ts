import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import type { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { keyOf } from '../../../kernel/concurrency/fair-queue.js';
import { DnsCache } from './dns-cache.js';
import { errorOf, sayingOf } from './dns-failure-text.js';
import type { HostAddresses, HostResolver } from './host-resolver.js';
import { DnsQueries } from './dns-queries.js';
import { querySlots, TCP_SHARE_DIVISOR, withSlot } from './dns-slots.js';
import {
  MAX_ALIASES,
  parseResponse,
  type DnsQuestion,
  type DnsResponse,
  type ParsedResponse,
} from './dns-message.js';
import { freshnessOf, type DnsFailure, type DnsRequester, type Freshness } from '../mx-resolver.js';
import type { TextRecords, TextResolver } from '../text-resolver.js';
import { isDnsName, normalizeDnsName } from './dns-name.js';
import { parseDnsServer, type DnsServer } from '../../../platform/net/dns-server.js';
import { queryServer, type ServerReply } from './dns-transport.js';
import { withDeadline } from '../../../kernel/deadline.js';
import type { ResolverCheck } from './dns-resolver-check.js';

export interface DnsClientOptions {
  /** Recursive resolvers: `ip`, `ip:port`, `ipv6` or `[ipv6]:port`. */
  servers: readonly string[];
  /** For one query over all attempts and servers, measured from when it leaves the queue. */
  timeoutMs: number;
  clock: Clock;
  meter?: Meter;
  /** Checks the servers before negative responses are accepted; default: no check. */
  resolvers?: ResolverCheck;
  /** Concurrent queries; further queries wait. */
  maxInFlight?: number;
  /** Concurrent queries of one team's single calls. Its lists may have the same number in addition. */
  maxInFlightPerTeam?: number;
  /**
   * Queued queries of one team's single calls, and of its lists. Further queries fail with `error` at
   * once.
   */
  maxQueuedPerTeam?: number;
  /** Concurrent queries over TCP; further queries wait. */
  maxTcp?: number;
  /** Cached responses to single calls, and to lists. */
  cacheEntries?: number;
  cachedTexts?: number;
}

/** The result of a query over all attempts, servers and aliases. */
type DnsOutcome = DnsResponse | FailedQuery;
type FailedQuery = { kind: 'error' } & DnsFailure;

interface PendingQuery {
  question: DnsQuestion;
  key: string;
  requester: DnsRequester;
  /** Aborts when nobody waits for the response any more. */
  signal: AbortSignal;
}

const ERROR: DnsOutcome = { kind: 'error' };
const NOW: Freshness = { ageSeconds: 0, cached: false };
const SILENT: ServerReply = { kind: 'silent' };

/**
 * The first query to a server takes at most this fraction of the timeout, so that a lost packet costs no more. A server
 * that was silent may be slow, and has more time for the next one.
 */
const FIRST_TRY = 1 / 4;
const NEXT_TRY = 1 / 2;

/** The requester of queries without an account. */
const ANONYMOUS: DnsRequester = { team: '', priority: 'single' };

/**
 * The time to wait for the addresses of one family after those of the other have arrived: some name servers never
 * answer for AAAA (RFC 4074 §4.1), and one family is enough to connect.
 */
const OTHER_FAMILY_MS = 250;

/** Upper bounds of the TTL of positive and negative responses, whatever the zone says. */
const MAX_TTL_SECONDS = 3600;
const MAX_NEGATIVE_TTL_SECONDS = 900;

/**
 * Looks up mail exchangers and addresses at recursive name servers.
 *
 * Node's resolver is not used because it does not return TTLs, and because it sends all queries from
 * one socket, which loses responses when some hundred are in flight. Errors are not cached here: the
 * resolver caches them (RFC 9520). An idle client holds no socket and no timer.
 */
export class DnsClient implements HostResolver, TextResolver {
  private readonly slots: FairSemaphore;
  private readonly tcpSlots: FairSemaphore;
  private readonly cache: DnsCache<DnsResponse>;
  /** On its own, so that texts evict no mail host; at most 16 kB each. */
  private readonly texts: DnsCache<DnsResponse>;
  private readonly queries = new DnsQueries<DnsOutcome>();
  /** The server that responded last comes first, so that a server that is down costs one timeout only. */
  private servers: DnsServer[];

  /** @throws RangeError when a server is not an IP address with an optional port. */
  constructor(private readonly options: DnsClientOptions) {
    const { maxInFlight = 1_000, maxInFlightPerTeam = 100, maxQueuedPerTeam = 2_000 } = options;
    const { maxTcp = 100, cacheEntries = 10_000, cachedTexts = 1_000 } = options;
    this.servers = options.servers.map(serverOf);
    const tcpPerTeam = Math.max(1, Math.floor(maxTcp / TCP_SHARE_DIVISOR));
    this.slots = querySlots(maxInFlight, maxInFlightPerTeam, maxQueuedPerTeam);
    this.tcpSlots = querySlots(maxTcp, tcpPerTeam, maxInFlightPerTeam);
    this.cache = new DnsCache(options.clock, cacheEntries);
    this.texts = new DnsCache(options.clock, cachedTexts);
  }

  /** @param signal cancels the wait; the response is then `error`. Never rejects. */
  mx(name: string, signal: AbortSignal, requester = ANONYMOUS): Promise<DnsOutcome & Freshness> {
    return this.lookUp('MX', name, signal, requester);
  }

  async findTexts(name: string, signal: AbortSignal, requester = ANONYMOUS): Promise<TextRecords> {
    const found = await this.lookUp('TXT', name, signal, requester);
    if (found.kind === 'error') return { kind: 'error', error: found.error };
    return { kind: 'texts', texts: found.kind === 'records' ? (found.texts ?? []) : [] };
  }

  /**
   * `none` only when the DNS says so for both families. An error of one family is ignored when the
   * other has addresses, and so is a response that takes much longer.
   */
  async addresses(
    host: string,
    signal: AbortSignal,
    requester = ANONYMOUS,
  ): Promise<HostAddresses & Freshness> {
    // Nearly all addresses of a list: the rest takes a tenth of the processor time of a verification.
    const known = FAMILIES.flatMap((type) => this.known(type, host, requester) ?? []);
    if (known.length === FAMILIES.length) return addressesOf(known);
    const ended = new AbortController();
    const end = () => ended.abort();
    setMaxListeners(0, signal); // a bulk chunk waits for hundreds of responses under one signal
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      const lookUps = FAMILIES.map((type) => this.lookUp(type, host, ended.signal, requester));
      const first = await Promise.race(lookUps);
      if (first.kind === 'records') void this.options.clock.pause(OTHER_FAMILY_MS, ended.signal).then(end);
      return addressesOf(await Promise.all(lookUps));
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  private async lookUp(
    type: DnsQuestion['type'],
    rawName: string,
    signal: AbortSignal,
    requester: DnsRequester,
  ): Promise<DnsOutcome & Freshness> {
    const known = this.known(type, rawName, requester);
    if (known !== null) return known;
    const question = { type, name: normalizeDnsName(rawName) };
    const key = `${type} ${question.name}`;
    const send = async (shared: AbortSignal) => {
      const work = () => this.measured({ question, key, requester, signal: shared });
      return (await withSlot(this.slots, requester, shared, work)) ?? ERROR;
    };
    // Each requester has a query of its own, so that none waits in the queue of another.
    const outcome = (await this.queries.join(`${key} ${keyOf(requester)}`, send, signal)) ?? ERROR;
    if (outcome.kind === 'error') requester.failedLookUps?.set(key, { error: outcome.error });
    return { ...outcome, ...NOW };
  }

  /** What needs no query; otherwise null. */
  private known(type: DnsQuestion['type'], rawName: string, { priority, failedLookUps }: DnsRequester) {
    const name = normalizeDnsName(rawName);
    const key = `${type} ${name}`;
    const hit = this.cacheOf(type).get(key, priority);
    // A negative response may have been cached before its server became unhealthy.
    if (hit && (hit.value.kind === 'records' || !this.options.resolvers?.deniesAny()))
      return { ...hit.value, ageSeconds: hit.ageSeconds, cached: true };
    if (!isDnsName(name)) return { kind: 'no_data' as const, ...NOW };
    const failed = failedLookUps?.get(key);
    return failed === undefined ? null : { kind: 'error' as const, ...failed, ...NOW };
  }

  private async measured(query: PendingQuery): Promise<DnsOutcome> {
    const { question } = query;
    const start = this.options.clock.monotonicMs();
    const outcome = await this.resolveAliases(query);
    const seconds = (this.options.clock.monotonicMs() - start) / 1000;
    this.options.meter?.observe('dns_lookup_duration_seconds', seconds, question.type, outcome.kind);
    return outcome;
  }

  /** Follows aliases until a name has a response, and caches it. */
  private async resolveAliases(query: PendingQuery): Promise<DnsOutcome> {
    const { question } = query;
    const deadlineMs = this.options.clock.monotonicMs() + this.options.timeoutMs;
    let ttlSeconds = MAX_TTL_SECONDS;
    let hops = 0;
    let { name } = question;
    while (hops <= MAX_ALIASES) {
      const parsed = await this.queryServers({ ...question, name }, deadlineMs, query);
      if (parsed.kind === 'error') return parsed;
      ttlSeconds = Math.min(ttlSeconds, parsed.ttlSeconds);
      if (parsed.kind !== 'alias') return this.store(query, parsed.response, ttlSeconds);
      if (!isDnsName(parsed.target)) return this.store(query, { kind: 'no_data' }, ttlSeconds);
      hops += parsed.hops;
      name = parsed.target;
    }
    return { kind: 'error', error: 'too many aliases' };
  }

  private store(
    { key, question, requester: { priority } }: PendingQuery,
    response: DnsResponse,
    ttlSeconds: number,
  ): DnsOutcome {
    const maxSeconds = response.kind === 'records' ? MAX_TTL_SECONDS : MAX_NEGATIVE_TTL_SECONDS;
    this.cacheOf(question.type).set(key, priority, response, Math.min(ttlSeconds, maxSeconds));
    return response;
  }

  /** Queries one server after the other. A server that timed out is queried again, one that failed is not. */
  private async queryServers(
    question: DnsQuestion,
    deadlineMs: number,
    { requester, signal }: PendingQuery,
  ): Promise<Exclude<ParsedResponse, { kind: 'edns_refused' | 'unproven' | 'error' }> | FailedQuery> {
    const { clock, timeoutMs, resolvers } = this.options;
    const remaining = [...this.servers];
    const silent = new Set<DnsServer>();
    const failures = new Map<DnsServer, string>();
    let edns = true;
    for (let server = remaining.shift(); server && !signal.aborted; server = remaining.shift()) {
      const tryMs = timeoutMs * (silent.has(server) ? NEXT_TRY : FIRST_TRY);
      const waitMs = Math.min(tryMs, deadlineMs - clock.monotonicMs());
      if (waitMs < 1) break;
      const query = (ended: () => AbortSignal) =>
        queryServer(server, question, edns, ended(), (send) =>
          withSlot(this.tcpSlots, requester, ended(), send),
        );
      const reply = (await withDeadline(waitMs, signal, query, clock)) ?? SILENT;
      if (reply.kind === 'silent') {
        silent.add(server);
        remaining.push(server);
      }
      const parsed = reply.kind === 'packet' ? parseResponse(reply.packet, question) : reply;
      if (parsed.kind === 'edns_refused' && edns) {
        remaining.unshift(server);
        edns = false;
      } else if (parsed.kind === 'response' || parsed.kind === 'alias') {
        resolvers?.onResponse(server);
        if ((await resolvers?.accepts(parsed, question.type, server, signal)) ?? true) {
          this.prefer(server);
          return parsed;
        }
        failures.set(server, 'denies well-known domains');
      } else if (parsed.kind === 'unproven') {
        resolvers?.rejectUnproven(server);
        failures.set(server, 'negative response without an SOA record');
      } else {
        failures.set(server, sayingOf(reply));
        if (!signal.aborted) resolvers?.onFailure(server, question.name, sayingOf(reply));
      }
    }
    return { kind: 'error', error: signal.aborted ? undefined : errorOf(failures) };
  }

  private cacheOf(type: DnsQuestion['type']): DnsCache<DnsResponse> {
    return type === 'TXT' ? this.texts : this.cache;
  }

  private prefer(server: DnsServer): void {
    if (this.servers[0] === server) return;
    this.servers = [server, ...this.servers.filter((other) => other !== server)];
  }
}

function serverOf(text: string): DnsServer {
  const server = parseDnsServer(text);
  if (server === null)
    throw new RangeError(`"${text}" is not a DNS server such as 192.0.2.1 or [2001:db8::1]:53`);
  return server;
}

const FAMILIES = ['A', 'AAAA'] as const;

/** The addresses of both families together: one of them is enough. */
function addressesOf(outcomes: readonly (DnsOutcome & Freshness)[]): HostAddresses & Freshness {
  const addresses = outcomes.flatMap((outcome) => (outcome.kind === 'records' ? outcome.addresses : []));
  const { ageSeconds, cached } = freshnessOf(outcomes);
  if (addresses.length > 0) return { kind: 'addresses', addresses, ageSeconds, cached };
  const failed = outcomes.find((outcome) => outcome.kind === 'error');
  return failed
    ? { kind: 'error', error: failed.error, ageSeconds, cached }
    : { kind: 'none', ageSeconds, cached };
}
