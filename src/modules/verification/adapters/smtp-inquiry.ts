import type { Clock } from '../../../kernel/clock.js';
import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import type { EmailAddress } from '../domain/email-address.js';
import { providerOf } from '../domain/mail-exchange.js';
import { asksForStartTls, readReply } from '../domain/mailbox-reply.js';
import type { ProbeEnd, RandomProbe } from '../domain/mailbox-prober.js';
import type { SmtpReply } from '../domain/smtp-reply.js';
import { SmtpConversation, type Dialling } from './smtp-conversation.js';
import { SmtpFailure, type SmtpFailureKind } from './smtp-failure.js';

/** Exim and postscreen hold their greeting back for 20–30 s to see who speaks too early. */
const GREETING_PATIENCE = 2;

/** What is asked of every server, and in whose name. */
export interface Question {
  recipient: EmailAddress;
  /** A mailbox of the same domain that nobody has; null: do not ask about one. */
  randomMailbox: string | null;
  heloName: string;
  /** An address, or '' for the null sender. */
  mailFrom: string;
}

/** One server's part in the answer. */
export interface Finding {
  end: ProbeEnd;
  stage: SmtpStage;
  /** The reply that decided; null when the dialogue broke off. */
  reply: SmtpReply | null;
  category: SmtpCategory | null;
  mxHost: string;
  tls: boolean;
  smtputf8: boolean | null;
  random: RandomProbe;
  /** An answer about the recipient: no other server would know better. */
  settled: boolean;
}

/** A reply with what it was given to and what it means. */
interface Said {
  stage: SmtpStage;
  reply: SmtpReply;
  category: SmtpCategory;
}

const END_OF: Readonly<Record<SmtpFailureKind, ProbeEnd>> = {
  unreachable: 'no_connect',
  timeout: 'timeout',
  lost: 'smtp_protocol_error',
  protocol: 'smtp_protocol_error',
  tls: 'smtp_protocol_error',
};

/**
 * Asks one address of one host about a recipient. A refusal before RCPT, a 421, a
 * broken dialogue or a missing extension leave it unsettled: another server may answer.
 *
 * @param greetedByMs when the banner must be here, on the clock's monotonic scale
 */
export async function inquire(
  question: Question,
  dialling: Dialling,
  clock: Clock,
  greetedByMs: number,
): Promise<Finding> {
  const leftMs = (most: number) => Math.min(most, greetedByMs - clock.monotonicMs());
  let talk: SmtpConversation;
  try {
    const connectTimeoutMs = leftMs(dialling.connectTimeoutMs);
    talk = await SmtpConversation.connect({ ...dialling, connectTimeoutMs });
  } catch (failure) {
    return brokenOff(failure, dialling.mxHost, false, null);
  }
  const inquiry = new Inquiry(question, dialling.mxHost, talk);
  try {
    return await inquiry.run(leftMs(GREETING_PATIENCE * dialling.commandTimeoutMs));
  } catch (failure) {
    return brokenOff(failure, dialling.mxHost, talk.secure, inquiry.smtputf8);
  } finally {
    talk.quit();
  }
}

class Inquiry {
  /** Null until EHLO was answered. */
  smtputf8: boolean | null = null;
  private readonly provider: string | null;

  constructor(
    private readonly question: Question,
    private readonly mxHost: string,
    private readonly talk: SmtpConversation,
  ) {
    this.provider = providerOf(mxHost);
  }

  async run(bannerMs: number): Promise<Finding> {
    const { recipient, randomMailbox } = this.question;
    const banner = await this.talk.banner(bannerMs);
    if (banner.code !== 220) return this.finding(this.said('banner', banner));

    const hello = await this.greet();
    if (hello.reply.code !== 250) return this.finding(hello);
    if (recipient.international && !this.smtputf8) return this.finding({ ...hello, category: 'smtputf8' });

    const said = await this.offerOverTlsIfAsked();
    const random =
      said.category === 'accepted' && randomMailbox !== null ? await this.askRandom(randomMailbox) : null;
    return this.finding(said, random);
  }

  private async greet(): Promise<Said> {
    const reply = await this.talk.hello(this.question.heloName);
    if (reply.code === 250) this.smtputf8 = this.talk.offers('SMTPUTF8');
    return this.said('ehlo', reply);
  }

  private async offerOverTlsIfAsked(): Promise<Said> {
    const { mailbox, international } = this.question.recipient;
    const said = await this.offer(mailbox, international);
    if (!asksForStartTls(said.reply) || this.talk.secure || !this.talk.offers('STARTTLS')) return said;
    try {
      // Its demand stays the answer when it does not meet it itself.
      if ((await this.talk.startTls()).code !== 220) return said;
    } catch (failure) {
      if (failure instanceof SmtpFailure && failure.kind === 'tls') return said;
      throw failure;
    }
    const hello = await this.greet();
    return hello.reply.code === 250 ? this.offer(mailbox, international) : hello;
  }

  /** One transaction, up to its one recipient: a second one is met by limits that say nothing about it. */
  private async offer(mailbox: string, smtpUtf8: boolean): Promise<Said> {
    const mail = await this.talk.mail(this.question.mailFrom, { smtpUtf8 });
    if (mail.code !== 250) return this.said('mail', mail);
    return this.said('rcpt', await this.talk.rcpt(mailbox), mailbox);
  }

  /** Whatever goes wrong here takes nothing from the answer about the real address. */
  private async askRandom(mailbox: string): Promise<RandomProbe> {
    try {
      if ((await this.talk.reset()).code !== 250) return 'unusable';
      const { category } = await this.offer(mailbox, false);
      if (category === 'accepted') return 'accepted';
      return category === 'mailbox_not_found' || category === 'mailbox_disabled' ? 'refused' : 'unusable';
    } catch (failure) {
      if (failure instanceof SmtpFailure) return 'unusable';
      throw failure;
    }
  }

  private said(stage: SmtpStage, reply: SmtpReply, recipient = this.question.recipient.mailbox): Said {
    return { stage, reply, category: readReply({ stage, reply, provider: this.provider, recipient }) };
  }

  private finding({ stage, reply, category }: Said, random: RandomProbe = null): Finding {
    return {
      end: stage === 'ehlo' && category === 'smtputf8' ? 'smtputf8_unsupported' : 'replied',
      stage,
      reply,
      category,
      mxHost: this.mxHost,
      tls: this.talk.secure,
      smtputf8: this.smtputf8,
      random,
      settled: stage === 'rcpt' && reply.code !== 421 && !asksForStartTls(reply),
    };
  }
}

/** @throws what is no SmtpFailure: a fault of ours is no word about the server */
function brokenOff(failure: unknown, mxHost: string, tls: boolean, smtputf8: boolean | null): Finding {
  if (!(failure instanceof SmtpFailure)) throw failure;
  const { kind, stage } = failure;
  const nothingSaid = { reply: null, category: null, random: null, settled: false };
  return { end: END_OF[kind], stage, mxHost, tls, smtputf8, ...nothingSaid };
}
