import dnsPacket from 'dns-packet';
import type { Answer } from 'dns-packet';
import type { MxRecord } from '../../../kernel/verdict.js';
import { least } from '../../../kernel/long-lists.js';
import { normalizeDnsName } from './dns-name.js';
import { CLASS_IN, TYPE, type DnsMessage, type DnsRecord } from './dns-reader.js';

/** A question; the name is lower case, without the final dot. */
export interface DnsQuestion {
  type: 'MX' | 'A' | 'AAAA' | 'TXT';
  name: string;
}

/**
 * The response to a query, for the last of its aliases: MX records as published, the root, as in `0 .`, as the
 * host ''. `no_domain` is NXDOMAIN only.
 */
export type DnsResponse =
  | {
      kind: 'records';
      records: MxRecord[];
      addresses: string[];
      /** Those that begin with a version, as `v=spf1`; of a question about texts only. */
      texts?: string[];
    }
  | { kind: 'no_data' | 'no_domain' };

/** The content of one message; `ttlSeconds` 0: must not be cached. */
export type ParsedResponse =
  | { kind: 'response'; response: DnsResponse; ttlSeconds: number }
  /** The name is another one's alias, and the message says nothing about that one. */
  | { kind: 'alias'; target: string; hops: number; ttlSeconds: number }
  /** The server does not support EDNS; the query can be repeated without it (RFC 6891 §7). */
  | { kind: 'edns_refused' }
  /** A negative response without the SOA record of a zone that contains the name (RFC 2308 §2). */
  | { kind: 'unproven' }
  | { kind: 'error' };

/** A longer chain of CNAMEs is an error of the zone. */
export const MAX_ALIASES = 8;

/**
 * Fits into one Ethernet or IPv6 frame, so that no fragment can be lost or forged (RFC 6891 §6.2.5, RFC
 * 9715).
 */
const UDP_PAYLOAD_BYTES = 1232;

/** RFC 1035 §4.1.1, RFC 2136 §2.2. */
const RCODE = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

export function encodeQuestion(question: DnsQuestion, id: number, edns: boolean): Buffer {
  return dnsPacket.encode({
    type: 'query',
    id,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [question],
    additionals: edns ? [EDNS] : [],
  });
}

const EDNS: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_PAYLOAD_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** Whether a message is the response to this question (RFC 5452 §4.2). */
export function isResponseTo(message: DnsMessage, question: DnsQuestion): boolean {
  const { question: echoed } = message;
  if (!message.isResponse || message.questions > 1) return false;
  if (echoed === null) return message.rcode === RCODE.FORMERR;
  return (
    echoed.type === TYPE[question.type] &&
    echoed.class === CLASS_IN &&
    echoed.name === normalizeDnsName(question.name)
  );
}

/** The response code of a message that has failed, for people. */
export function failureIn({ rcode }: DnsMessage): string {
  if (rcode === RCODE.NOERROR || rcode === RCODE.NXDOMAIN) return 'unusable response';
  return Object.entries(RCODE).find(([, code]) => code === rcode)?.[0] ?? `RCODE ${rcode}`;
}

export function parseResponse(message: DnsMessage, question: DnsQuestion): ParsedResponse {
  const { rcode } = message;
  if (rcode === RCODE.FORMERR || rcode === RCODE.NOTIMP) return { kind: 'edns_refused' };
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return { kind: 'error' };

  const chain = followAliases(message, normalizeDnsName(question.name));
  if (chain === null) return { kind: 'error' };

  const records = recordsOf(message, question.type, chain.name);
  if (records.length > 0) {
    const ttlSeconds = least(records.map(ttlOf), chain.ttlSeconds);
    return { kind: 'response', response: responseOf(records), ttlSeconds };
  }
  // With aliases, the RCODE is that of the last name of the chain (RFC 6604 §3).
  if (rcode === RCODE.NOERROR && chain.hops > 0)
    return { kind: 'alias', target: chain.name, hops: chain.hops, ttlSeconds: chain.ttlSeconds };
  if (rcode === RCODE.NOERROR && isReferral(message)) return { kind: 'error' };
  const { soa } = message;
  if (soa === null || !isWithin(chain.name, soa.name)) return { kind: 'unproven' };
  const kind = rcode === RCODE.NXDOMAIN ? 'no_domain' : 'no_data';
  return { kind: 'response', response: { kind }, ttlSeconds: Math.min(chain.ttlSeconds, negativeTtlOf(soa)) };
}

/** The name at the end of the CNAME chain; null when the chain has a loop or is too long. */
function followAliases(
  message: DnsMessage,
  from: string,
): { name: string; hops: number; ttlSeconds: number } | null {
  let name = from;
  let ttlSeconds = Infinity;
  for (let hops = 0; hops <= MAX_ALIASES; hops++) {
    const [alias] = recordsOf(message, 'CNAME', name);
    if (alias?.type !== 'CNAME') return { name, hops, ttlSeconds };
    name = alias.data;
    ttlSeconds = Math.min(ttlSeconds, ttlOf(alias));
  }
  return null;
}

function recordsOf(message: DnsMessage, type: DnsQuestion['type'] | 'CNAME', name: string): DnsRecord[] {
  return message.answers.filter((record) => record.type === type && record.name === name);
}

/**
 * Records kept from one response: no client connects to more hosts or addresses, and a response of 64 kB
 * holds thousands.
 */
const MAX_RECORDS = 50;
/** The texts of a name that begin with a version: more than one of a kind are an error of the zone. */
const MAX_TEXTS = 8;
const VERSION = /^v[ \t]*=/i;

function responseOf(records: readonly DnsRecord[]): DnsResponse {
  const exchangers = records.flatMap((record): MxRecord[] =>
    record.type === 'MX' ? [{ host: record.data.exchange, preference: record.data.preference }] : [],
  );
  const addresses = records.flatMap(({ type, data }) => (type === 'A' || type === 'AAAA' ? [data] : []));
  const texts = records.flatMap(({ type, data }) => (type === 'TXT' && VERSION.test(data) ? [data] : []));
  const isOfTexts = records[0]?.type === 'TXT';
  // In the order of the response, unless there are too many.
  if (exchangers.length > MAX_RECORDS) exchangers.sort((a, b) => a.preference - b.preference);
  return {
    kind: 'records',
    records: exchangers.slice(0, MAX_RECORDS),
    addresses: [...new Set(addresses.slice(0, MAX_RECORDS))],
    ...(isOfTexts && { texts: texts.slice(0, MAX_TEXTS) }),
  };
}

/** How long a negative response may be cached (RFC 2308 §5). */
function negativeTtlOf(soa: NonNullable<DnsMessage['soa']>): number {
  return Math.min(soa.minimum, ttlOf(soa));
}

/** The root is ''. DNS filters send the SOA record of their own list instead. */
function isWithin(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** A referral names other servers. It is not a negative response (RFC 2308 §2.2). */
function isReferral({ isAuthoritative, hasNameServers, soa }: DnsMessage): boolean {
  return !isAuthoritative && hasNameServers && soa === null;
}

/** A TTL with its first bit set counts as 0 (RFC 2181 §8). */
function ttlOf({ ttl }: { ttl: number }): number {
  return ttl < 2 ** 31 ? ttl : 0;
}
