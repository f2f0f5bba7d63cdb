import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket as UdpSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import dnsPacket from 'dns-packet';
import type { Answer, DecodedPacket, Question } from 'dns-packet';
import { WELL_KNOWN_DOMAINS } from '../../../src/engine/dns/adapters/dns-resolver-check.js';
import { respond } from './dns-zones.js';
import type { DnsName, ZoneOptions } from './dns-zones.js';

export interface DnsWorldOptions extends Partial<ZoneOptions> {
  zones: Record<string, DnsName>;
  /** Records for all non-existent names, as from a resolver that rewrites NXDOMAIN. */
  lie?: DnsName;
  /** Has the well-known domains by which a name server is checked; default true. */
  knowsProviders?: boolean;
  host?: string;
  /** Port for UDP and TCP; 0: any free port. */
  port?: number;
}

/** Their mail servers have no addresses here. */
const PROVIDERS = Object.fromEntries(
  WELL_KNOWN_DOMAINS.map((domain): [string, DnsName] => [domain, { mx: [[10, `mx.${domain}`]] }]),
);

export interface ReceivedQuery {
  /** As it was sent. */
  name: string;
  type: string;
  transport: 'udp' | 'tcp';
  id: number;
  /** Port of the client. */
  port: number;
  edns: boolean;
}

/**
 * A scripted DNS server on real UDP and TCP sockets. It answers for all names
 * like a recursive resolver: names in `zones` exist, all others are NXDOMAIN.
 *
 * ```ts
 * const dns = await DnsWorld.start({ zones: {
 *   'good.test': { mx: [[10, 'mx.good.test']] },
 *   'mx.good.test': { a: ['127.0.0.2'] },
 *   'broken.test': { rcode: 'SERVFAIL' },
 * } });
 * new DnsClient({ servers: [dns.server], … });
 * await dns.stop();
 * ```
 */
export class DnsWorld {
  /** All received queries in order, including those without a response. */
  readonly questions: ReceivedQuery[] = [];
  private readonly zones: Map<string, DnsName>;
  private readonly seen = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly connections = new Set<Socket>();
  private readonly watchers = new Set<() => void>();

  private constructor(
    zones: Record<string, DnsName>,
    private readonly options: ZoneOptions,
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
    private readonly lie: DnsName | undefined,
  ) {
    this.zones = new Map(Object.entries(zones).map(([name, records]) => [name.toLowerCase(), records]));
    udp.on('message', (message, from) => this.overUdp(message, from));
    tcp.on('connection', (connection: Socket) => this.overTcp(connection));
  }

  static async start({
    zones,
    host = '127.0.0.1',
    port = 0,
    lie,
    knowsProviders = true,
    ...options
  }: DnsWorldOptions): Promise<DnsWorld> {
    const [udp, tcp] = await listen(host, port);
    return new DnsWorld(
      { ...(knowsProviders && PROVIDERS), ...zones },
      { negativeTtl: 60, followsAliases: true, ...options },
      udp,
      tcp,
      lie,
    );
  }

  /** `127.0.0.1:5353`, or `[::1]:5353`. */
  get server(): string {
    const { address, port } = this.udp.address();
    return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  }

  /** Sets the records of a name; null removes it. */
  set(name: string, records: DnsName | null): void {
    if (records === null) this.zones.delete(name.toLowerCase());
    else this.zones.set(name.toLowerCase(), records);
  }

  /** The current records of a name. */
  zone(name: string): DnsName | undefined {
    return this.zones.get(name.toLowerCase());
  }

  /** Resolves with the queries for a name when there are `count`. */
  async queriesFor(name: string, count = 1): Promise<ReceivedQuery[]> {
    for (;;) {
      const found = this.questions.filter((question) => question.name.toLowerCase() === name.toLowerCase());
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => this.watchers.add(resolve));
    }
  }

  /** Resolves when a condition is true; it is checked at every query. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  async stop(): Promise<void> {
    this.timers.forEach((timer) => clearTimeout(timer));
    this.connections.forEach((connection) => connection.destroy());
    const closed = Promise.all([once(this.udp, 'close'), once(this.tcp, 'close')]);
    this.udp.close();
    this.tcp.close();
    await closed;
  }

  private overUdp(message: Buffer, from: RemoteInfo): void {
    const send = (answer: Buffer) => this.udp.send(answer, from.port, from.address);
    this.receive(message, 'udp', from.port, send);
  }

  private overTcp(connection: Socket): void {
    this.connections.add(connection);
    connection.on('close', () => this.connections.delete(connection)).on('error', () => connection.destroy());
    let received = Buffer.alloc(0);
    connection.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      received = received.subarray(2 + message.length);
      this.receive(message, 'tcp', connection.remotePort ?? 0, (answer) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        connection.write(Buffer.concat([length, answer]));
      });
    });
  }

  private receive(
    message: Buffer,
    transport: 'udp' | 'tcp',
    port: number,
    send: (answer: Buffer) => void,
  ): void {
    const query = decode(message);
    const question = query?.questions?.[0];
    if (!query || !question) return;
    const edns = query.additionals?.find((record) => record.type === 'OPT');
    this.note({ ...question, transport, id: query.id ?? 0, port, edns: edns !== undefined });

    const records = this.find(question.name);
    const answer = (truncated: boolean) => encodeAnswer(query, this.contents(question), truncated);
    const isUdp = transport === 'udp';
    switch (records?.behaviour) {
      case 'silent':
        return;
      case 'silent_a':
      case 'silent_aaaa':
        if (`silent_${question.type.toLowerCase()}` === records.behaviour) return;
        break;
      case 'drop_first':
        if (this.isFirst(question)) return;
        break;
      case 'truncate_silent':
        return isUdp ? send(answer(true)) : undefined;
      case 'truncate':
        if (isUdp) return send(answer(true));
        break;
      case 'garbage':
        return send(
          Buffer.concat([message.subarray(0, 2), Buffer.from([0x81, 0x80]), Buffer.alloc(40, 0xff)]),
        );
      case 'wrong_id':
        send(forged(query, question));
        break;
      case 'slow':
        return this.later(records.delayMs ?? 100, () => send(answer(false)));
    }
    const whole = answer(false);
    const maxBytes = edns?.type === 'OPT' ? edns.udpPayloadSize : 512;
    send(isUdp && whole.length > maxBytes ? answer(true) : whole);
  }

  private contents(question: Question) {
    return respond(question, (name) => this.find(name), this.options);
  }

  private find(name: string): DnsName | undefined {
    return this.zones.get(name.toLowerCase()) ?? this.lie;
  }

  private note(question: ReceivedQuery): void {
    const { name, type, transport, id, port, edns } = question;
    this.questions.push({ name, type, transport, id, port, edns });
    this.watchers.forEach((wake) => wake());
    this.watchers.clear();
  }

  private isFirst({ name, type }: Question): boolean {
    const key = `${type} ${name.toLowerCase()}`;
    const isFirst = !this.seen.has(key);
    this.seen.add(key);
    return isFirst;
  }

  private later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }
}

/** The address in forged responses; no zone contains it. */
const FORGED_ADDRESS = '198.51.100.66';
const FORGED_HOST = 'forged.invalid';

function forged(query: DecodedPacket, { type, name }: Question): Buffer {
  const data: Answer =
    type === 'MX'
      ? { type, name, ttl: 60, data: { preference: 0, exchange: FORGED_HOST } }
      : { type: 'A', name, ttl: 60, data: FORGED_ADDRESS };
  const other = { ...query, id: ((query.id ?? 0) + 1) & 0xffff };
  return encodeAnswer(other, { rcode: 0, answers: [data], authorities: [] }, false);
}

function encodeAnswer(
  query: DecodedPacket,
  { rcode, answers, authorities }: { rcode: number; answers: Answer[]; authorities: Answer[] },
  truncated: boolean,
): Buffer {
  const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | rcode;
  return dnsPacket.encode({
    type: 'response',
    id: query.id,
    flags: truncated ? flags | dnsPacket.TRUNCATED_RESPONSE : flags,
    questions: query.questions,
    answers: truncated ? [] : answers,
    authorities: truncated ? [] : authorities,
  });
}

function decode(message: Buffer): DecodedPacket | null {
  try {
    return dnsPacket.decode(message);
  } catch {
    return null;
  }
}

/** A port that is free for UDP may be in use for TCP; then another port is tried unless the caller set it. */
async function listen(host: string, port: number): Promise<[UdpSocket, Server]> {
  for (let triesLeft = 20; ; triesLeft--) {
    const tcp = createServer();
    tcp.listen(port, host);
    await once(tcp, 'listening');
    const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    udp.bind((tcp.address() as AddressInfo).port, host);
    try {
      await once(udp, 'listening');
      return [udp, tcp];
    } catch (error) {
      tcp.close();
      if (port !== 0 || triesLeft === 0) throw error;
    }
  }
}
