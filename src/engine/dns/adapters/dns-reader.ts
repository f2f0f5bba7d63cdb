import { addressOf } from '../../../platform/net/ip-octets.js';
import { normalizeDnsName } from './dns-name.js';
import { exchangeOf } from './mx-exchange.js';

export type DnsRecord = { name: string; ttl: number } & (
  | { type: 'MX'; data: { preference: number; exchange: string } }
  | { type: 'A' | 'AAAA' | 'CNAME' | 'TXT'; data: string }
);

/**
 * The parts of a message (RFC 1035 §4) that are needed to look up mail hosts and texts. Names are in
 * presentation form.
 */
export interface DnsMessage {
  isResponse: boolean;
  isAuthoritative: boolean;
  /** Includes the extended bits of the OPT record (RFC 6891 §6.1.3). */
  rcode: number;
  /** The number of questions. */
  questions: number;
  question: { name: string; type: number; class: number } | null;
  /** Class IN only; at most 200. */
  answers: DnsRecord[];
  /** From the authority section. */
  soa: { name: string; ttl: number; minimum: number } | null;
  hasNameServers: boolean;
}

export const TYPE = { A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, OPT: 41 };
export const CLASS_IN = 1;

const HEADER_BYTES = 12;
/** Bytes of a name on the wire without the root; the length bytes count like the dots (RFC 1035 §2.3.4). */
const MAX_NAME_BYTES = 254;
const MAX_LABEL_BYTES = 63;
const POINTER = 0xc0;
const DOT = 0x2e;
/** Each pointer leads to at least one label, and a name has at most 127 labels. */
const MAX_POINTERS = 127;
/** Two root names and five numbers (RFC 1035 §3.3.13). */
const MIN_SOA_BYTES = 22;
/** No client connects to more hosts or addresses; 64 kB hold up to five thousand. */
const MAX_ANSWERS = 200;
/** Of the text of a TXT record; a longer one is cut. Records of SPF, DMARC and MTA-STS are much shorter. */
export const MAX_TEXT_BYTES = 2_048;

/**
 * Parses a message in linear time: only names that are needed are decoded, and compression pointers and
 * records are limited. `dns-packet` has neither limit and takes 0.3 s for 64 kB of pointers.
 *
 * @returns null for a malformed message. One malformed part makes the whole message malformed.
 */
export function readMessage(octets: Buffer): DnsMessage | null {
  try {
    return new DnsReader(octets).message();
  } catch {
    return null; // includes a RangeError of `Buffer` for missing bytes
  }
}

class MalformedMessage extends Error {}

/** An undecoded record. */
interface RawRecord {
  nameAt: number;
  type: number;
  class: number;
  ttl: number;
  dataAt: number;
  end: number;
}

class DnsReader {
  private at = HEADER_BYTES;
  private readonly text = Buffer.alloc(MAX_NAME_BYTES);

  constructor(private readonly octets: Buffer) {}

  message(): DnsMessage {
    const flags = this.octets.readUInt16BE(2);
    const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) =>
      this.octets.readUInt16BE(at),
    );
    const question = this.questions(questions!);
    const all = this.records(answers!);
    const authority = this.records(authorities!);
    const opt = this.records(additionals!).find(({ type }) => type === TYPE.OPT);
    const soa = authority.find((record) => record.type === TYPE.SOA && record.class === CLASS_IN);
    return {
      isResponse: (flags & 0x8000) !== 0,
      isAuthoritative: (flags & 0x0400) !== 0,
      rcode: (opt === undefined ? 0 : (opt.ttl >>> 24) << 4) | (flags & 0xf),
      questions: questions!,
      question,
      answers: all
        .filter((record) => isNeeded(record, question?.type))
        .slice(0, MAX_ANSWERS)
        .map((record) => this.record(record)),
      soa:
        soa === undefined
          ? null
          : { name: this.nameAt(soa.nameAt).name, ttl: soa.ttl, minimum: this.minimumOf(soa) },
      hasNameServers: authority.some(({ type }) => type === TYPE.NS),
    };
  }

  /** @returns the first question. */
  private questions(count: number): DnsMessage['question'] {
    let first: DnsMessage['question'] = null;
    for (let n = 0; n < count; n++) {
      const nameAt = this.at;
      this.skipName();
      const type = this.octets.readUInt16BE(this.at);
      const ofClass = this.octets.readUInt16BE(this.at + 2);
      this.at += 4;
      first ??= { name: this.nameAt(nameAt).name, type, class: ofClass };
    }
    return first;
  }

  private records(count: number): RawRecord[] {
    return Array.from({ length: count }, () => {
      const nameAt = this.at;
      this.skipName();
      const { octets, at } = this;
      const dataAt = at + 10;
      const end = dataAt + octets.readUInt16BE(at + 8);
      if (end > octets.length) throw new MalformedMessage();
      this.at = end;
      return {
        nameAt,
        type: octets.readUInt16BE(at),
        class: octets.readUInt16BE(at + 2),
        ttl: octets.readUInt32BE(at + 4),
        dataAt,
        end,
      };
    });
  }

  private record({ nameAt, type, ttl, dataAt, end }: RawRecord): DnsRecord {
    const { name } = this.nameAt(nameAt);
    if (type === TYPE.MX) {
      const preference = this.octets.readUInt16BE(dataAt);
      return {
        type: 'MX',
        name,
        ttl,
        data: { preference, exchange: exchangeOf(this.labelsBetween(dataAt + 2, end)) },
      };
    }
    if (type === TYPE.CNAME) return { type: 'CNAME', name, ttl, data: this.nameBetween(dataAt, end) };
    if (type === TYPE.TXT) return { type: 'TXT', name, ttl, data: this.textBetween(dataAt, end) };
    const address = this.octets.subarray(dataAt, end);
    if (address.length !== (type === TYPE.A ? 4 : 16)) throw new MalformedMessage();
    return { type: type === TYPE.A ? 'A' : 'AAAA', name, ttl, data: addressOf(address) };
  }

  /** The last of the five numbers that follow the two names. */
  private minimumOf({ dataAt, end }: RawRecord): number {
    if (end - dataAt < MIN_SOA_BYTES) throw new MalformedMessage();
    return this.octets.readUInt32BE(end - 4);
  }

  /**
   * The character strings of a record as one text, without separators (RFC 7208 §3.3). The zone is a stranger's: what
   * is not a printable ASCII character becomes `?`.
   */
  private textBetween(from: number, end: number): string {
    const parts: Buffer[] = [];
    let length = 0;
    for (let at = from; at < end;) {
      const next = at + 1 + this.octets.readUInt8(at);
      if (next > end) throw new MalformedMessage();
      if (next > at + 1 && length < MAX_TEXT_BYTES) parts.push(this.octets.subarray(at + 1, next));
      length += next - at - 1;
      at = next;
    }
    return Buffer.concat(parts)
      .toString('latin1', 0, MAX_TEXT_BYTES)
      .replace(/[^\x20-\x7E]/g, '?');
  }

  private nameBetween(from: number, end: number): string {
    return normalizeDnsName(this.labelsBetween(from, end));
  }

  private labelsBetween(from: number, end: number): string {
    const found = this.labelsAt(from);
    if (found.end !== end) throw new MalformedMessage();
    return found.labels;
  }

  private nameAt(from: number): { name: string } {
    return { name: normalizeDnsName(this.labelsAt(from).labels) };
  }

  /** The labels of a name, joined by dots, and the offset behind it. */
  private labelsAt(from: number): { labels: string; end: number } {
    const { octets, text } = this;
    let length = 0;
    let at = from;
    let end: number | null = null;
    /** Pointers must point backwards, to a prior occurrence (RFC 1035 §4.1.4). */
    let before = from;
    let pointers = 0;
    for (;;) {
      const label = octets.readUInt8(at);
      if (label >= POINTER) {
        const target = octets.readUInt16BE(at) & 0x3fff;
        if (target >= before || ++pointers > MAX_POINTERS) throw new MalformedMessage();
        end ??= at + 2;
        before = at = target;
        continue;
      }
      if (label === 0) break;
      if (label > MAX_LABEL_BYTES || length + label >= text.length || at + label >= octets.length)
        throw new MalformedMessage();
      for (let n = 1; n <= label; n++) text[length++] = octets.readUInt8(at + n);
      text[length++] = DOT;
      at += label + 1;
    }
    return { labels: text.toString('utf8', 0, Math.max(0, length - 1)), end: end ?? at + 1 };
  }

  /** Skips a name without following pointers. */
  private skipName(): void {
    for (;;) {
      const length = this.octets.readUInt8(this.at);
      if (length > MAX_LABEL_BYTES && length < POINTER) throw new MalformedMessage();
      this.at += length >= POINTER ? 2 : length + 1;
      if (length === 0 || length >= POINTER) return;
    }
  }
}

/** Texts are read for a question about them only. @param asked the type of the question. */
function isNeeded({ type, class: ofClass }: RawRecord, asked: number | undefined): boolean {
  if (ofClass !== CLASS_IN) return false;
  if (type === TYPE.TXT) return asked === TYPE.TXT;
  return [TYPE.A, TYPE.AAAA, TYPE.CNAME, TYPE.MX].includes(type);
}
