import type { Answer, Question } from 'dns-packet';

/** The records of one name. */
export interface DnsName {
  mx?: [preference: number, exchange: string][];
  a?: string[];
  aaaa?: string[];
  txt?: string[];
  ptr?: string[];
  cname?: string;
  /** TTL of every record in seconds; default 300. */
  ttl?: number;
  /** Response code instead of records. */
  rcode?: keyof typeof RCODES;
  behaviour?: DnsBehaviour;
  /** Delay of `slow` in milliseconds; default 100. */
  delayMs?: number;
}

export type DnsBehaviour =
  /** Never responds. */
  | 'silent'
  /** Never responds to queries for A, or for AAAA. */
  | 'silent_a'
  | 'silent_aaaa'
  /** Drops the first query of each type. */
  | 'drop_first'
  /** Truncated responses over UDP; complete responses over TCP. */
  | 'truncate'
  /** Truncated responses over UDP; no response over TCP. */
  | 'truncate_silent'
  /** Responds with the right id and an invalid DNS message. */
  | 'garbage'
  /** Sends a forged response with another id before the real one. */
  | 'wrong_id'
  /** Responds after `delayMs`. */
  | 'slow';

export interface ZoneOptions {
  /** TTL and minimum of the SOA in seconds, for negative caching; null sends no SOA. */
  negativeTtl: number | null;
  /** Whether responses contain the records of a CNAME's target, like those of a resolver. */
  followsAliases: boolean;
}

/** RFC 1035 §4.1.1. */
const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

export interface Response {
  rcode: number;
  answers: Answer[];
  authorities: Answer[];
}

/** The response to a query. */
export function respond(
  { type, name }: Question,
  lookUp: (name: string) => DnsName | undefined,
  { negativeTtl, followsAliases }: ZoneOptions,
): Response {
  const absence = negativeTtl === null ? [] : [soa(negativeTtl)];
  const records = lookUp(name);
  const rcode = RCODES[records ? (records.rcode ?? 'NOERROR') : 'NXDOMAIN'];
  if (rcode === RCODES.NXDOMAIN) return { rcode, answers: [], authorities: absence };
  if (!records || rcode !== RCODES.NOERROR) return { rcode, answers: [], authorities: [] };

  if (records.cname !== undefined && type !== 'CNAME') {
    const alias: Answer = { type: 'CNAME', name, ttl: ttlOf(records), data: records.cname };
    if (!followsAliases) return { rcode, answers: [alias], authorities: [] };
    const target = respond({ type, name: records.cname }, lookUp, { negativeTtl, followsAliases });
    return { ...target, answers: [alias, ...target.answers] };
  }
  const answers = answersOf(records, type, name);
  return { rcode, answers, authorities: answers.length === 0 ? absence : [] };
}

function answersOf(records: DnsName, type: string, name: string): Answer[] {
  const common = { name, ttl: ttlOf(records) };
  switch (type) {
    case 'MX':
      return (records.mx ?? []).map(([preference, exchange]) => ({
        ...common,
        type: 'MX',
        data: { preference, exchange },
      }));
    case 'A':
      return (records.a ?? []).map((data) => ({ ...common, type: 'A', data }));
    case 'AAAA':
      return (records.aaaa ?? []).map((data) => ({ ...common, type: 'AAAA', data }));
    case 'TXT':
      return (records.txt ?? []).map((data) => ({ ...common, type: 'TXT', data }));
    case 'PTR':
      return (records.ptr ?? []).map((data) => ({ ...common, type: 'PTR', data }));
    case 'CNAME':
      return records.cname === undefined ? [] : [{ ...common, type: 'CNAME', data: records.cname }];
    default:
      return [];
  }
}

function ttlOf({ ttl = 300 }: DnsName): number {
  return ttl;
}

function soa(ttl: number): Answer {
  return {
    type: 'SOA',
    name: '.',
    ttl,
    data: {
      mname: 'ns.world.invalid',
      rname: 'hostmaster.world.invalid',
      serial: 1,
      refresh: 3600,
      retry: 600,
      expire: 86400,
      minimum: ttl,
    },
  };
}
