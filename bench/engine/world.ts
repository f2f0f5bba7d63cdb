import { decode, encode, AUTHORITATIVE_ANSWER, type Answer, type Question } from 'dns-packet';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ACCEPTED, converse, onEnded, turnAway, unknownUser } from '../smtp-dialogue.js';

/**
 * The process with the DNS and mail servers of `bench/engine.ts`. Each domain has one mail host with its
 * own address. Every command is answered after one latency; pipelined commands are answered together.
 * Its first argument is the configuration; it sends its address and counters by IPC.
 */
export interface WorldOptions {
  domains: number;
  addressesPerDomain: number;
  latencyMs: number;
  pipelining: boolean;
  /** Maximum connections of one client to one mail host; others get 421. */
  maxConnections: number | null;
  /** The name server answers after one latency too. */
  slowNames?: boolean;
}

export interface WorldPlace {
  dnsServer: string;
  smtpPort: number;
}

/** Counters since the last read. */
export interface WorldCounts {
  connections: number;
  /** Connections rejected with 421. */
  turnedAway: number;
  /** Maximum concurrent connections to one host. */
  mostAtOnce: number;
  commands: number;
}

export interface KnownAddress {
  email: string;
  exists: boolean;
}

/** Every second address exists. Domains alternate. */
export function addressesOf({ domains, addressesPerDomain }: WorldOptions): KnownAddress[] {
  return Array.from({ length: domains * addressesPerDomain }, (_, index) => ({
    email: `person${index}.name@${domainOf(index % domains)}`,
    exists: Math.floor(index / domains) % 2 === 0,
  }));
}

const domainOf = (index: number) => `company${index}.mailworld`;
const hostOf = (domain: string) => `mx.${domain}`;
/** The address of a mail server. */
export const ipOf = (index: number) => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;

const NO_COUNTS: WorldCounts = { connections: 0, turnedAway: 0, mostAtOnce: 0, commands: 0 };
const counts: WorldCounts = { ...NO_COUNTS };

async function serveMail(options: WorldOptions): Promise<number> {
  const mailboxes = new Set(addressesOf(options).flatMap(({ email, exists }) => (exists ? [email] : [])));
  const { latencyMs, pipelining, maxConnections } = options;
  const replyTo = (recipient: string) => (mailboxes.has(recipient) ? ACCEPTED : unknownUser(recipient));
  const onCommands = (count: number) => (counts.commands += count);
  let port = 0;
  for (let index = 0; index < options.domains; index++) {
    let open = 0;
    const server = createServer({ noDelay: true }, (socket) => {
      open += 1;
      counts.connections += 1;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, open);
      onEnded(socket, () => (open -= 1));
      const isOneTooMany = maxConnections !== null && open > maxConnections;
      if (isOneTooMany) counts.turnedAway += 1;
      if (isOneTooMany) turnAway(socket, latencyMs);
      else converse(socket, { latencyMs, pipelining, replyTo, onCommands });
    });
    server.listen({ port, host: ipOf(index), backlog: 4_096 });
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }
  return port;
}

const SOA: Answer = {
  type: 'SOA',
  name: 'mailworld',
  ttl: 3_600,
  data: { mname: 'ns.mailworld', rname: 'hostmaster.mailworld', serial: 1, minimum: 3_600 },
};

async function serveNames({ domains, latencyMs, slowNames }: WorldOptions): Promise<string> {
  const records = new Map<string, Answer>();
  for (let index = 0; index < domains; index++) {
    const name = domainOf(index);
    const host = hostOf(name);
    const data = { preference: 10, exchange: host };
    records.set(`MX ${name}`, { type: 'MX', name, ttl: 3_600, data });
    records.set(`A ${host}`, { type: 'A', name: host, ttl: 3_600, data: ipOf(index) });
  }
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions } = decode(message);
    const [question] = questions ?? [];
    if (question === undefined) return;
    const answers = answersTo(question, records);
    // For negative caching (RFC 2308 §3).
    const authorities = answers.length > 0 ? [] : [SOA];
    const flags = AUTHORITATIVE_ANSWER;
    const response = encode({ type: 'response', id, flags, questions, answers, authorities });
    const answer = () => socket.send(response, port, address);
    if (slowNames === true) setTimeout(answer, latencyMs);
    else answer();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

function answersTo({ type, name }: Question, records: ReadonlyMap<string, Answer>): Answer[] {
  const record = records.get(`${type} ${name.toLowerCase()}`);
  return record === undefined ? [] : [record];
}

if (process.argv[1] === import.meta.filename) {
  const options = JSON.parse(process.argv[2] ?? '') as WorldOptions;
  const place: WorldPlace = { dnsServer: await serveNames(options), smtpPort: await serveMail(options) };
  process.on('message', () => {
    process.send?.({ ...counts });
    Object.assign(counts, NO_COUNTS);
  });
  process.on('disconnect', () => process.exit());
  process.send?.(place);
}
