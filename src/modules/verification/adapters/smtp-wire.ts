import type { Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { SmtpStage } from '../../../kernel/verdict.js';
import { DialFailure, type Dialler, type DialFault } from '../../../platform/net/dialler.js';
import type { SmtpReply } from '../domain/smtp-reply.js';
import { SmtpFailure, type SmtpFailureKind } from './smtp-failure.js';
import { SmtpReplyReader, UnreadableReply } from './smtp-reply-reader.js';

/** How long a server may take to say goodbye. */
const FAREWELL_MS = 1_000;

const KIND_OF: Readonly<Record<DialFault, SmtpFailureKind>> = {
  target: 'unreachable',
  proxy: 'no_way_out',
  undecided: 'timeout',
};

/** How long to wait, and what cuts the wait short. */
export interface WaitOptions {
  timeoutMs: number;
  signal: AbortSignal;
}

interface Wait {
  stage: SmtpStage;
  resolve(reply: SmtpReply): void;
  reject(failure: SmtpFailure): void;
}

/** A connection that takes command lines and yields replies; it knows no command but QUIT. */
export class SmtpWire {
  private reader = new SmtpReplyReader();
  private wait: Wait | null = null;
  /** Why nothing more can come. */
  private over: { kind: 'lost' | 'protocol'; message: string } | null = null;

  private constructor(private socket: Socket) {
    this.listen();
  }

  /** @throws SmtpFailure `unreachable`, also after the time-out; `timeout` when the signal aborts first; `no_way_out`. */
  static async connect(
    dialler: Dialler,
    ip: string,
    port: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SmtpWire> {
    try {
      return new SmtpWire(await dialler.dial(ip, port, timeoutMs, signal));
    } catch (failure) {
      if (!(failure instanceof DialFailure)) throw failure;
      throw new SmtpFailure(KIND_OF[failure.fault], 'connect', failure.message);
    }
  }

  /** Whether there are more replies than commands were sent; 421 may come at any time (RFC 5321 §3.8). */
  get isOutOfStep(): boolean {
    return this.reader.holdsUnread && this.reader.peek()?.code !== 421;
  }

  /** Whether the server has said or done something since its last reply was taken, or is gone. */
  get unsolicitedData(): boolean {
    return this.over !== null || this.reader.holdsUnread;
  }

  /** The next reply, if it is there. */
  take(): SmtpReply | null {
    return this.reader.take();
  }

  /**
   * The next reply.
   *
   * @param signal cuts the wait short, as a time-out does.
   * @throws SmtpFailure
   */
  async reply(stage: SmtpStage, { timeoutMs, signal }: WaitOptions): Promise<SmtpReply> {
    const ready = this.take();
    if (ready !== null) return ready;
    if (this.over !== null) throw new SmtpFailure(this.over.kind, stage, this.over.message);
    try {
      return await settled<SmtpReply>(timeoutMs, signal, stage, (resolve, reject) => {
        this.wait = { stage, resolve, reject };
      });
    } finally {
      this.wait = null;
    }
  }

  /** Sends one line and waits for its reply. @throws SmtpFailure */
  async ask(line: string, stage: SmtpStage, patience: WaitOptions): Promise<SmtpReply> {
    const unasked = this.send([line], stage);
    return unasked ?? this.reply(stage, patience);
  }

  /**
   * Sends lines in one go; their replies come in their order. A server that spoke
   * unasked is out of step, and its next reply would be taken for the answer to
   * something else; only 421 may come at any time (RFC 5321 §3.8).
   *
   * @returns that 421, when it came before anything was sent.
   * @throws SmtpFailure
   */
  send(lines: readonly string[], stage: SmtpStage): SmtpReply | null {
    // The parser lets none of these through; whatever reaches the socket is checked again.
    if (lines.some((line) => /[\r\n\0]/.test(line)))
      throw new SmtpFailure('protocol', stage, 'a command must be one line');
    if (this.reader.holdsUnread) {
      const unasked = this.reader.take();
      if (unasked?.code === 421) return unasked;
      throw new SmtpFailure('protocol', stage, 'the server spoke unasked');
    }
    if (this.over === null) this.socket.write(lines.map((line) => `${line}\r\n`).join(''));
    return null;
  }

  /**
   * Opportunistic TLS (RFC 7435): the certificate is not verified, because without
   * DANE or MTA-STS any name in it would have come from an unprotected MX record.
   * What was received in the clear is forgotten (CVE-2011-0411).
   *
   * @throws SmtpFailure
   */
  async secure(serverName: string, { timeoutMs, signal }: WaitOptions): Promise<void> {
    const plain = this.socket;
    plain.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
    const secured = startTls({ socket: plain, servername: serverName, rejectUnauthorized: false });
    this.socket = secured;
    this.reader = new SmtpReplyReader();
    this.over = null;
    try {
      await settled(timeoutMs, signal, 'starttls', (resolve, reject) => {
        const fail = (reason: string) => reject(new SmtpFailure('tls', 'starttls', reason));
        secured.once('secureConnect', resolve);
        secured.once('error', ({ message }: Error) => fail(message));
        secured.once('close', () => fail('the server broke off the handshake'));
        plain.on('error', ({ message }: Error) => fail(message));
      });
    } catch (failure) {
      secured.on('error', () => undefined);
      secured.destroy();
      plain.destroy();
      throw failure;
    }
    this.listen();
  }

  /** Says QUIT and waits for the goodbye, not for long. Resolves when the connection is closed: until then the server counts it. */
  async leave(): Promise<void> {
    const { socket } = this;
    socket.removeAllListeners('data').on('error', () => undefined);
    if (socket.closed) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (this.over?.kind === 'protocol') {
      // It pours, or speaks no SMTP: nothing more is read from it.
      socket.end('QUIT\r\n', () => socket.destroy());
    } else if (socket.writable) {
      socket.resume();
      socket.write('QUIT\r\n');
      socket.once('data', () => socket.destroy());
      const timer = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
      void closed.then(() => clearTimeout(timer));
    } else {
      socket.destroy();
    }
    await closed;
  }

  private listen(): void {
    this.socket.on('data', (octets: Buffer) => this.receive(octets));
    this.socket.on('error', ({ message }) => this.end('lost', message));
    this.socket.on('close', () => this.end('lost', 'the server closed the connection'));
  }

  private receive(octets: Buffer): void {
    if (this.over !== null) return;
    try {
      this.reader.push(octets);
      this.deliver();
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      this.socket.pause();
      this.end('protocol', error.message);
    }
  }

  private end(kind: 'lost' | 'protocol', message: string): void {
    this.over ??= { kind, message };
    this.deliver();
  }

  /** Gives whoever waits the next reply, or the reason why there is none: replies that came before the end count. */
  private deliver(): void {
    const { wait, over } = this;
    if (wait === null) return;
    const reply = this.reader.take();
    if (reply === null && over === null) return;
    this.wait = null;
    if (reply !== null) wait.resolve(reply);
    else if (over !== null) wait.reject(new SmtpFailure(over.kind, wait.stage, over.message));
  }
}

/** Runs one wait under its time-out and the signal; both end it as `timeout`. */
function settled<T = void>(
  timeoutMs: number,
  signal: AbortSignal,
  stage: SmtpStage,
  start: (resolve: (value: T) => void, reject: (failure: SmtpFailure) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timedOut = () => finish(() => reject(new SmtpFailure('timeout', stage, 'no reply in time')));
    const timer = setTimeout(timedOut, Math.max(0, timeoutMs));
    const finish = (how: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', timedOut);
      how();
    };
    signal.addEventListener('abort', timedOut, { once: true });
    if (signal.aborted) return timedOut();
    start(
      (value) => finish(() => resolve(value)),
      (failure) => finish(() => reject(failure)),
    );
  });
}
