import type { MxRecord } from '../../kernel/verdict.js';
import type { Requester } from '../../kernel/concurrency/fair-queue.js';
import type { Freshness } from './freshness.js';

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
  | { kind: 'dns_error' };

export interface ResolvedRoute extends Freshness {
  route: MailRoute;
}

/** Port: looks up the mail hosts of a domain. */
export abstract class MxResolver {
  /**
   * @param domain A-label, lower case, no final dot.
   * @param signal cancels the wait; the response is then `dns_error`. Never rejects.
   */
  abstract resolve(domain: string, signal: AbortSignal, requester: Requester): Promise<ResolvedRoute>;
}
