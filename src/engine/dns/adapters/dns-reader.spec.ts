import { describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import { hostileAnswers } from '../../../../test/support/dns/hostile-dns.js';
import type { DnsQuestion } from './dns-message.js';
import { readMessage, type DnsMessage } from './dns-reader.js';

const QUESTION: DnsQuestion = { type: 'MX', name: 'example.com' };
const RESPONSE = { type: 'response' as const, id: 1, questions: [QUESTION] };

/** Counts the octets that are read. */
class CountedOctets {
  looks = 0;
  readonly octets: Buffer;

  constructor(message: Buffer) {
    this.octets = Buffer.from(message);
    for (const name of ['readUInt8', 'readUInt16BE', 'readUInt32BE'] as const) {
      const read = this.octets[name].bind(this.octets);
      this.octets[name] = (at) => {
        this.looks += 1;
        return read(at);
      };
    }
  }
}

/** A response to the question with a CNAME of these octets, from octet 52 on; behind it, from 77 on, the name `a`. */
function withAlias(data: readonly number[]): DnsMessage | null {
  const [alias, other] = [data, [1, 0x61, 0]].map((octets): dnsPacket.Answer => ({
    type: 'NULL',
    name: QUESTION.name,
    data: Buffer.from(octets),
  }));
  const message = dnsPacket.encode({ ...RESPONSE, answers: [alias!, other!] });
  message.writeUInt16BE(5, 42);
  return readMessage(message);
}

const aliasIn = (message: DnsMessage | null) => message?.answers[0]?.data;
const label = (length: number) => [length, ...Array.from({ length }, () => 0x61)];
const toQuestion = [0xc0, 12];

describe('a message', () => {
  it.each(Object.keys(hostileAnswers(QUESTION)))('of 64 kB is parsed in linear time: %s', (kind) => {
    const message = hostileAnswers(QUESTION)[kind]!;
    expect(message.length).toBeGreaterThan(65_000);
    const counted = new CountedOctets(message);
    readMessage(counted.octets);
    expect(counted.looks).toBeLessThan(4 * message.length);
  });

  it.each(['addresses of the name', 'exchangers, each another one'])('is parsed partly: 200 %s', (kind) => {
    const question: DnsQuestion = { ...QUESTION, type: kind.startsWith('addresses') ? 'A' : 'MX' };
    expect(readMessage(hostileAnswers(question)[kind]!)?.answers).toHaveLength(200);
  });

  it('with more records than it can contain is malformed', () => {
    const message = dnsPacket.encode(RESPONSE);
    message.writeUInt16BE(0xffff, 6);
    expect(readMessage(message)).toBeNull();
    expect(readMessage(message.subarray(0, 11))).toBeNull();
  });

  it('includes the extended RCODE of the OPT record', () => {
    const opt = { type: 'OPT', name: '.', extendedRcode: 1, udpPayloadSize: 1232, ednsVersion: 0, flags: 0 };
    const additionals = [{ ...opt, flag_do: false, options: [] } as dnsPacket.Answer];
    expect(readMessage(dnsPacket.encode({ ...RESPONSE, additionals }))?.rcode).toBe(16);
  });

  it('formats IPv6 addresses as in RFC 5952', () => {
    const answers = ['2001:db8::1', '::ffff:192.0.2.1', '2001:db8:0:1:1:1:1:1', '::'].map(
      (data): dnsPacket.Answer => ({ type: 'AAAA', name: 'a.test', data }),
    );
    const message = readMessage(dnsPacket.encode({ ...RESPONSE, answers }));
    expect(message?.answers.map(({ data }) => data)).toEqual([
      '2001:db8::1',
      '::ffff:192.0.2.1',
      '2001:db8:0:1:1:1:1:1',
      '::',
    ]);
  });
});

describe('a name in a message', () => {
  it('consists of its labels and the target of a pointer', () => {
    expect(aliasIn(withAlias([...label(2), ...toQuestion]))).toBe('aa.example.com');
    expect(aliasIn(withAlias([0]))).toBe('');
  });

  it('has at most 255 octets, and 63 in a label', () => {
    const most = [...label(63), ...label(63), ...label(63)];
    expect(aliasIn(withAlias([...most, ...label(61), 0]))).toHaveLength(253);
    expect(withAlias([...most, ...label(62), 0])).toBeNull();
    expect(withAlias([...label(64), 0])).toBeNull();
  });

  it.each([
    ['to itself', [0xc0, 52]],
    ['forwards', [0xc0, 77]],
    ['beyond the message', [0xff, 0xff]],
  ])('has no pointer %s', (_, pointer) => {
    expect(withAlias(pointer)).toBeNull();
  });

  it('has at most 127 pointers', () => {
    const chain = hostileAnswers(QUESTION, 2_000)['a chain of compression pointers']!;
    expect(readMessage(chain)).toBeNull();
  });

  it.each([
    ['short of', [...label(2), ...toQuestion, 0]],
    ['past', [...label(2), 0xc0]],
  ])('must not end %s the end of its data', (_, data) => {
    expect(withAlias(data)).toBeNull();
  });
});
