import type { SmtpStage } from '../../../kernel/verdict.js';
import type { SmtpReply } from '../../replies/smtp-reply.js';
import type { Exchange, SmtpTranscript } from '../smtp-transcript.js';
import {
  AmbiguousReply,
  failureOf,
  SmtpFailure,
  SmtpWire,
  type WaitOptions,
  type WireOptions,
} from './smtp-wire.js';

export interface Recipient {
  mailbox: string;
  /** Requires SMTPUTF8 (RFC 6531). */
  international: boolean;
  /** The provider by MX host name; it selects the rules that interpret replies. */
  provider: string | null;
  /** No other recipient may be in its transaction. */
  isAlone?: boolean;
  /** Records the dialogue about this recipient. */
  transcript?: SmtpTranscript | undefined;
}

/** The decisive reply about a recipient. */
export interface TransactionReply {
  stage: SmtpStage;
  reply: SmtpReply;
}

export interface ConnectOptions extends WireOptions {
  /** The MX host name, for TLS (SNI). */
  mxHost: string;
  /** For one reply, from the command to the reply's last line. */
  commandTimeoutMs: number;
}

/** A recipient and the signal that cancels its probe. */
export interface SessionRequest {
  recipient: Recipient;
  signal: AbortSignal;
}

/**
 * An SMTP session (RFC 5321) up to RCPT. Methods that return a reply reject with an SmtpFailure when
 * none arrives; the caller interprets the reply.
 */
export class SmtpConversation {
  /** True after STARTTLS. */
  secure = false;
  private keywords: ReadonlySet<string> = new Set();

  private constructor(
    private readonly wire: SmtpWire,
    private readonly dialling: ConnectOptions,
    private readonly sender: string,
  ) {}

  /** @param sender an address, or '' for the null sender. @throws SmtpFailure */
  static async connect(
    dialling: ConnectOptions,
    signal: AbortSignal,
    sender = '',
  ): Promise<SmtpConversation> {
    const wire = await SmtpWire.connect(dialling, signal);
    return new SmtpConversation(wire, dialling, sender);
  }

  /** Whether the last EHLO reply offered the extension; the keyword is in upper case. */
  offers(keyword: string): boolean {
    return this.keywords.has(keyword);
  }

  /** Whether the server closed the connection or sent data without a command. */
  get unsolicitedData(): boolean {
    return this.wire.unsolicitedData;
  }

  banner(timeoutMs: number, signal: AbortSignal): Promise<SmtpReply> {
    return this.wire.reply('banner', { timeoutMs, signal });
  }

  /** EHLO, or HELO when the server does not support EHLO (RFC 5321 §3.2). */
  async hello(name: string, signal: AbortSignal): Promise<SmtpReply> {
    this.keywords = new Set();
    const reply = await this.wire.command(`EHLO ${name}`, 'ehlo', this.waitOptions(signal));
    if (reply.code === 250) this.keywords = keywordsOf(reply);
    return reply.code < 500 ? reply : this.helo(name, reply, signal);
  }

  /**
   * Returns the reply to STARTTLS. After 220 the connection is encrypted and EHLO must be sent again
   * (RFC 3207 §4.2).
   */
  async startTls(signal: AbortSignal): Promise<SmtpReply> {
    const waitOptions = this.waitOptions(signal);
    const reply = await this.wire.command('STARTTLS', 'starttls', waitOptions);
    if (reply.code !== 220) return reply;
    await this.wire.secure(this.dialling.mxHost, waitOptions);
    this.secure = true;
    this.keywords = new Set();
    return reply;
  }

  /**
   * Sends MAIL and RCPT, after RSET when a transaction is open, one command at a time.
   *
   * @returns with `mail` null when MAIL was rejected; otherwise the transaction is open.
   */
  async transaction(
    recipient: Recipient,
    reset: boolean,
    signal: AbortSignal,
  ): Promise<TransactionReply & { mail: Exchange | null }> {
    let mail: Exchange | null = null;
    for (const { line, stage } of this.commandsFor(recipient, reset)) {
      const reply = await this.exchange({ line, stage }, recipient, signal);
      if (stage === 'rcpt') return { stage, reply, mail };
      if (reply.code !== 250) return { stage, reply, mail: null };
      mail = { command: line, reply };
    }
    throw new RangeError('a transaction ends with RCPT');
  }

  addRecipient(recipient: Recipient, signal: AbortSignal): Promise<SmtpReply> {
    return this.exchange(recipientCommand(recipient), recipient, signal);
  }

  /**
   * Pipelines the transactions of several recipients (RFC 2920). Results are returned in order once all
   * have arrived: one reply too many or too few shifts all replies, and that is known only at the end.
   * Rejects when nothing could be sent.
   */
  async pipeline(requests: readonly SessionRequest[], reset: boolean): Promise<ReceivedReply[]> {
    const transactions = requests.map(({ recipient }, n) => this.commandsFor(recipient, reset || n > 0));
    const lines = transactions.flat().map(({ line }) => line);
    const unsolicited = this.wire.send(lines, 'mail');
    const exchanges = requests.map(({ recipient }): Exchange[] | null => (recipient.transcript ? [] : null));
    const replies: ReceivedReply[] = unsolicited === null ? [] : [{ stage: 'mail', reply: unsolicited }];
    for (const [n, commands] of transactions.entries()) {
      const previous = replies[n - 1];
      if (previous instanceof SmtpFailure) replies[n] = previous;
      else if (previous?.reply.code === 421)
        replies[n] = new SmtpFailure('lost', 'mail', 'the server closed the connection');
      else
        replies[n] ??= await this.readReplies(commands, requests[n]!.signal, exchanges[n] ?? null).catch(
          failureOf,
        );
    }
    const isComplete = !replies.some((reply) => reply instanceof SmtpFailure);
    if (isComplete && this.wire.isDesynchronized)
      return replies.map(() => new SmtpFailure('protocol', 'rcpt', 'more replies than commands'));
    if (replies.length === 1 || replies.every(isAboutRecipient)) {
      // Only now: a shifted reply would be about another team's recipient.
      for (const [n, { recipient }] of requests.entries())
        for (const exchange of exchanges[n] ?? []) recipient.transcript?.record(exchange);
      return replies;
    }
    return replies.map((reply) => (isAboutRecipient(reply) ? new AmbiguousReply() : reply));
  }

  private commandsFor(recipient: Recipient, reset: boolean): Command[] {
    const mail = `MAIL FROM:<${this.sender}>${recipient.international ? ' SMTPUTF8' : ''}`;
    const commands: Command[] = [{ line: mail, stage: 'mail' }, recipientCommand(recipient)];
    return reset ? [{ line: 'RSET', stage: 'mail' }, ...commands] : commands;
  }

  /** Sends QUIT. Resolves when the connection is closed. */
  quit(): Promise<void> {
    return this.wire.quit();
  }

  /** Reads all replies of a transaction, also after a rejection, so that replies stay aligned with commands. */
  private async readReplies(
    commands: readonly Command[],
    signal: AbortSignal,
    exchanges: Exchange[] | null,
  ): Promise<TransactionReply> {
    let decisive: TransactionReply | null = null;
    for (const { stage, line } of commands) {
      // Replies that are already received are not waited for.
      const reply: SmtpReply | null =
        this.wire.dequeue() ?? (await this.optionalReply(decisive !== null, stage, signal));
      if (reply === null) break;
      exchanges?.push({ command: line, reply });
      if (decisive === null && (stage === 'rcpt' || reply.code !== 250)) decisive = { stage, reply };
      // After 421 the server closes the connection; no further reply follows.
      if (reply.code === 421) break;
    }
    if (decisive === null) throw new RangeError('a transaction ends with RCPT');
    return decisive;
  }

  /** null when the transaction already has its result and the server closed the connection. */
  private async optionalReply(
    hasReply: boolean,
    stage: SmtpStage,
    signal: AbortSignal,
  ): Promise<SmtpReply | null> {
    try {
      return await this.wire.reply(stage, this.waitOptions(signal));
    } catch (failure) {
      if (hasReply && failure instanceof SmtpFailure) return null;
      throw failure;
    }
  }

  private async exchange(
    { line, stage }: Command,
    { transcript }: Recipient,
    signal: AbortSignal,
  ): Promise<SmtpReply> {
    transcript?.sent(line);
    const reply = await this.wire.command(line, stage, this.waitOptions(signal));
    transcript?.received(reply);
    return reply;
  }

  private async helo(name: string, rejection: SmtpReply, signal: AbortSignal): Promise<SmtpReply> {
    try {
      return await this.wire.command(`HELO ${name}`, 'ehlo', this.waitOptions(signal));
    } catch (failure) {
      // The server rejected EHLO and closed the connection.
      if (failure instanceof SmtpFailure && failure.kind === 'lost') return rejection;
      throw failure;
    }
  }

  private waitOptions(signal: AbortSignal): WaitOptions {
    return { timeoutMs: this.dialling.commandTimeoutMs, signal };
  }
}

interface Command {
  line: string;
  stage: SmtpStage;
}

/** The result of one pipelined transaction. */
export type ReceivedReply = TransactionReply | SmtpFailure;

/** Whether it is a reply to RCPT that leaves the connection open. */
function isAboutRecipient(replies: ReceivedReply): boolean {
  return !(replies instanceof SmtpFailure) && replies.stage === 'rcpt' && replies.reply.code !== 421;
}

const recipientCommand = ({ mailbox }: Recipient): Command => ({
  line: `RCPT TO:<${mailbox}>`,
  stage: 'rcpt',
});

/**
 * The first line of the reply is the server's name; each other line begins with a keyword (RFC 5321
 * §4.1.1.1).
 */
function keywordsOf(reply: SmtpReply): Set<string> {
  return new Set(reply.lines.slice(1).map((line) => (line.trim().split(/[ =]/)[0] ?? '').toUpperCase()));
}
