import dnsPacket from 'dns-packet';
import type { Answer } from 'dns-packet';
import { presentName } from './dns-name.js';
import { CLASS_IN, TYPE, type DnsMessage, type DnsRecord } from './dns-reader.js';

/** A question; the name is lower case, without the final dot. */
export interface DnsQuestion {
  type: 'MX' | 'A' | 'AAAA';
  name: string;
}

/** What the DNS says to a question. `no_domain` is an NXDOMAIN and nothing else. */
export type DnsAnswer = { kind: 'records'; records: DnsRecord[] } | { kind: 'no_data' | 'no_domain' };

/** What one message says; `ttlSeconds` 0 means: not to be remembered. */
export type DnsReading =
  | { kind: 'answer'; answer: DnsAnswer; ttlSeconds: number }
  /** The name is another one's alias, and the message says nothing about that one. */
  | { kind: 'alias'; target: string; hops: number; ttlSeconds: number }
  /** The server does not understand EDNS; the question may be put without (RFC 6891 §7). */
  | { kind: 'edns_refused' }
  | { kind: 'error' };

/** More CNAMEs in a row than this are a fault of the zone. */
export const MAX_ALIASES = 8;

/** Fits into one Ethernet or IPv6 frame, so that no fragment can be lost or forged (RFC 6891 §6.2.5, RFC 9715). */
const UDP_PAYLOAD_BYTES = 1232;

/** RFC 1035 §4.1.1, RFC 2136 §2.2. */
const RCODE = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4 };

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

/** Whether a message answers this question, and not one that a forger hopes was asked (RFC 5452 §4.2). */
export function answers(message: DnsMessage, question: DnsQuestion): boolean {
  const { question: asked } = message;
  if (!message.isResponse || message.questions > 1) return false;
  if (asked === null) return message.rcode === RCODE.FORMERR;
  return (
    asked.type === TYPE[question.type] &&
    asked.class === CLASS_IN &&
    asked.name === presentName(question.name)
  );
}

export function readAnswer(message: DnsMessage, question: DnsQuestion): DnsReading {
  const { rcode } = message;
  if (rcode === RCODE.FORMERR || rcode === RCODE.NOTIMP) return { kind: 'edns_refused' };
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return { kind: 'error' };

  const chain = followAliases(message, presentName(question.name));
  if (chain === null) return { kind: 'error' };

  const records = recordsOf(message, question.type, chain.name);
  if (records.length > 0) {
    const ttlSeconds = Math.min(chain.ttlSeconds, ...records.map(ttlOf));
    return { kind: 'answer', answer: { kind: 'records', records }, ttlSeconds };
  }
  // With aliases, the code speaks of the last name of the chain (RFC 6604 §3).
  const ttlSeconds = Math.min(chain.ttlSeconds, negativeTtlOf(message));
  if (rcode === RCODE.NXDOMAIN) return { kind: 'answer', answer: { kind: 'no_domain' }, ttlSeconds };
  if (chain.hops > 0)
    return { kind: 'alias', target: chain.name, hops: chain.hops, ttlSeconds: chain.ttlSeconds };
  if (isReferral(message)) return { kind: 'error' };
  return { kind: 'answer', answer: { kind: 'no_data' }, ttlSeconds };
}

/** Where the CNAMEs of an answer lead from a name; null when they run in a circle or on without end. */
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

/** How long an absence may be remembered: the SOA tells; without one, not at all (RFC 2308 §5). */
function negativeTtlOf({ soa }: DnsMessage): number {
  return soa === null ? 0 : Math.min(soa.minimum, ttlOf(soa));
}

/** A server that only names others knows nothing itself; that is no absence (RFC 2308 §2.2). */
function isReferral({ isAuthoritative, hasNameServers, soa }: DnsMessage): boolean {
  return !isAuthoritative && hasNameServers && soa === null;
}

/** A TTL with its first bit set counts as 0 (RFC 2181 §8). */
function ttlOf({ ttl }: { ttl: number }): number {
  return ttl < 2 ** 31 ? ttl : 0;
}
