import type { MxRecord } from '../../../kernel/verdict.js';
import type { Requester } from './requester.js';

/**
 * Where mail for a domain goes, as the DNS tells it.
 *
 * `no_domain` is an authoritative NXDOMAIN and nothing else; a name server that
 * fails, refuses or keeps silent is always `dns_error`.
 */
export type MailRoute =
  | { kind: 'hosts'; implicit: boolean; hosts: MxRecord[] }
  | { kind: 'null_mx' }
  | { kind: 'no_mail_server' }
  | { kind: 'no_domain' }
  | { kind: 'dns_error' };

export interface ResolvedRoute {
  route: MailRoute;
  /** Seconds since the DNS was asked; 0 when it was asked for this answer. */
  ageSeconds: number;
  /** True when no question had to be asked for this answer. */
  cached: boolean;
}

/** Port: asks the DNS where mail for a domain goes. */
export abstract class MxResolver {
  /**
   * @param domain A-label, lower case, no final dot.
   * @param signal cuts the wait short; the answer is then `dns_error`. Never rejects.
   */
  abstract resolve(domain: string, signal: AbortSignal, requester: Requester): Promise<ResolvedRoute>;
}
