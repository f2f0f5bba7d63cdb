import type { Answer, Question } from 'dns-packet';

/** What the world says about one name. */
export interface DnsName {
  mx?: [preference: number, exchange: string][];
  a?: string[];
  aaaa?: string[];
  txt?: string[];
  ptr?: string[];
  cname?: string;
  /** Seconds, of every record; 300 unless told. */
  ttl?: number;
  /** Instead of any record. */
  rcode?: keyof typeof RCODES;
  behaviour?: DnsBehaviour;
  /** For `slow`; 100 unless told. */
  delayMs?: number;
}

export type DnsBehaviour =
  /** Never answers. */
  | 'silent'
  /** Loses the first question of each type. */
  | 'drop_first'
  /** Says over UDP only that the answer does not fit; answers over TCP. */
  | 'truncate'
  /** The same, and never answers over TCP. */
  | 'truncate_silent'
  /** Answers with the right id and bytes that are no DNS message. */
  | 'garbage'
  /** Sends a forged answer with another id just before the true one. */
  | 'wrong_id'
  /** Answers after `delayMs`. */
  | 'slow';

export interface ZoneOptions {
  /** The SOA's TTL and minimum, in seconds: how long an absence may be remembered; null sends no SOA. */
  negativeTtl: number | null;
  /** Whether the target's records come with a CNAME, as from a resolver, or the CNAME alone, as from its zone. */
  followsAliases: boolean;
}

/** RFC 1035 §4.1.1. */
const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

export interface Response {
  rcode: number;
  answers: Answer[];
  authorities: Answer[];
}

/** The answer to a question, from what is known about each name. */
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
