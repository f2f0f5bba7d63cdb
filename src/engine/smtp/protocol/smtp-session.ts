import type { SmtpStage } from '../../../kernel/verdict.js';
import { requiresStartTls } from '../../replies/mailbox-reply.js';
import type { SmtpTranscript } from '../smtp-transcript.js';
import {
  SmtpConversation,
  type ConnectOptions,
  type Identity,
  type Recipient,
  type SessionReply,
  type SessionRequest,
} from './smtp-conversation.js';
import { settled } from './smtp-ending.js';
import { AmbiguousReply, failureOf, SmtpFailure } from './smtp-wire.js';
import { RecipientTransactions, type ServerCapabilities } from './recipient-transactions.js';
import { failedResult, mayBeAboutEhlo, NO_REPLY, type SmtpProbeResult } from './smtp-probe-result.js';

/** Exim and postscreen delay their greeting by 20–30 s to detect clients that talk too early. */
export const GREETING_TIMEOUT_FACTOR = 2;

const MAX_PIPELINED = 4;

/** A connection that was not greeted. */
export interface NotOpened {
  result: SmtpProbeResult;
  /** Resolves when the server no longer counts it. */
  closed: Promise<void>;
  /** Closes it at once. */
  abandon: () => void;
}

/**
 * A greeted connection to one server that probes one recipient after the other. `isClosed`: no further
 * recipient can be probed.
 */
export class SmtpSession {
  served = 0;
  /** Of these, rejected temporarily or permanently: servers count them. */
  rejected = 0;
  isClosed = false;
  /** Detected from the banner. */
  software: 'exim' | null = null;
  /** This process has ended it, and not the server. */
  isAbandoned = false;
  /** The last request was pipelined. */
  wasPipelined = false;
  private readonly transactions = new RecipientTransactions(this.conversation, this.capabilities);

  private constructor(
    private readonly conversation: SmtpConversation,
    private readonly capabilities: ServerCapabilities,
  ) {}

  /**
   * Connects and sends EHLO.
   *
   * @param onStage is called as each stage begins.
   * @returns the failure when the server rejected the connection.
   */
  static async open(
    dialling: ConnectOptions,
    identity: Identity,
    capabilities: ServerCapabilities,
    signal: AbortSignal,
    onStage: (stage: SmtpStage) => void = () => undefined,
  ): Promise<SmtpSession | NotOpened> {
    let session: SmtpSession | null = null;
    try {
      const conversation = await SmtpConversation.connect(dialling, identity, signal);
      session = new SmtpSession(conversation, capabilities);
      onStage('banner');
      const rejection = await session.start(GREETING_TIMEOUT_FACTOR * dialling.commandTimeoutMs, signal);
      if (rejection === null) return session;
      return session.notOpened(session.toProbeResult(rejection));
    } catch (failure) {
      const result = failedResult(failure);
      // The server may have accepted the connection, and count it until it sees the end.
      if (session === null) return { result, closed: settled(), abandon: () => undefined };
      return session.notOpened(result);
    }
  }

  /** Whether the server closed the connection or sent data between requests. */
  get unsolicitedData(): boolean {
    return this.conversation.unsolicitedData;
  }

  /** Requests that may be pipelined: more than one after the server has replied to a pipelined request. */
  get pipelineDepth(): number {
    return this.served > 0 && this.usesPipelining ? MAX_PIPELINED : 1;
  }

  /**
   * Probes recipients. With PIPELINING each has its own transaction, so that limits on recipients per
   * transaction do not apply. Results are in the order of the requests. Never rejects because of the
   * server; an error that makes replies ambiguous ends the session.
   */
  async probe(requests: readonly SessionRequest[]): Promise<SmtpProbeResult[]> {
    for (const { recipient } of requests) this.conversation.recordBeginning(recipient);
    const [first] = requests;
    if (first !== undefined && requests.length === 1) return [await this.probeOne(first)];
    const isUnsupported = ({ recipient }: SessionRequest) => recipient.international && !this.smtputf8;
    const replies = await this.sendPipelined(requests.filter((request) => !isUnsupported(request)));
    return requests.map((request) =>
      isUnsupported(request) ? this.smtpUtf8Unsupported() : this.finish(replies.shift()!),
    );
  }

  /** Sends QUIT. Resolves when the server no longer counts the session. */
  quit(): Promise<void> {
    this.isClosed = true;
    return this.conversation.quit();
  }

  /** Ends the session at once: its requests have no result, and say nothing about the server. */
  abandon(): void {
    this.isAbandoned = true;
    this.conversation.destroy();
  }

  private get usesPipelining(): boolean {
    return this.capabilities.pipelining && this.conversation.offers('PIPELINING');
  }

  private get smtputf8(): boolean {
    return this.conversation.offers('SMTPUTF8');
  }

  /** Closes the connection. */
  private notOpened(result: SmtpProbeResult): NotOpened {
    const { beginning, isHeloUntried } = this.conversation;
    const closed = this.quit();
    const mayBeHelo = isHeloUntried && mayBeAboutEhlo(result);
    const withBeginning = { ...result, beginning, ...(mayBeHelo && { isHeloUntried }) };
    return { result: withBeginning, closed, abandon: () => this.abandon() };
  }

  /** @returns the server's reply when it rejected the connection. */
  private async start(bannerMs: number, signal: AbortSignal): Promise<SessionReply | null> {
    const banner = await this.conversation.banner(bannerMs, signal);
    if (banner.code !== 220) return this.conversation.read('banner', banner);
    if (/\bExim\b/.test(banner.text)) this.software = 'exim';
    const rejection = await this.hello(signal);
    if (rejection !== null || !this.capabilities.tls || !this.conversation.offers('STARTTLS'))
      return rejection;
    return (await this.conversation.startTls(signal)).code === 220 ? this.hello(signal) : null;
  }

  private async hello(signal: AbortSignal, transcript?: SmtpTranscript): Promise<SessionReply | null> {
    const { conversation } = this;
    const isHelo = this.capabilities.hello === 'HELO';
    const reply = await (isHelo ? conversation.helo(signal) : conversation.hello(signal, transcript));
    return reply.code === 250 ? null : this.conversation.read('ehlo', reply);
  }

  private async probeOne({ recipient, signal }: SessionRequest): Promise<SmtpProbeResult> {
    if (recipient.international && !this.smtputf8) return this.smtpUtf8Unsupported();
    return this.finish(await this.sendWithRequiredTls(recipient, signal).catch(failureOf));
  }

  /** Counts the recipient. */
  private finish(reply: SessionReply | SmtpFailure): SmtpProbeResult {
    if (reply instanceof SmtpFailure) {
      this.isClosed = true;
      // The server has processed and counted the recipient.
      if (reply instanceof AmbiguousReply) this.served += 1;
      return failedResult(reply, { tls: this.conversation.secure, smtputf8: this.smtputf8 });
    }
    this.served += 1;
    if (reply.reply.code >= 400) this.rejected += 1;
    if (reply.reply.code === 421) this.isClosed = true;
    return this.toProbeResult(reply);
  }

  private async sendWithRequiredTls(recipient: Recipient, signal: AbortSignal): Promise<SessionReply> {
    const reply = await this.send(recipient, signal);
    if (!requiresStartTls(reply.reply) || this.conversation.secure || !this.conversation.offers('STARTTLS'))
      return reply;
    try {
      // If STARTTLS fails, the rejection that required it is the reply.
      if ((await this.conversation.startTls(signal, recipient.transcript)).code !== 220) return reply;
    } catch (failure) {
      this.isClosed = true;
      if (failure instanceof SmtpFailure && failure.kind === 'tls') return reply;
      throw failure;
    }
    this.capabilities.tls = true;
    this.transactions.isOpen = false;
    return (await this.hello(signal, recipient.transcript)) ?? this.send(recipient, signal);
  }

  private async send(recipient: Recipient, signal: AbortSignal): Promise<SessionReply> {
    this.wasPipelined = this.usesPipelining;
    if (this.wasPipelined) {
      const [reply] = await this.sendPipelined([{ recipient, signal }]);
      if (reply instanceof SmtpFailure) throw reply;
      return reply!;
    }
    const { reply, times } = await this.transactions.send(recipient, signal);
    // The server counts both.
    if (times > 1) this.served += 1;
    if (times > 1) this.rejected += 1;
    return reply;
  }

  private async sendPipelined(requests: readonly SessionRequest[]): Promise<(SessionReply | SmtpFailure)[]> {
    this.wasPipelined = true;
    const reset = this.transactions.isOpen;
    this.transactions.isOpen = true;
    return this.conversation
      .pipeline(requests, reset)
      .catch((error: unknown) => requests.map(() => failureOf(error)));
  }

  private toProbeResult({ stage, reply, category, rule }: SessionReply): SmtpProbeResult {
    const isFinal = stage === 'rcpt' && reply.code !== 421 && !requiresStartTls(reply);
    const smtputf8 = stage === 'banner' ? null : this.smtputf8;
    const tls = this.conversation.secure;
    return { ...NO_REPLY, end: 'replied', stage, reply, category, rule, tls, smtputf8, isFinal };
  }

  private smtpUtf8Unsupported(): SmtpProbeResult {
    const unsupported = { end: 'smtputf8_unsupported', category: 'smtputf8', smtputf8: false } as const;
    return { ...NO_REPLY, ...unsupported, stage: 'ehlo', tls: this.conversation.secure };
  }
}
