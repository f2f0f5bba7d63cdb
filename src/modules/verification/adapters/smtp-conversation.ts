import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Dialler } from '../../../platform/net/dialler.js';
import type { SmtpReply } from '../domain/smtp-reply.js';
import { SmtpFailure } from './smtp-failure.js';
import { SmtpWire, type Patience } from './smtp-wire.js';

export interface Dialling {
  dialler: Dialler;
  /** The address itself, never a name: what was allowed is what is dialled. */
  ip: string;
  port: number;
  /** The name of the MX host, for TLS (SNI). */
  mxHost: string;
  connectTimeoutMs: number;
  /** For one reply, from the command to the reply's last line. */
  commandTimeoutMs: number;
}

/** One recipient, in a transaction of its own. */
export interface Envelope {
  /** An address, or '' for the null sender. */
  sender: string;
  recipient: string;
  smtpUtf8: boolean;
}

/** The reply that decided a transaction. */
export interface Outcome {
  stage: SmtpStage;
  reply: SmtpReply;
}

/**
 * One SMTP dialogue (RFC 5321) up to RCPT. Every method that returns a reply rejects
 * with an SmtpFailure when none comes; which reply is a good one is for the caller to say.
 */
export class SmtpConversation {
  /** True once STARTTLS succeeded. */
  secure = false;
  private keywords: ReadonlySet<string> = new Set();

  private constructor(
    private readonly wire: SmtpWire,
    private readonly dialling: Dialling,
  ) {}

  /** @throws SmtpFailure */
  static async connect(dialling: Dialling, signal: AbortSignal): Promise<SmtpConversation> {
    const { dialler, ip, port, connectTimeoutMs } = dialling;
    const wire = await SmtpWire.connect(dialler, ip, port, connectTimeoutMs, signal);
    return new SmtpConversation(wire, dialling);
  }

  /** Whether the last EHLO offered an extension, by its keyword in upper case. */
  offers(keyword: string): boolean {
    return this.keywords.has(keyword);
  }

  /** Whether the server has hung up or said something since it was last asked. */
  get stirred(): boolean {
    return this.wire.stirred;
  }

  banner(timeoutMs: number, signal: AbortSignal): Promise<SmtpReply> {
    return this.wire.reply('banner', { timeoutMs, signal });
  }

  /** EHLO, or HELO when the server knows no EHLO (RFC 5321 §3.2). */
  async hello(name: string, signal: AbortSignal): Promise<SmtpReply> {
    this.keywords = new Set();
    const reply = await this.wire.ask(`EHLO ${name}`, 'ehlo', this.patience(signal));
    if (reply.code === 250) this.keywords = keywordsOf(reply);
    return reply.code < 500 ? reply : this.oldHello(name, reply, signal);
  }

  /**
   * Returns the reply to STARTTLS; after 220 the connection is encrypted and the
   * server must be greeted again (RFC 3207 §4.2).
   */
  async startTls(signal: AbortSignal): Promise<SmtpReply> {
    const patience = this.patience(signal);
    const reply = await this.wire.ask('STARTTLS', 'starttls', patience);
    if (reply.code !== 220) return reply;
    await this.wire.secure(this.dialling.mxHost, patience);
    this.secure = true;
    this.keywords = new Set();
    return reply;
  }

  /**
   * MAIL and RCPT, after RSET when a transaction is open; in one go where the caller
   * says that the server takes that (RFC 2920), else one after the other.
   */
  async transaction(
    { sender, recipient, smtpUtf8 }: Envelope,
    { reset, pipelined }: { reset: boolean; pipelined: boolean },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const commands: Command[] = [
      { line: `MAIL FROM:<${sender}>${smtpUtf8 ? ' SMTPUTF8' : ''}`, stage: 'mail' },
      { line: `RCPT TO:<${recipient}>`, stage: 'rcpt' },
    ];
    if (reset) commands.unshift({ line: 'RSET', stage: 'mail' });
    return pipelined ? this.together(commands, signal) : this.inTurn(commands, signal);
  }

  /** Ends the dialogue politely. Resolves when the connection is closed. */
  quit(): Promise<void> {
    return this.wire.leave();
  }

  private async inTurn(commands: readonly Command[], signal: AbortSignal): Promise<Outcome> {
    for (const { line, stage } of commands) {
      const reply = await this.wire.ask(line, stage, this.patience(signal));
      if (stage === 'rcpt' || reply.code !== 250) return { stage, reply };
    }
    throw new RangeError('a transaction ends with RCPT');
  }

  /** All replies are read, also those after a refusal, so that the dialogue stays in step. */
  private async together(commands: readonly Command[], signal: AbortSignal): Promise<Outcome> {
    const unasked = this.wire.send(
      commands.map(({ line }) => line),
      'mail',
    );
    if (unasked !== null) return { stage: 'mail', reply: unasked };
    let decisive: Outcome | null = null;
    for (const { stage } of commands) {
      const reply = await this.wire.reply(stage, this.patience(signal)).catch((failure: unknown) => {
        // A server that refused and hung up has given its answer.
        if (decisive !== null && failure instanceof SmtpFailure) return null;
        throw failure;
      });
      if (reply === null) break;
      if (decisive === null && (stage === 'rcpt' || reply.code !== 250)) decisive = { stage, reply };
      // The server closes: no further reply will come.
      if (reply.code === 421) break;
    }
    if (decisive === null) throw new RangeError('a transaction ends with RCPT');
    if (this.wire.isOutOfStep) throw new SmtpFailure('protocol', 'rcpt', 'more replies than commands');
    return decisive;
  }

  private async oldHello(name: string, refusal: SmtpReply, signal: AbortSignal): Promise<SmtpReply> {
    try {
      return await this.wire.ask(`HELO ${name}`, 'ehlo', this.patience(signal));
    } catch (failure) {
      // A server that refused and hung up has given its answer.
      if (failure instanceof SmtpFailure && failure.kind === 'lost') return refusal;
      throw failure;
    }
  }

  private patience(signal: AbortSignal): Patience {
    return { timeoutMs: this.dialling.commandTimeoutMs, signal };
  }
}

interface Command {
  line: string;
  stage: SmtpStage;
}

/** The first line of the reply is the server's name; each other begins with a keyword (RFC 5321 §4.1.1.1). */
function keywordsOf(reply: SmtpReply): Set<string> {
  return new Set(reply.lines.slice(1).map((line) => (line.trim().split(/[ =]/)[0] ?? '').toUpperCase()));
}
