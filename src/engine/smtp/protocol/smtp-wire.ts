import { isIP, type Socket } from 'node:net';
import { connect as startTls, type TLSSocket } from 'node:tls';
import { withDeadline } from '../../../kernel/deadline.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import { DialFailure, type Dialler, type DialErrorSide } from '../../../platform/net/dialler.js';
import type { SmtpReply } from '../../replies/smtp-reply.js';
import { sendQuit, settled } from './smtp-ending.js';
import { SmtpReplyReader, UnreadableReply } from './smtp-reply-reader.js';

/**
 * Why a session ended without a reply.
 *
 * `unreachable`: no connection; `egress_failed`: our own proxy failed; `timeout`: connected, but no reply
 * in time; `lost`: the server closed the connection; `protocol`: the reply is not SMTP, or replies and
 * commands do not match; `tls`: the handshake failed.
 */
export type SmtpFailureKind = 'unreachable' | 'egress_failed' | 'timeout' | 'lost' | 'protocol' | 'tls';

export class SmtpFailure extends Error {
  constructor(
    readonly kind: SmtpFailureKind,
    readonly stage: SmtpStage,
    message: string,
  ) {
    super(message);
  }
}

/** Replies of pipelined recipients that cannot be assigned with certainty. */
export class AmbiguousReply extends SmtpFailure {
  constructor() {
    super('protocol', 'rcpt', 'not all pipelined commands were answered');
  }
}

/** @throws errors other than SmtpFailure, which are bugs. */
export function failureOf(error: unknown): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  throw error;
}

/** Whether the server closed the connection. */
export function isLost(error: unknown): boolean {
  return error instanceof SmtpFailure && error.kind === 'lost';
}

const KIND_OF: Readonly<Record<DialErrorSide, SmtpFailureKind>> = {
  target: 'unreachable',
  egress: 'egress_failed',
  undecided: 'timeout',
};

export interface WireOptions {
  dialler: Dialler;
  /** The address that passed the address policy, never a name. */
  ip: string;
  port: number;
  connectTimeoutMs: number;
}

/** A timeout and a signal that cancels the wait. */
export interface WaitOptions {
  timeoutMs: number;
  signal: AbortSignal;
}

interface Wait {
  stage: SmtpStage;
  resolve(reply: SmtpReply): void;
  reject(failure: SmtpFailure): void;
}

/** A connection that sends command lines and receives replies. */
export class SmtpWire {
  private reader = new SmtpReplyReader();
  private wait: Wait | null = null;
  /** Replies that the server owes; the first is the greeting. */
  private unanswered = 1;
  private endReason: { kind: 'lost' | 'protocol'; message: string } | null = null;
  /** The client has closed the connection, and not the server. */
  private isDestroyed = false;

  private constructor(private socket: Socket) {
    this.listen();
  }

  /**
   * @throws SmtpFailure `unreachable`, also after the timeout; `timeout` when the signal aborts first;
   * `egress_failed`.
   */
  static async connect(
    { dialler, ip, port, connectTimeoutMs }: WireOptions,
    signal: AbortSignal,
  ): Promise<SmtpWire> {
    try {
      return new SmtpWire(await dialler.dial(ip, port, connectTimeoutMs, signal));
    } catch (failure) {
      if (!(failure instanceof DialFailure)) throw failure;
      throw new SmtpFailure(KIND_OF[failure.side], 'connect', failure.message);
    }
  }

  /** Whether there are more replies than commands; 421 may come at any time (RFC 5321 §3.8). */
  get isDesynchronized(): boolean {
    return this.reader.hasUnread && this.reader.peek()?.code !== 421;
  }

  /** Whether there is unread data, or the connection has ended. */
  get unsolicitedData(): boolean {
    return this.endReason !== null || this.reader.hasUnread;
  }

  dequeue(): SmtpReply | null {
    const reply = this.reader.dequeue();
    if (reply !== null) this.unanswered -= 1;
    return reply;
  }

  /**
   * Waits for the next reply.
   *
   * @param signal cancels the wait like a timeout.
   * @throws SmtpFailure
   */
  async reply(stage: SmtpStage, options: WaitOptions): Promise<SmtpReply> {
    const ready = this.dequeue();
    if (ready !== null) return ready;
    if (this.endReason !== null) throw new SmtpFailure(this.endReason.kind, stage, this.endReason.message);
    try {
      return await inTime(options, stage, () => this.nextReply(stage));
    } finally {
      this.wait = null;
    }
  }

  private nextReply(stage: SmtpStage): Promise<SmtpReply> {
    return new Promise((resolve, reject) => (this.wait = { stage, resolve, reject }));
  }

  /** Sends one command line and waits for its reply. @throws SmtpFailure */
  async command(line: string, stage: SmtpStage, waitOptions: WaitOptions): Promise<SmtpReply> {
    const unsolicited = this.send([line], stage);
    return unsolicited ?? this.reply(stage, waitOptions);
  }

  /**
   * Sends command lines together; replies arrive in the same order. Unsolicited data before a command
   * is a protocol error, since it would be read as the reply; only 421 may come at any time (RFC 5321
   * §3.8).
   *
   * @returns a 421 reply that arrived before anything was sent.
   * @throws SmtpFailure
   */
  send(lines: readonly string[], stage: SmtpStage): SmtpReply | null {
    // Addresses are checked by the parser; this is the second check, at the socket.
    if (lines.some((line) => /[\r\n\0]/.test(line)))
      throw new SmtpFailure('protocol', stage, 'a command must be one line');
    if (this.reader.hasUnread) {
      const unsolicited = this.reader.dequeue();
      if (unsolicited?.code === 421) return unsolicited;
      throw new SmtpFailure('protocol', stage, 'unsolicited data');
    }
    this.unanswered = lines.length;
    if (this.endReason === null) this.socket.write(lines.map((line) => `${line}\r\n`).join(''));
    return null;
  }

  /**
   * Opportunistic TLS (RFC 7435): the certificate is not verified, because without DANE or MTA-STS the
   * name would come from an unprotected MX record. Data received before TLS is discarded
   * (CVE-2011-0411).
   *
   * @throws SmtpFailure
   */
  async secure(serverName: string, options: WaitOptions): Promise<void> {
    const plain = this.socket;
    plain.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
    // An address is no server name (RFC 6066 §3).
    const servername = isIP(serverName) === 0 ? serverName : '';
    const secured = startTls({ socket: plain, servername, rejectUnauthorized: false });
    this.socket = secured;
    this.reader = new SmtpReplyReader();
    this.endReason = null;
    try {
      await inTime(options, 'starttls', () => handshake(secured, plain));
    } catch (failure) {
      secured.on('error', () => undefined);
      this.isDestroyed = true;
      secured.destroy();
      plain.destroy();
      throw failure;
    }
    this.listen();
  }

  /**
   * Sends QUIT and waits until the server has replied and closed the connection, as it must (RFC 5321
   * §4.1.1.10). A server that does not close it sees the end of the client, and has a bounded time to do so.
   * Resolves when the server no longer counts the session, as far as can be known.
   */
  async quit(): Promise<void> {
    const { socket } = this;
    socket.removeAllListeners('data').on('error', () => undefined);
    if (!socket.closed) {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      if (this.endReason?.kind === 'protocol')
        // The server sends too much data or no SMTP: nothing more is read.
        socket.end('QUIT\r\n', () => this.destroy());
      else if (socket.writable) sendQuit(socket, () => this.destroy());
      else socket.destroy();
      await closed;
    }
    if (this.isDestroyed) await settled();
  }

  /** Closes the connection at once, without QUIT. */
  destroy(): void {
    if (this.socket.destroyed) return;
    this.isDestroyed = true;
    this.socket.destroy();
  }

  private listen(): void {
    this.socket.on('data', (octets: Buffer) => this.receive(octets));
    this.socket.on('error', ({ message }) => this.end('lost', message));
    this.socket.on('close', () => this.end('lost', 'the server closed the connection'));
  }

  private receive(octets: Buffer): void {
    if (this.endReason !== null) return;
    try {
      this.reader.push(octets, this.unanswered <= 1);
      this.deliver();
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      this.socket.pause();
      this.end('protocol', error.message);
    }
  }

  private end(kind: 'lost' | 'protocol', message: string): void {
    this.endReason ??= { kind, message };
    this.deliver();
  }

  /**
   * Resolves the pending wait with the next reply, or rejects it with the end reason. Replies that
   * arrived before the end come first.
   */
  private deliver(): void {
    const { wait, endReason } = this;
    if (wait === null) return;
    const reply = this.dequeue();
    if (reply === null && endReason === null) return;
    this.wait = null;
    if (reply !== null) wait.resolve(reply);
    else if (endReason !== null) wait.reject(new SmtpFailure(endReason.kind, wait.stage, endReason.message));
  }
}

/** @throws SmtpFailure */
function handshake(secured: TLSSocket, plain: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new SmtpFailure('tls', 'starttls', reason));
    secured.once('secureConnect', resolve);
    secured.once('error', ({ message }: Error) => fail(message));
    secured.once('close', () => fail('the server closed the connection during the handshake'));
    plain.on('error', ({ message }: Error) => fail(message));
  });
}

/** Until the timeout, or the signal. @throws SmtpFailure */
async function inTime<T>(
  { timeoutMs, signal }: WaitOptions,
  stage: SmtpStage,
  wait: () => Promise<T>,
): Promise<T> {
  const result = await withDeadline(timeoutMs, signal, wait);
  if (result === null) throw new SmtpFailure('timeout', stage, 'no reply in time');
  return result;
}
