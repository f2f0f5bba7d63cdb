import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { keyOf, type Requester } from '../../../kernel/concurrency/fair-queue.js';
import { DnsCache } from './dns-cache.js';
import { DnsQueries } from './dns-queries.js';
import {
  MAX_ALIASES,
  parseResponse,
  type DnsQuestion,
  type DnsResponse,
  type ParsedResponse,
} from './dns-message.js';
import { freshnessOf, type Freshness } from '../mx-resolver.js';
import { isDnsName, normalizeDnsName } from './dns-reader.js';
import { parseDnsServer, queryServer, withTimeout, type DnsServer } from './dns-transport.js';
import type { ResolverCheck } from './dns-resolver-check.js';

/** The addresses of a host. `none` is proven (NXDOMAIN or no data, with an SOA record), `error` is not. */
export type HostAddresses = { kind: 'addresses'; addresses: string[] } | { kind: 'none' } | { kind: 'error' };

export interface HostResolver {
  /** IPv4 first, then IPv6; a host that is an IP literal is `none`. Never rejects. */
  addresses(host: string, signal: AbortSignal, requester: Requester): Promise<HostAddresses>;
}

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
  /** Concurrent queries of one tenant's single calls. Its lists may have the same number in addition. */
  maxInFlightPerTenant?: number;
  /**
   * Queued queries of one tenant's single calls, and of its lists. Further queries fail with `error` at
   * once.
   */
  maxQueuedPerTenant?: number;
  /** Concurrent queries over TCP; further queries wait. */
  maxTcp?: number;
  cacheEntries?: number;
}

/** The result of a query over all attempts, servers and aliases. */
type DnsOutcome = DnsResponse | { kind: 'error' };

interface PendingQuery {
  question: DnsQuestion;
  key: string;
  requester: Requester;
  /** Aborts when nobody waits for the response any more. */
  signal: AbortSignal;
}

const ERROR = { kind: 'error' } as const;

/**
 * Each attempt takes at most this fraction of the timeout. A lost packet costs a quarter of the
 * timeout, and a slow resolver has often cached the response by the next attempt.
 */
const MAX_TRIES = 4;

/** The requester of queries without an account. */
const ANONYMOUS: Requester = { tenant: '', priority: 'single' };

/** One tenant's single calls may use this fraction (1/n) of the TCP connections, and its lists the same. */
const TCP_SHARE_DIVISOR = 10;

/** This share of all slots is reserved for requesters that hold few slots. */
const RESERVED_SHARE = 1 / 2;
/** A requester holds few slots below this share of its limit. */
const FEW_SHARE = 1 / 25;

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
export class DnsClient implements HostResolver {
  private readonly slots: FairSemaphore;
  private readonly tcpSlots: FairSemaphore;
  private readonly cache: DnsCache<DnsResponse>;
  private readonly queries = new DnsQueries<DnsOutcome>();
  /** The server that responded last comes first, so that a server that is down costs one timeout only. */
  private servers: DnsServer[];

  /** @throws RangeError when a server is not an IP address with an optional port. */
  constructor(private readonly options: DnsClientOptions) {
    const { maxInFlight = 1_000, maxInFlightPerTenant = 100, maxQueuedPerTenant = 2_000 } = options;
    const { maxTcp = 100, cacheEntries = 20_000 } = options;
    this.servers = options.servers.map(parseDnsServer);
    const tcpPerTenant = Math.max(1, Math.floor(maxTcp / TCP_SHARE_DIVISOR));
    this.slots = querySlots(maxInFlight, maxInFlightPerTenant, maxQueuedPerTenant);
    this.tcpSlots = querySlots(maxTcp, tcpPerTenant, maxInFlightPerTenant);
    this.cache = new DnsCache(options.clock, cacheEntries);
  }

  /** @param signal cancels the wait; the response is then `error`. Never rejects. */
  mx(name: string, signal: AbortSignal, requester = ANONYMOUS): Promise<DnsOutcome & Freshness> {
    return this.lookUp('MX', name, signal, requester);
  }

  /**
   * `none` only when the DNS says so for both families. An error of one family is ignored when the
   * other has addresses.
   */
  async addresses(
    host: string,
    signal: AbortSignal,
    requester = ANONYMOUS,
  ): Promise<HostAddresses & Freshness> {
    const v4 = this.lookUp('A', host, signal, requester);
    const v6 = this.lookUp('AAAA', host, signal, requester);
    const outcomes = [await v4, await v6] as const;
    const addresses = outcomes.flatMap((outcome) => (outcome.kind === 'records' ? outcome.addresses : []));
    const { ageSeconds, cached } = freshnessOf(outcomes);
    if (addresses.length > 0) return { kind: 'addresses', addresses, ageSeconds, cached };
    const kind = outcomes.some((outcome) => outcome.kind === 'error') ? 'error' : 'none';
    return { kind, ageSeconds, cached };
  }

  private async lookUp(
    type: DnsQuestion['type'],
    rawName: string,
    signal: AbortSignal,
    requester: Requester,
  ): Promise<DnsOutcome & Freshness> {
    const name = normalizeDnsName(rawName);
    const key = `${type} ${name}`;
    const hit = this.cache.get(key, requester.tenant);
    // A negative response may have been cached before its server became unhealthy.
    if (hit && (hit.value.kind === 'records' || !this.options.resolvers?.countUnhealthy()))
      return { ...hit.value, ageSeconds: hit.ageSeconds, cached: true };
    if (!isDnsName(name)) return { kind: 'no_data', ageSeconds: 0, cached: false };
    const outcome = await this.query({ type, name }, key, signal, requester);
    return { ...outcome, ageSeconds: 0, cached: false };
  }

  private async query(
    question: DnsQuestion,
    key: string,
    signal: AbortSignal,
    requester: Requester,
  ): Promise<DnsOutcome> {
    const send = async (shared: AbortSignal) => {
      const work = () => this.measured({ question, key, requester, signal: shared });
      return (await withSlot(this.slots, requester, shared, work)) ?? ERROR;
    };
    // Each requester has a query of its own, so that none waits in the queue of another.
    return (await this.queries.join(`${key} ${keyOf(requester)}`, send, signal)) ?? ERROR;
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
      if (parsed.kind === 'error') return ERROR;
      ttlSeconds = Math.min(ttlSeconds, parsed.ttlSeconds);
      if (parsed.kind !== 'alias') return this.store(query, parsed.response, ttlSeconds);
      if (!isDnsName(parsed.target)) return this.store(query, { kind: 'no_data' }, ttlSeconds);
      hops += parsed.hops;
      name = parsed.target;
    }
    return ERROR;
  }

  private store(
    { key, requester: { tenant } }: PendingQuery,
    response: DnsResponse,
    ttlSeconds: number,
  ): DnsOutcome {
    const maxSeconds = response.kind === 'records' ? MAX_TTL_SECONDS : MAX_NEGATIVE_TTL_SECONDS;
    this.cache.set(key, tenant, response, Math.min(ttlSeconds, maxSeconds));
    return response;
  }

  /** Queries one server after the other. A server that timed out is queried again, one that failed is not. */
  private async queryServers(
    question: DnsQuestion,
    deadlineMs: number,
    { requester, signal }: PendingQuery,
  ): Promise<Exclude<ParsedResponse, { kind: 'edns_refused' | 'unproven' }>> {
    const { clock, timeoutMs, resolvers } = this.options;
    const remaining = [...this.servers];
    let edns = true;
    for (let server = remaining.shift(); server && !signal.aborted; server = remaining.shift()) {
      const waitMs = Math.min(timeoutMs / MAX_TRIES, deadlineMs - clock.monotonicMs());
      if (waitMs < 1) break;
      const reply = await withTimeout(clock, waitMs, signal, (ended) =>
        queryServer(server, question, edns, ended, (send) => withSlot(this.tcpSlots, requester, ended, send)),
      );
      if (reply.kind === 'silent') remaining.push(server);
      if (reply.kind !== 'packet') continue;

      const parsed = parseResponse(reply.packet, question);
      if (parsed.kind === 'edns_refused') {
        if (edns) remaining.unshift(server);
        edns = false;
      } else if (parsed.kind === 'unproven') {
        resolvers?.rejectUnproven(server);
      } else if (parsed.kind !== 'error') {
        if (!((await resolvers?.accepts(parsed, question.type, server, signal)) ?? true)) continue;
        this.prefer(server);
        return parsed;
      }
    }
    return ERROR;
  }

  private prefer(server: DnsServer): void {
    if (this.servers[0] === server) return;
    this.servers = [server, ...this.servers.filter((other) => other !== server)];
  }
}

/** Slots of queries. A tenant's single calls and its lists count as two requesters. */
function querySlots(total: number, perKey: number, queuedPerKey: number): FairSemaphore {
  const reserved = { slots: Math.floor(total * RESERVED_SHARE), few: Math.ceil(perKey * FEW_SHARE) };
  return new FairSemaphore({ total, perKey, queuedPerKey, reserved });
}

/** @returns null when no slot was acquired: the signal aborted first, or the queue of the requester is full. */
async function withSlot<T>(
  slots: FairSemaphore,
  requester: Requester,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  const slot = await slots.acquire(requester, signal);
  try {
    return slot !== null && !signal.aborted ? await work() : null;
  } finally {
    slot?.release();
  }
}
