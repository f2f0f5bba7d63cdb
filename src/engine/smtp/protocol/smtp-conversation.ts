import type { SmtpStage } from '../../../kernel/verdict.js';
import { providerOf } from '../../providers/mail-exchange.js';
import { readReply, type ReplyMeaning } from '../../replies/mailbox-reply.js';
import type { SmtpReply } from '../../replies/smtp-reply.js';
import { keywordsOf, recipientCommand, transactionCommands, type Command } from './smtp-commands.js';
import type { Exchange, SmtpTranscript } from '../smtp-transcript.js';
import {
  AmbiguousReply,
  failureOf,
  isLost,
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

/** What a server sees of us. */
export interface Identity {
  heloName: string;
  /** An address, or '' for the null sender. */
  mailFrom: string;
}

/** A decisive reply, with its meaning: about a recipient, or to the connection. */
export interface SessionReply extends ReplyMeaning {
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
 * The commands and replies of an SMTP session (RFC 5321) up to RCPT, and the only place that records them in the
 * transcripts of recipients. Methods that return a reply reject with an SmtpFailure when none arrives.
 */
export class SmtpConversation {
  /** True after STARTTLS. */
  secure = false;
  /** From the greeting to the last EHLO. */
  readonly beginning: Exchange[] = [];
  /** The server refused EHLO and closed the connection, or closed it instead of a reply. */
  isHeloUntried = false;
  private keywords: ReadonlySet<string> = new Set();
  /** MAIL of the open transaction; null: none is open. */
  private mail: Exchange | null = null;

  private constructor(
    private readonly wire: SmtpWire,
    private readonly dialling: ConnectOptions,
    private readonly identity: Identity,
  ) {}

  /** @throws SmtpFailure */
  static async connect(
    dialling: ConnectOptions,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<SmtpConversation> {
    return new SmtpConversation(await SmtpWire.connect(dialling, signal), dialling, identity);
  }

  /** Whether recipients may be added to the transaction. */
  get isInTransaction(): boolean {
    return this.mail !== null;
  }

  /** Whether the last EHLO reply offered the extension; the keyword is in upper case. */
  offers(keyword: string): boolean {
    return this.keywords.has(keyword);
  }

  /** Whether the server has closed the connection or sent data without a command. */
  get unsolicitedData(): boolean {
    return this.wire.unsolicitedData;
  }

  /** Records how the session began, in the transcript of a recipient that joins it. */
  recordBeginning({ transcript }: Recipient): void {
    if (transcript !== undefined) for (const exchange of this.beginning) transcript.record(exchange);
  }

  async banner(timeoutMs: number, signal: AbortSignal): Promise<SmtpReply> {
    const reply = await this.wire.reply('banner', { timeoutMs, signal });
    this.beginning.push({ command: null, reply });
    return reply;
  }

  /**
   * EHLO, or HELO when the server does not support EHLO (RFC 5321 §3.2).
   *
   * @param transcript of the recipient for which the session begins anew.
   */
  async hello(signal: AbortSignal, transcript?: SmtpTranscript): Promise<SmtpReply> {
    this.keywords = new Set();
    const offer = await this.greet('EHLO', signal).catch((failure) => {
      this.isHeloUntried = isLost(failure) && !this.secure;
      throw failure;
    });
    if (offer.code === 250) this.keywords = keywordsOf(offer);
    this.isHeloUntried = offer.code === 421 && !this.secure;
    const reply = offer.code < 500 ? offer : await this.heloAfter(offer, signal);
    this.began({ command: `EHLO ${this.identity.heloName}`, reply }, transcript);
    return reply;
  }

  /** HELO alone, for a server that closes the connection at EHLO. */
  async helo(signal: AbortSignal): Promise<SmtpReply> {
    const reply = await this.greet('HELO', signal);
    this.began({ command: `HELO ${this.identity.heloName}`, reply });
    return reply;
  }

  /**
   * Returns the reply to STARTTLS. After 220 the connection is encrypted and EHLO must be sent again
   * (RFC 3207 §4.2).
   */
  async startTls(signal: AbortSignal, transcript?: SmtpTranscript): Promise<SmtpReply> {
    const waitOptions = this.waitOptions(signal);
    const reply = await this.wire.command('STARTTLS', 'starttls', waitOptions);
    if (reply.code === 220) {
      await this.wire.secure(this.dialling.mxHost, waitOptions);
      this.secure = true;
      this.keywords = new Set();
    }
    this.began({ command: 'STARTTLS', reply }, transcript);
    return reply;
  }

  /** Sends MAIL and RCPT, after RSET when a transaction is open, one command at a time. */
  async transaction(recipient: Recipient, reset: boolean, signal: AbortSignal): Promise<SessionReply> {
    this.mail = null;
    let mail: Exchange | null = null;
    for (const { line, stage } of transactionCommands(this.identity.mailFrom, recipient, reset)) {
      const reply = await this.exchange({ line, stage }, recipient, signal);
      if (stage === 'rcpt') this.mail = mail;
      if (stage === 'rcpt' || reply.code !== 250) return this.read(stage, reply, recipient);
      mail = { command: line, reply };
    }
    throw new RangeError('a transaction ends with RCPT');
  }

  /** Adds a recipient to the open transaction. */
  async addRecipient(recipient: Recipient, signal: AbortSignal): Promise<SessionReply> {
    if (this.mail !== null) recipient.transcript?.record(this.mail);
    const reply = await this.exchange(recipientCommand(recipient), recipient, signal);
    return this.read('rcpt', reply, recipient);
  }

  /**
   * Pipelines the transactions of several recipients (RFC 2920). Results are returned in order once all
   * have arrived: one reply too many or too few shifts all replies, and that is known only at the end.
   * Rejects when nothing could be sent.
   */
  async pipeline(requests: readonly SessionRequest[], reset: boolean): Promise<Result[]> {
    this.mail = null;
    const transactions = requests.map(({ recipient }, n) =>
      transactionCommands(this.identity.mailFrom, recipient, reset || n > 0),
    );
    const lines = transactions.flat().map(({ line }) => line);
    const unsolicited = this.wire.send(lines, 'mail');
    const exchanges = requests.map(({ recipient }): Exchange[] | null => (recipient.transcript ? [] : null));
    const replies: Result[] =
      unsolicited === null ? [] : [this.read('mail', unsolicited, requests[0]?.recipient)];
    for (const [n, commands] of transactions.entries()) {
      const previous = replies[n - 1];
      if (previous instanceof SmtpFailure) replies[n] = previous;
      else if (previous?.reply.code === 421)
        replies[n] = new SmtpFailure('lost', 'mail', 'the server closed the connection');
      else
        replies[n] ??= await this.readReplies(commands, requests[n]!, exchanges[n] ?? null).catch(failureOf);
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

  /** @param recipient default: the reply is to the connection. */
  read(stage: SmtpStage, reply: SmtpReply, recipient?: Recipient): SessionReply {
    const { heloName, mailFrom: sender } = this.identity;
    const { provider, mailbox } = recipient ?? { provider: providerOf(this.dialling.mxHost), mailbox: '' };
    return { stage, reply, ...readReply({ stage, reply, provider, recipient: mailbox, sender, heloName }) };
  }

  private began(exchange: Exchange, transcript?: SmtpTranscript): void {
    this.beginning.push(exchange);
    transcript?.record(exchange);
  }

  /** Sends QUIT. Resolves when the server no longer counts the session. */
  quit(): Promise<void> {
    return this.wire.quit();
  }

  /** Closes the connection at once, without QUIT. */
  destroy(): void {
    this.wire.destroy();
  }

  /** Reads all replies of a transaction, also after a rejection, so that replies stay aligned with commands. */
  private async readReplies(
    commands: readonly Command[],
    { recipient, signal }: SessionRequest,
    exchanges: Exchange[] | null,
  ): Promise<SessionReply> {
    let decisive: SessionReply | null = null;
    for (const { stage, line } of commands) {
      // Replies that are already received are not waited for.
      const reply: SmtpReply | null =
        this.wire.dequeue() ?? (await this.optionalReply(decisive !== null, stage, signal));
      if (reply === null) break;
      exchanges?.push({ command: line, reply });
      if (decisive === null && (stage === 'rcpt' || reply.code !== 250))
        decisive = this.read(stage, reply, recipient);
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

  private greet(verb: 'EHLO' | 'HELO', signal: AbortSignal): Promise<SmtpReply> {
    return this.wire.command(`${verb} ${this.identity.heloName}`, 'ehlo', this.waitOptions(signal));
  }

  private async heloAfter(rejection: SmtpReply, signal: AbortSignal): Promise<SmtpReply> {
    try {
      return await this.greet('HELO', signal);
    } catch (failure) {
      if (!isLost(failure)) throw failure;
      this.isHeloUntried = !this.secure;
      return rejection;
    }
  }

  private waitOptions(signal: AbortSignal): WaitOptions {
    return { timeoutMs: this.dialling.commandTimeoutMs, signal };
  }
}

type Result = SessionReply | SmtpFailure;

/** Whether it is a reply to RCPT that leaves the connection open. */
function isAboutRecipient(result: Result): boolean {
  return !(result instanceof SmtpFailure) && result.stage === 'rcpt' && result.reply.code !== 421;
}
