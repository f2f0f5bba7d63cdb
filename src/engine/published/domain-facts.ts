import type { DnsFailure, MailRoute } from '../dns/mx-resolver.js';
import type { DmarcRecord } from './dmarc.js';
import type { MtaStsRecord, SpfRecord } from './published-records.js';

/** null: not known; `ageMs` null: by the table of providers. */
export interface KnownCatchAll {
  catchAll: boolean | null;
  ageMs: number | null;
}

/** A look-up that has failed. */
export type Failed = { kind: 'error' } & DnsFailure;

/** What the DNS and the table of providers say about a domain. */
export interface DomainFacts {
  domain: string;
  route: MailRoute;
  known: KnownCatchAll;
  spf: SpfRecord | Failed;
  dmarc: DmarcRecord | Failed;
  mtaSts: MtaStsRecord | Failed;
}

export const UNKNOWN_CATCH_ALL: KnownCatchAll = { catchAll: null, ageMs: null };
const NONE = { record: null, error: null };

/** A domain that publishes nothing but its mail hosts. */
export function withoutRecords(domain: string, route: MailRoute): DomainFacts {
  return {
    domain,
    route,
    known: UNKNOWN_CATCH_ALL,
    spf: { ...NONE, all: null },
    dmarc: { ...NONE, foundAt: null, organizationalDomain: domain, policy: null, isTesting: false },
    mtaSts: { ...NONE, id: null },
  };
}
