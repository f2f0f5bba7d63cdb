import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import { providerOf } from '../domain/mail-exchange.js';
import { asksForStartTls, readReply } from '../domain/mailbox-reply.js';
import type { SmtpReply } from '../domain/smtp-reply.js';
import { SmtpConversation, type Dialling, type Envelope, type Outcome } from './smtp-conversation.js';
import { DoubtfulAnswer, failureOf, SmtpFailure } from './smtp-failure.js';
import { brokenOff, type SmtpProbeResult } from './smtp-probe-result.js';

/** Exim and postscreen hold their greeting back for 20–30 s to see who speaks too early. */
const GREETING_PATIENCE = 2;

/** Recipients that are asked about before the first of them is answered. */
const MOST_TOGETHER = 4;

/** In whose name servers are asked. */
export interface Identity {
  heloName: string;
  /** An address, or '' for the null sender. */
  mailFrom: string;
}

/** What was learned about a server in earlier sessions. */
export interface ServerCapabilities {
  /** It demands STARTTLS before it answers. */
  tls: boolean;
  /** It offers PIPELINING and means it. */
  pipelining: boolean;
}

/** Asked of a greeted server. */
export interface Question {
  /** As it goes into RCPT. */
  mailbox: string;
  /** It needs SMTPUTF8 (RFC 6531). */
  international: boolean;
  /** Who runs the server, as the name that led there tells; replies are read by it. */
  provider: string | null;
}

/** A question of somebody's, and how it is called off. */
export interface Asked {
  question: Question;
  signal: AbortSignal;
}

/** A reply with what it was given to and what it means. */
interface SessionReply extends Outcome {
  category: SmtpCategory;
}

/**
 * A greeted connection to one server, asked about one recipient after the other.
 * `over` tells that it can be asked nothing more.
 */
export class SmtpSession {
  /** Recipients asked about. */
  served = 0;
  /** Of these, refused, for now or for good: servers count those. */
  refused = 0;
  over = false;
  /** As far as the greeting tells and it matters. */
  software: 'exim' | null = null;
  /** The last question went out in one go, its commands not waiting for each other. */
  wasPipelined = false;
  private inTransaction = false;

  private constructor(
    private readonly talk: SmtpConversation,
    private readonly identity: Identity,
    private readonly capabilities: ServerCapabilities,
    /** Read as its host's name tells, until somebody's question says more. */
    private readonly provider: string | null,
  ) {}

  /**
   * Connects and greets.
   *
   * @param reached hears of each stage as it begins.
   * @returns why there is no session, when the server let nobody in.
   */
  static async open(
    dialling: Dialling,
    identity: Identity,
    manners: ServerCapabilities,
    signal: AbortSignal,
    reached: (stage: SmtpStage) => void = () => undefined,
  ): Promise<SmtpSession | SmtpProbeResult> {
    let session: SmtpSession | null = null;
    try {
      const talk = await SmtpConversation.connect(dialling, signal);
      session = new SmtpSession(talk, identity, manners, providerOf(dialling.mxHost));
      reached('banner');
      const refusal = await session.begin(GREETING_PATIENCE * dialling.commandTimeoutMs, signal);
      if (refusal === null) return session;
      void session.leave();
      return session.finding(refusal);
    } catch (failure) {
      void session?.leave();
      return brokenOff(failure);
    }
  }

  /** Whether the server has hung up, or spoken, while nobody asked it anything. */
  get unsolicitedData(): boolean {
    return this.talk.unsolicitedData;
  }

  /** How many questions may go out together: more than one once the server has shown that it answers so. */
  get breadth(): number {
    return this.served > 0 && this.pipelines ? MOST_TOGETHER : 1;
  }

  /**
   * Asks about recipients, each in a transaction of its own: limits on a second one say
   * nothing about it. Answers come in the order of the questions. Never rejects for what the
   * server does; whatever leaves the dialogue out of step ends the session.
   */
  async ask(asked: readonly Asked[]): Promise<SmtpProbeResult[]> {
    const [first] = asked;
    if (first !== undefined && asked.length === 1) return [await this.askOne(first)];
    const lacks = ({ question }: Asked) => question.international && !this.smtputf8;
    const said = await this.offerTogether(asked.filter((each) => !lacks(each)));
    return asked.map((each) => (lacks(each) ? this.lackingSmtpUtf8() : this.settle(said.shift()!)));
  }

  /** Resolves when the connection is closed. */
  leave(): Promise<void> {
    this.over = true;
    return this.talk.quit();
  }

  private get pipelines(): boolean {
    return this.capabilities.pipelining && this.talk.offers('PIPELINING');
  }

  private get smtputf8(): boolean {
    return this.talk.offers('SMTPUTF8');
  }

  /** @returns what the server said, when it turned us away. */
  private async begin(bannerMs: number, signal: AbortSignal): Promise<SessionReply | null> {
    const banner = await this.talk.banner(bannerMs, signal);
    if (banner.code !== 220) return this.said('banner', banner);
    if (/\bExim\b/.test(banner.text)) this.software = 'exim';
    const refusal = await this.greet(signal);
    if (refusal !== null || !this.capabilities.tls || !this.talk.offers('STARTTLS')) return refusal;
    const { code } = await this.talk.startTls(signal);
    return code === 220 ? this.greet(signal) : null;
  }

  private async greet(signal: AbortSignal): Promise<SessionReply | null> {
    const reply = await this.talk.hello(this.identity.heloName, signal);
    return reply.code === 250 ? null : this.said('ehlo', reply);
  }

  private async askOne({ question, signal }: Asked): Promise<SmtpProbeResult> {
    if (question.international && !this.smtputf8) return this.lackingSmtpUtf8();
    return this.settle(await this.offerOverTlsIfAsked(question, signal).catch(failureOf));
  }

  private settle(said: SessionReply | SmtpFailure): SmtpProbeResult {
    if (said instanceof SmtpFailure) {
      this.over = true;
      // The server counts it, and has shown that it takes several together.
      if (said instanceof DoubtfulAnswer) this.served += 1;
      return brokenOff(said, { tls: this.talk.secure, smtputf8: this.smtputf8 });
    }
    this.served += 1;
    if (said.reply.code >= 400) this.refused += 1;
    if (said.reply.code === 421) this.over = true;
    return this.finding(said);
  }

  private async offerOverTlsIfAsked(question: Question, signal: AbortSignal): Promise<SessionReply> {
    const said = await this.offer(question, signal);
    if (!asksForStartTls(said.reply) || this.talk.secure || !this.talk.offers('STARTTLS')) return said;
    try {
      // Its demand stays the answer when it does not meet it itself.
      if ((await this.talk.startTls(signal)).code !== 220) return said;
    } catch (failure) {
      this.over = true;
      if (failure instanceof SmtpFailure && failure.kind === 'tls') return said;
      throw failure;
    }
    this.capabilities.tls = true;
    this.inTransaction = false;
    return (await this.greet(signal)) ?? this.offer(question, signal);
  }

  private async offer(question: Question, signal: AbortSignal): Promise<SessionReply> {
    this.wasPipelined = this.pipelines;
    if (this.wasPipelined) {
      const [said] = await this.offerTogether([{ question, signal }]);
      if (said instanceof SmtpFailure) throw said;
      return said!;
    }
    const reset = this.inTransaction;
    this.inTransaction = true;
    const { stage, reply } = await this.talk.transaction(this.envelopeFor(question), reset, signal);
    return this.said(stage, reply, question.provider, question.mailbox);
  }

  private async offerTogether(asked: readonly Asked[]): Promise<(SessionReply | SmtpFailure)[]> {
    this.wasPipelined = true;
    const reset = this.inTransaction;
    this.inTransaction = true;
    const requests = asked.map(({ question, signal }) => ({ envelope: this.envelopeFor(question), signal }));
    const heard = await this.talk
      .pipeline(requests, reset)
      .catch((error: unknown) => requests.map(() => failureOf(error)));
    return heard.map((each, n) => {
      if (each instanceof SmtpFailure) return each;
      const { provider, mailbox } = asked[n]!.question;
      return this.said(each.stage, each.reply, provider, mailbox);
    });
  }

  private envelopeFor({ mailbox, international }: Question): Envelope {
    return { sender: this.identity.mailFrom, recipient: mailbox, smtpUtf8: international };
  }

  private said(stage: SmtpStage, reply: SmtpReply, provider = this.provider, recipient = ''): SessionReply {
    const { mailFrom: sender, heloName } = this.identity;
    return { stage, reply, category: readReply({ stage, reply, provider, recipient, sender, heloName }) };
  }

  private finding({ stage, reply, category }: SessionReply): SmtpProbeResult {
    const settled = stage === 'rcpt' && reply.code !== 421 && !asksForStartTls(reply);
    const smtputf8 = stage === 'banner' ? null : this.smtputf8;
    return { end: 'replied', stage, reply, category, tls: this.talk.secure, smtputf8, settled };
  }

  private lackingSmtpUtf8(): SmtpProbeResult {
    const lacking = { end: 'smtputf8_unsupported', category: 'smtputf8', smtputf8: false } as const;
    return { ...lacking, stage: 'ehlo', reply: null, tls: this.talk.secure, settled: false };
  }
}
