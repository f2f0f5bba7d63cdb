import dnsPacket from 'dns-packet';
import type { DnsQuestion } from '../../../src/engine/dns/adapters/dns-message.js';

const MAX_BYTES = 65_535;
const TYPE = { A: 1, CNAME: 5, TXT: 16, MX: 15, OPT: 41, UNASSIGNED: 0xff00 };
/** Pointer to the name in the question. */
const TO_QUESTION = pointer(12);
/** A compression pointer has 14 bits. */
const FARTHEST = 0x3fff;

/** Responses of 64 kB that are slow to parse, by technique. */
export function hostileAnswers(question: DnsQuestion, bytes = MAX_BYTES): Record<string, Buffer> {
  const answer = (make: (message: Message) => void) => {
    const message = new Message(question, bytes);
    make(message);
    return message.toBuffer();
  };
  return {
    'a chain of compression pointers': answer((message) => {
      const chain = message.begin(TYPE.UNASSIGNED, (from) => {
        const links = Math.min(bytes / 2, FARTHEST - from) >> 1;
        return Buffer.concat(
          Array.from({ length: links }, (_, n) => (n === 0 ? TO_QUESTION : pointer(from + 2 * n - 2))),
        );
      });
      message.fill(pointer(chain.end - 2), TYPE.A, () => Buffer.from([192, 0, 2, 1]));
    }),
    'names of 127 labels': answer((message) => {
      const labels = Buffer.concat([Buffer.from('\u0001a'.repeat(126)), Buffer.from([0])]);
      const { from } = message.begin(TYPE.UNASSIGNED, () => labels);
      message.fill(pointer(from), TYPE.MX, () => Buffer.concat([Buffer.from([0, 10]), pointer(from)]));
    }),
    'names of 127 labels, each another one': answer((message) => {
      const labels = Buffer.concat([Buffer.from('\u0001a'.repeat(125)), Buffer.from([0])]);
      const { from } = message.begin(TYPE.UNASSIGNED, () => labels);
      message.fill(TO_QUESTION, TYPE.MX, (n) =>
        Buffer.concat([Buffer.from([0, 10]), Buffer.from([1, 97 + (n % 26)]), pointer(from + 2 * (n % 100))]),
      );
    }),
    'addresses of the name': answer((message) => {
      message.fill(TO_QUESTION, TYPE.A, (n) => Buffer.from([192, 0, n >> 8, n & 0xff]));
    }),
    'exchangers, each another one': answer((message) => {
      message.fill(TO_QUESTION, TYPE.MX, (n) =>
        Buffer.concat([
          Buffer.from([n >> 8, n & 0xff, 4]),
          Buffer.from(n.toString(36).padStart(4, '0')),
          TO_QUESTION,
        ]),
      );
    }),
    'aliases that lead to each other': answer((message) => {
      message.fill(TO_QUESTION, TYPE.CNAME, (n) =>
        Buffer.concat([Buffer.from([4]), Buffer.from(n.toString(36).padStart(4, '0')), TO_QUESTION]),
      );
    }),
    'empty strings': answer((message) => {
      message.begin(TYPE.TXT, () => Buffer.alloc(bytes - 200));
    }),
    'options of EDNS': answer((message) => {
      message.begin(TYPE.OPT, () => Buffer.alloc((bytes - 200) & ~3));
    }),
    'the shortest records': answer((message) => {
      message.fill(Buffer.from([0]), TYPE.UNASSIGNED, () => Buffer.alloc(0));
    }),
  };
}

class Message {
  private readonly parts: Buffer[];
  private length: number;
  private records = 0;

  constructor(
    question: DnsQuestion,
    private readonly most: number,
  ) {
    const head = dnsPacket.encode({
      type: 'response',
      id: 1,
      flags: dnsPacket.AUTHORITATIVE_ANSWER,
      questions: [question],
    });
    this.parts = [head];
    this.length = head.length;
  }

  /** Adds a record of the root. @returns the position of its data. */
  begin(type: number, data: (from: number) => Buffer): { from: number; end: number } {
    const from = this.length + 11;
    this.add(Buffer.from([0]), type, data(from));
    return { from, end: this.length };
  }

  /** Adds records until no more fit. */
  fill(name: Buffer, type: number, data: (n: number) => Buffer): void {
    for (let n = 0; this.length + name.length + 10 + data(n).length <= this.most; n++)
      this.add(name, type, data(n));
  }

  toBuffer(): Buffer {
    this.parts[0]?.writeUInt16BE(this.records, 6);
    return Buffer.concat(this.parts);
  }

  private add(name: Buffer, type: number, data: Buffer): void {
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt32BE(60, 4);
    fixed.writeUInt16BE(data.length, 8);
    this.parts.push(name, fixed, data);
    this.length += name.length + 10 + data.length;
    this.records += 1;
  }
}

function pointer(to: number): Buffer {
  return Buffer.from([0xc0 | (to >> 8), to & 0xff]);
}
