import type { MxRecord } from '../../kernel/verdict.js';
import type { Requester } from '../../kernel/concurrency/fair-queue.js';
import { greatest } from '../../kernel/long-lists.js';

/** The age of a response, or of the cached part of a result. */
export interface Freshness {
  /** Whole seconds since the DNS query; 0 when this call sent it. */
  ageSeconds: number;
  /** True when it depends on the network and no query was sent. */
  cached: boolean;
}

/** The freshness of a response made of several: the age of the oldest; cached only when all were cached. */
export function freshnessOf(parts: readonly Freshness[]): Freshness {
  return {
    ageSeconds: greatest(parts.map((part) => part.ageSeconds)),
    cached: parts.every((part) => part.cached),
  };
}

/**
 * The mail hosts of a domain by the DNS.
 *
 * `no_domain` is an authoritative NXDOMAIN only; a name server that fails, refuses or times out is
 * always `dns_error`.
 */
export type MailRoute =
  | { kind: 'hosts'; implicit: boolean; hosts: MxRecord[] }
  | { kind: 'null_mx' }
  | { kind: 'no_mail_server' }
  | { kind: 'no_domain' }
  | ({ kind: 'dns_error' } & DnsFailure);

/** Why a look-up has failed. */
export interface DnsFailure {
  /** The name servers that were queried, each with its last response, for people; missing: none was, or the call ended. */
  error?: string | undefined;
}

/** A requester, and what its call has found out about name servers. */
export interface DnsRequester extends Requester {
  /** The failed look-ups of the call, which are not repeated, with the error; missing: all are repeated. */
  failedLookUps?: Map<string, DnsFailure> | undefined;
  /** The mail hosts of the domain, if they were looked up before the call; missing: they were not. */
  route?: ResolvedRoute | undefined;
}

export interface ResolvedRoute extends Freshness {
  route: MailRoute;
}

/** Port: looks up the mail hosts of a domain. */
export abstract class MxResolver {
  /**
   * @param domain A-label, lower case, no final dot.
   * @param signal cancels the wait; the response is then `dns_error`. Never rejects.
   */
  abstract resolve(domain: string, signal: AbortSignal, requester: DnsRequester): Promise<ResolvedRoute>;
}
