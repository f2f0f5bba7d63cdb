import { isIP } from 'node:net';
import dnsPacket from 'dns-packet';
import type { Answer, DecodedPacket, MxAnswer, StringAnswer } from 'dns-packet';

/** A question; the name is lower case, without the final dot. */
export interface DnsQuestion {
  type: 'MX' | 'A' | 'AAAA';
  name: string;
}

export type DnsRecord = MxAnswer | StringAnswer;

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

/** RFC 1035 §2.3.4 for the lengths; the letters are those a host or mail domain is made of (RFC 1123 §2.1), and `_`. */
export function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    isIP(name) === 0 &&
    name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/i.test(label))
  );
}

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

/** null: no DNS message. Whatever part of it is broken, none of it is believed. */
export function decodeMessage(message: Buffer): DecodedPacket | null {
  try {
    return dnsPacket.decode(message);
  } catch {
    return null;
  }
}

/** Whether a message answers this question, and not one that a forger hopes was asked (RFC 5452 §4.2). */
export function answers(packet: DecodedPacket, question: DnsQuestion): boolean {
  const [asked, ...more] = packet.questions ?? [];
  if (packet.type !== 'response' || more.length > 0) return false;
  if (!asked) return rcodeOf(packet) === RCODE.FORMERR;
  return asked.type === question.type && asked.class === 'IN' && isSameName(asked.name, question.name);
}

export function readAnswer(packet: DecodedPacket, question: DnsQuestion): DnsReading {
  const rcode = rcodeOf(packet);
  if (rcode === RCODE.FORMERR || rcode === RCODE.NOTIMP) return { kind: 'edns_refused' };
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return { kind: 'error' };

  const chain = followAliases(packet, question.name);
  if (chain === null) return { kind: 'error' };

  const records = recordsOf(packet, question.type, chain.name);
  if (records.length > 0) {
    const ttlSeconds = Math.min(chain.ttlSeconds, ...records.map(ttlOf));
    return { kind: 'answer', answer: { kind: 'records', records }, ttlSeconds };
  }
  // With aliases, the code speaks of the last name of the chain (RFC 6604 §3).
  const ttlSeconds = Math.min(chain.ttlSeconds, negativeTtlOf(packet));
  if (rcode === RCODE.NXDOMAIN) return { kind: 'answer', answer: { kind: 'no_domain' }, ttlSeconds };
  if (chain.hops > 0)
    return { kind: 'alias', target: chain.name, hops: chain.hops, ttlSeconds: chain.ttlSeconds };
  if (isReferral(packet)) return { kind: 'error' };
  return { kind: 'answer', answer: { kind: 'no_data' }, ttlSeconds };
}

/** The rcode with its upper bits, which travel in the OPT record (RFC 6891 §6.1.3). */
function rcodeOf(packet: DecodedPacket): number {
  const opt = packet.additionals?.find((record) => record.type === 'OPT');
  return ((opt?.extendedRcode ?? 0) << 4) | ((packet.flags ?? 0) & 0xf);
}

/** Where the CNAMEs of an answer lead from a name; null when they run in a circle or on without end. */
function followAliases(
  packet: DecodedPacket,
  from: string,
): { name: string; hops: number; ttlSeconds: number } | null {
  let name = from;
  let ttlSeconds = Infinity;
  for (let hops = 0; hops <= MAX_ALIASES; hops++) {
    const [alias] = recordsOf(packet, 'CNAME', name);
    if (alias?.type !== 'CNAME') return { name, hops, ttlSeconds };
    name = presentName(alias.data);
    ttlSeconds = Math.min(ttlSeconds, ttlOf(alias));
  }
  return null;
}

function recordsOf(packet: DecodedPacket, type: DnsQuestion['type'] | 'CNAME', name: string): DnsRecord[] {
  return (packet.answers ?? []).filter(
    (record): record is DnsRecord =>
      record.type === type && 'class' in record && record.class === 'IN' && isSameName(record.name, name),
  );
}

/** How long an absence may be remembered: the SOA tells; without one, not at all (RFC 2308 §5). */
function negativeTtlOf(packet: DecodedPacket): number {
  const soa = packet.authorities?.find((record) => record.type === 'SOA');
  return soa?.type === 'SOA' ? Math.min(soa.data.minimum ?? 0, ttlOf(soa)) : 0;
}

/** A server that only names others knows nothing itself; that is no absence (RFC 2308 §2.2). */
function isReferral(packet: DecodedPacket): boolean {
  const types = new Set(packet.authorities?.map((record) => record.type));
  return !packet.flag_aa && types.has('NS') && !types.has('SOA');
}

/** A TTL with its first bit set counts as 0 (RFC 2181 §8). */
function ttlOf(record: { ttl?: number | undefined }): number {
  const ttl = record.ttl ?? 0;
  return ttl < 2 ** 31 ? ttl : 0;
}

/**
 * A name from a message as this service writes it: lower case, no final dot,
 * the root as ''. A label may hold any byte (RFC 2181 §11); those that would
 * break a log line, a terminal or a database's text become `?`.
 */
export function presentName(name: string): string {
  if (PRESENTABLE.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/[\p{C}\s\uFFFD]/gu, '?');
}

/** As nearly all names come that are asked about. */
const PRESENTABLE = /^[a-z0-9._-]*[a-z0-9_-]$/;

function isSameName(one: string, other: string): boolean {
  return presentName(one) === presentName(other);
}
