import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import type { DnsServer } from '../../../platform/net/dns-server.js';
import { isResponseTo, encodeQuestion } from './dns-message.js';
import type { DnsQuestion } from './dns-message.js';
import { readMessage, type DnsMessage } from './dns-reader.js';

/** `silent`: no response before the signal. `failed`: unreachable, or the response is no DNS message. */
export type ServerReply = { kind: 'packet'; packet: DnsMessage } | { kind: 'silent' } | { kind: 'failed' };

/** RFC 1035 §4.1.1. */
const HEADER_BYTES = 12;
const TC_BIT = 0x02;

/**
 * Sends a question to one server: over UDP, and over TCP when the response is truncated (RFC 7766 §5).
 * Never rejects; every socket is closed when it resolves.
 *
 * @param signal cancels the wait; must not be aborted yet.
 * @param limitTcp runs a TCP query within the connection limit; null when no slot was free in time.
 */
export async function queryServer(
  server: DnsServer,
  question: DnsQuestion,
  edns: boolean,
  signal: AbortSignal,
  limitTcp = (send: () => Promise<ServerReply>): Promise<ServerReply | null> => send(),
): Promise<ServerReply> {
  const message = encodeQuestion(question, randomInt(0x10000), edns);
  try {
    const reply = await queryOverUdp(server, message, question, signal);
    if (reply.kind !== 'truncated') return reply;
    return (await limitTcp(() => queryOverTcp(server, message, question, signal))) ?? { kind: 'silent' };
  } catch {
    return { kind: 'failed' }; // no socket: the process has no free file descriptor
  }
}

/**
 * Each query has its own socket, and so a random source port that an attacker has to guess in addition
 * to the ID (RFC 5452 §9.2). The socket is connected, so that the kernel drops packets from other
 * addresses and reports an unreachable server at once.
 */
function queryOverUdp(
  server: DnsServer,
  message: Buffer,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<ServerReply | { kind: 'truncated' }> {
  return new Promise((resolve) => {
    let isOver = false;
    const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4');
    const end = (reply: ServerReply | { kind: 'truncated' }) => {
      if (isOver) return;
      isOver = true;
      socket.close(() => resolve(reply));
    };
    socket.on('message', (received) => {
      if (isTruncated(received, message)) return end({ kind: 'truncated' });
      const reply = readReply(received, message, question);
      if (reply) end(reply);
    });
    socket.on('error', () => end({ kind: 'failed' }));
    socket.once('connect', () => socket.send(message));
    signal.addEventListener('abort', () => end({ kind: 'silent' }), { once: true });
    socket.connect(server.port, server.address);
  });
}

/** A message is preceded by its length, two bytes (RFC 1035 §4.2.2). */
function queryOverTcp(
  server: DnsServer,
  message: Buffer,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<ServerReply> {
  return new Promise((resolve) => {
    let reply: ServerReply = { kind: 'failed' };
    // Allocated for the longest message: concatenating chunks would copy the message once per chunk.
    const received = Buffer.allocUnsafe(2 + 0xffff);
    let size = 0;
    const socket = connect({ host: server.address, port: server.port, signal });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.once('connect', () => socket.write(Buffer.concat([length, message])));
    socket.on('data', (chunk) => {
      size += chunk.copy(received, size);
      if (size < 2 || size < 2 + received.readUInt16BE(0)) return;
      const response = received.subarray(2, 2 + received.readUInt16BE(0));
      reply = readReply(response, message, question) ?? { kind: 'failed' };
      socket.destroy();
    });
    socket.once('end', () => socket.destroy());
    socket.once('error', () => (reply = { kind: signal.aborted ? 'silent' : 'failed' }));
    socket.once('close', () => resolve(reply));
  });
}

/** null: not the response to this query but a stray or forged message; the real response may still arrive. */
function readReply(received: Buffer, query: Buffer, question: DnsQuestion): ServerReply | null {
  if (!hasSameId(received, query)) return null;
  const packet = readMessage(received);
  if (packet === null) return { kind: 'failed' };
  return isResponseTo(packet, question) ? { kind: 'packet', packet } : null;
}

/** Read from the header alone: some servers truncate in the middle of a record (RFC 2181 §9). */
function isTruncated(received: Buffer, query: Buffer): boolean {
  return hasSameId(received, query) && (received.readUInt8(2) & TC_BIT) !== 0;
}

function hasSameId(received: Buffer, query: Buffer): boolean {
  return received.length >= HEADER_BYTES && received.readUInt16BE(0) === query.readUInt16BE(0);
}
