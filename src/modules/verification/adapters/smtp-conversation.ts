import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Dialler } from '../../../platform/net/dialler.js';
import type { SmtpReply } from '../domain/smtp-reply.js';
import { DoubtfulAnswer, failureOf, SmtpFailure } from './smtp-failure.js';
import { SmtpWire, type WaitOptions } from './smtp-wire.js';

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

/** One of several transactions that go out together. */
export interface Pipelined {
  envelope: Envelope;
  /** Cuts the wait for its replies short. */
  signal: AbortSignal;
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
  get unsolicitedData(): boolean {
    return this.wire.unsolicitedData;
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

  /** MAIL and RCPT, after RSET when a transaction is open, one after the other. */
  async transaction(envelope: Envelope, reset: boolean, signal: AbortSignal): Promise<Outcome> {
    for (const { line, stage } of commandsOf(envelope, reset)) {
      const reply = await this.wire.ask(line, stage, this.patience(signal));
      if (stage === 'rcpt' || reply.code !== 250) return { stage, reply };
    }
    throw new RangeError('a transaction ends with RCPT');
  }

  /**
   * The same for several recipients in one go, for a server that takes that (RFC 2920). What came of each
   * is told in their order, once all is there: one reply too many or too few would give each recipient
   * the answer to another, and shows at the end. Rejects when nothing could be asked.
   */
  async pipeline(requests: readonly Pipelined[], reset: boolean): Promise<ReceivedReply[]> {
    const transactions = requests.map(({ envelope }, n) => commandsOf(envelope, reset || n > 0));
    const lines = transactions.flat().map(({ line }) => line);
    const unasked = this.wire.send(lines, 'mail');
    const heard: ReceivedReply[] = unasked === null ? [] : [{ stage: 'mail', reply: unasked }];
    for (const [n, commands] of transactions.entries()) {
      const before = heard[n - 1];
      if (before instanceof SmtpFailure) heard[n] = before;
      else if (before?.reply.code === 421) heard[n] = new SmtpFailure('lost', 'mail', 'the server ended it');
      else heard[n] ??= await this.hear(commands, requests[n]!.signal).catch(failureOf);
    }
    const isComplete = !heard.some((each) => each instanceof SmtpFailure);
    if (isComplete && this.wire.isOutOfStep)
      return heard.map(() => new SmtpFailure('protocol', 'rcpt', 'more replies than commands'));
    if (heard.length === 1 || heard.every(isAboutRecipient)) return heard;
    return heard.map((each) => (isAboutRecipient(each) ? new DoubtfulAnswer() : each));
  }

  /** Ends the dialogue politely. Resolves when the connection is closed. */
  quit(): Promise<void> {
    return this.wire.leave();
  }

  /** All replies are read, also those after a refusal, so that the dialogue stays in step. */
  private async hear(commands: readonly Command[], signal: AbortSignal): Promise<Outcome> {
    let decisive: Outcome | null = null;
    for (const { stage } of commands) {
      // Those that came together with the last one are waited for by nobody.
      const reply: SmtpReply | null =
        this.wire.take() ?? (await this.replyUnless(decisive !== null, stage, signal));
      if (reply === null) break;
      if (decisive === null && (stage === 'rcpt' || reply.code !== 250)) decisive = { stage, reply };
      // The server closes: no further reply will come.
      if (reply.code === 421) break;
    }
    if (decisive === null) throw new RangeError('a transaction ends with RCPT');
    return decisive;
  }

  /** A server that refused and hung up has given its answer: then null. */
  private async replyUnless(
    answered: boolean,
    stage: SmtpStage,
    signal: AbortSignal,
  ): Promise<SmtpReply | null> {
    try {
      return await this.wire.reply(stage, this.patience(signal));
    } catch (failure) {
      if (answered && failure instanceof SmtpFailure) return null;
      throw failure;
    }
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

  private patience(signal: AbortSignal): WaitOptions {
    return { timeoutMs: this.dialling.commandTimeoutMs, signal };
  }
}

interface Command {
  line: string;
  stage: SmtpStage;
}

/** What came of one of several transactions. */
export type ReceivedReply = Outcome | SmtpFailure;

/** Whether it is a reply to RCPT, after which the dialogue goes on. */
function isAboutRecipient(heard: ReceivedReply): boolean {
  return !(heard instanceof SmtpFailure) && heard.stage === 'rcpt' && heard.reply.code !== 421;
}

function commandsOf({ sender, recipient, smtpUtf8 }: Envelope, reset: boolean): Command[] {
  const commands: Command[] = [
    { line: `MAIL FROM:<${sender}>${smtpUtf8 ? ' SMTPUTF8' : ''}`, stage: 'mail' },
    { line: `RCPT TO:<${recipient}>`, stage: 'rcpt' },
  ];
  return reset ? [{ line: 'RSET', stage: 'mail' }, ...commands] : commands;
}

/** The first line of the reply is the server's name; each other begins with a keyword (RFC 5321 §4.1.1.1). */
function keywordsOf(reply: SmtpReply): Set<string> {
  return new Set(reply.lines.slice(1).map((line) => (line.trim().split(/[ =]/)[0] ?? '').toUpperCase()));
}
