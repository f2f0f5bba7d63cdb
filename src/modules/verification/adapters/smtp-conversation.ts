import type { SmtpReply } from '../domain/smtp-reply.js';
import { SmtpFailure } from './smtp-failure.js';
import { SmtpWire } from './smtp-wire.js';

export interface Dialling {
  /** The address itself, never a name: what was allowed is what is dialled. */
  ip: string;
  port: number;
  /** The name of the MX host, for TLS (SNI). */
  mxHost: string;
  connectTimeoutMs: number;
  /** For one reply, from the command to the reply's last line. */
  commandTimeoutMs: number;
  /** The deadline: cuts every wait short. */
  signal: AbortSignal;
}

/**
 * One SMTP dialogue (RFC 5321), command by command, up to RCPT. Every method that
 * returns a reply rejects with an SmtpFailure when none comes; which reply is a good
 * one is for the caller to say.
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
  static async connect(dialling: Dialling): Promise<SmtpConversation> {
    const { ip, port, connectTimeoutMs, signal } = dialling;
    return new SmtpConversation(await SmtpWire.connect(ip, port, connectTimeoutMs, signal), dialling);
  }

  /** Whether the last EHLO offered an extension, by its keyword in upper case. */
  offers(keyword: string): boolean {
    return this.keywords.has(keyword);
  }

  banner(timeoutMs: number): Promise<SmtpReply> {
    return this.wire.reply('banner', timeoutMs);
  }

  /** EHLO, or HELO when the server knows no EHLO (RFC 5321 §3.2). */
  async hello(name: string): Promise<SmtpReply> {
    this.keywords = new Set();
    const reply = await this.wire.ask(`EHLO ${name}`, 'ehlo', this.dialling.commandTimeoutMs);
    if (reply.code === 250) this.keywords = keywordsOf(reply);
    return reply.code < 500 ? reply : this.oldHello(name, reply);
  }

  /**
   * Returns the reply to STARTTLS; after 220 the connection is encrypted and the
   * server must be greeted again (RFC 3207 §4.2).
   */
  async startTls(): Promise<SmtpReply> {
    const { mxHost, commandTimeoutMs } = this.dialling;
    const reply = await this.wire.ask('STARTTLS', 'starttls', commandTimeoutMs);
    if (reply.code !== 220) return reply;
    await this.wire.secure(mxHost, commandTimeoutMs);
    this.secure = true;
    this.keywords = new Set();
    return reply;
  }

  /** @param sender an address, or '' for the null sender. */
  mail(sender: string, options: { smtpUtf8: boolean }): Promise<SmtpReply> {
    const parameters = options.smtpUtf8 ? ' SMTPUTF8' : '';
    return this.wire.ask(`MAIL FROM:<${sender}>${parameters}`, 'mail', this.dialling.commandTimeoutMs);
  }

  rcpt(mailbox: string): Promise<SmtpReply> {
    return this.wire.ask(`RCPT TO:<${mailbox}>`, 'rcpt', this.dialling.commandTimeoutMs);
  }

  reset(): Promise<SmtpReply> {
    return this.wire.ask('RSET', 'mail', this.dialling.commandTimeoutMs);
  }

  /** Ends the dialogue politely; returns at once. */
  quit(): void {
    this.wire.leave();
  }

  private async oldHello(name: string, refusal: SmtpReply): Promise<SmtpReply> {
    try {
      return await this.wire.ask(`HELO ${name}`, 'ehlo', this.dialling.commandTimeoutMs);
    } catch (failure) {
      // A server that refused and hung up has given its answer.
      if (failure instanceof SmtpFailure && failure.kind === 'lost') return refusal;
      throw failure;
    }
  }
}

/** The first line of the reply is the server's name; each other begins with a keyword (RFC 5321 §4.1.1.1). */
function keywordsOf(reply: SmtpReply): Set<string> {
  return new Set(reply.lines.slice(1).map((line) => (line.trim().split(/[ =]/)[0] ?? '').toUpperCase()));
}
