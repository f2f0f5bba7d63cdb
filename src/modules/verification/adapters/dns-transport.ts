import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import { answers, encodeQuestion } from './dns-message.js';
import type { DnsQuestion } from './dns-message.js';
import { readMessage, type DnsMessage } from './dns-reader.js';

export interface DnsServer {
  address: string;
  port: number;
}

/** `silent`: nothing came before the signal. `failed`: unreachable, or what came is no DNS message. */
export type ServerReply = { kind: 'packet'; packet: DnsMessage } | { kind: 'silent' } | { kind: 'failed' };

interface Truncated {
  kind: 'truncated';
}

const TRUNCATED: Truncated = { kind: 'truncated' };

const DNS_PORT = 53;

/** RFC 1035 §4.1.1. */
const HEADER_BYTES = 12;
const TC_BIT = 0x02;

/** Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; null for anything else. */
export function parseDnsServer(text: string): DnsServer | null {
  if (isIP(text)) return { address: text, port: DNS_PORT };
  const [, v6, v4, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const isAddress = isIP(v6 ?? '') === 6 || isIP(v4 ?? '') === 4;
  return isAddress && port > 0 && port < 65_536 ? { address: (v6 ?? v4)!, port } : null;
}

/** Asks over TCP as soon as there is room for one more connection; null: there was none in time. */
export type TcpGate = (ask: () => Promise<ServerReply>) => Promise<ServerReply | null>;

const OPEN_GATE: TcpGate = (ask) => ask();

/**
 * Puts a question to one server: over UDP, and over TCP when the answer did not
 * fit (RFC 7766 §5). Never rejects; every socket is closed when it resolves.
 *
 * @param signal ends the wait; not aborted yet.
 */
export async function askServer(
  server: DnsServer,
  question: DnsQuestion,
  edns: boolean,
  signal: AbortSignal,
  tcpGate = OPEN_GATE,
): Promise<ServerReply> {
  const message = encodeQuestion(question, randomInt(0x10000), edns);
  try {
    const reply = await askOverUdp(server, message, question, signal);
    if (reply.kind !== 'truncated') return reply;
    return (await tcpGate(() => askOverTcp(server, message, question, signal))) ?? { kind: 'silent' };
  } catch {
    return { kind: 'failed' }; // no socket to be had: the process is out of descriptors
  }
}

/**
 * A socket of its own for each question gives each a random source port, which
 * a forger has to guess beside the id (RFC 5452 §9.2). It is connected, so that
 * the kernel drops what comes from elsewhere and reports an unreachable server
 * at once.
 */
function askOverUdp(
  server: DnsServer,
  message: Buffer,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<ServerReply | Truncated> {
  return new Promise((resolve) => {
    let isOver = false;
    const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4');
    const end = (reply: ServerReply | Truncated) => {
      if (isOver) return;
      isOver = true;
      socket.close(() => resolve(reply));
    };
    socket.on('message', (received) => {
      const reply = isTruncated(received, message) ? TRUNCATED : readReply(received, message, question);
      if (reply) end(reply);
    });
    socket.on('error', () => end({ kind: 'failed' }));
    socket.once('connect', () => socket.send(message));
    signal.addEventListener('abort', () => end({ kind: 'silent' }), { once: true });
    socket.connect(server.port, server.address);
  });
}

/** A message is preceded by its length, two bytes (RFC 1035 §4.2.2). */
function askOverTcp(
  server: DnsServer,
  message: Buffer,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<ServerReply> {
  return new Promise((resolve) => {
    let reply: ServerReply = { kind: 'failed' };
    // Of the longest there can be: joined piece by piece, a message would be copied once for each of them.
    const received = Buffer.allocUnsafe(2 + 0xffff);
    let size = 0;
    const socket = connect({ host: server.address, port: server.port, signal });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.once('connect', () => socket.write(Buffer.concat([length, message])));
    socket.on('data', (chunk) => {
      size += chunk.copy(received, size);
      if (size < 2 || size < 2 + received.readUInt16BE(0)) return;
      const answer = received.subarray(2, 2 + received.readUInt16BE(0));
      reply = readReply(answer, message, question) ?? { kind: 'failed' };
      socket.destroy();
    });
    socket.once('end', () => socket.destroy());
    socket.once('error', () => (reply = { kind: signal.aborted ? 'silent' : 'failed' }));
    socket.once('close', () => resolve(reply));
  });
}

/** null: not an answer to what was asked, but a stray or forged message; the true answer may still come. */
function readReply(received: Buffer, asked: Buffer, question: DnsQuestion): ServerReply | null {
  if (!hasSameId(received, asked)) return null;
  const packet = readMessage(received);
  if (packet === null) return { kind: 'failed' };
  return answers(packet, question) ? { kind: 'packet', packet } : null;
}

/** Read from the header alone: some servers cut the message in the middle of a record (RFC 2181 §9). */
function isTruncated(received: Buffer, asked: Buffer): boolean {
  return hasSameId(received, asked) && (received.readUInt8(2) & TC_BIT) !== 0;
}

function hasSameId(received: Buffer, asked: Buffer): boolean {
  return received.length >= HEADER_BYTES && received.readUInt16BE(0) === asked.readUInt16BE(0);
}
