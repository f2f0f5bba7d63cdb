import type { SmtpCategory } from '../../../kernel/verdict.js';
import type { Recipient, SessionReply, SmtpConversation } from './smtp-conversation.js';

/** Some servers reject more in one transaction. */
const MAX_RECIPIENTS_PER_TRANSACTION = 10;

/** Capabilities of a server, as observed. */
export class ServerCapabilities {
  /** The server requires STARTTLS. */
  tls = false;
  /** The first command. A server that closes the connection at EHLO gets HELO in another one, once. */
  hello: 'EHLO' | 'HELO' = 'EHLO';
  /** HELO was refused too. */
  refusesHelo = false;
  /** The server supports PIPELINING if it offers it. */
  pipelining = true;
  /** Recipients that may be in one transaction: none was rejected because of the others. */
  recipientsPerTransaction = MAX_RECIPIENTS_PER_TRANSACTION;
  /** The server has rejected a recipient among others as it did alone. */
  rejectsAmongOthers = false;
}

/** A transaction to which recipients may be added. */
interface SharedTransaction {
  domain: string;
  international: boolean;
  recipients: number;
}

/** A rejection for such a reason can be about the recipient alone. */
const MAILBOX_STATES: ReadonlySet<SmtpCategory> = new Set(['mailbox_not_found', 'mailbox_disabled']);

/**
 * The transactions of a session with a server without PIPELINING, where each command takes a round trip.
 * Recipients of one domain have a transaction together: one round trip each, instead of three for RSET,
 * MAIL and RCPT.
 *
 * A server may reject a recipient because of the others: it limits their number (452 4.5.3) or their
 * policies, or an earlier rejection has ended the transaction (503). So a rejected recipient is probed
 * again in a transaction of its own, and that reply counts, unless the server has shown that it rejects
 * unknown mailboxes among others as it does alone. See `docs/decisions/smtp.md`.
 */
export class RecipientTransactions {
  /** RSET must come before the next MAIL. */
  isOpen = false;
  private shared: SharedTransaction | null = null;

  constructor(
    private readonly conversation: SmtpConversation,
    private readonly server: ServerCapabilities,
  ) {}

  /** @returns the reply, and how many times the recipient was sent. */
  async send(recipient: Recipient, signal: AbortSignal): Promise<{ reply: SessionReply; times: number }> {
    const among = this.mayShare(recipient) ? await this.add(recipient, signal) : null;
    if (among !== null && this.isFinal(among)) return { reply: among, times: 1 };
    const others = (this.shared?.recipients ?? 1) - 1;
    const reply = await this.begin(recipient, signal);
    if (among === null) return { reply, times: 1 };
    if (reply.category !== among.category) this.server.recipientsPerTransaction = others;
    else if (MAILBOX_STATES.has(reply.category)) this.server.rejectsAmongOthers = true;
    return { reply, times: 2 };
  }

  private mayShare({ mailbox, international, isAlone = false }: Recipient): boolean {
    const { shared, isOpen } = this;
    if (shared === null || !isOpen || isAlone || shared.international !== international) return false;
    // Some servers reject recipients of several domains in one transaction.
    return shared.recipients < this.server.recipientsPerTransaction && shared.domain === domainOf(mailbox);
  }

  private add(recipient: Recipient, signal: AbortSignal): Promise<SessionReply> {
    this.shared!.recipients += 1;
    return this.conversation.addRecipient(recipient, signal);
  }

  private async begin(recipient: Recipient, signal: AbortSignal): Promise<SessionReply> {
    const { mailbox, international, isAlone = false } = recipient;
    const reset = this.isOpen;
    this.isOpen = true;
    this.shared = null;
    const reply = await this.conversation.transaction(recipient, reset, signal);
    if (this.conversation.isInTransaction && !isAlone)
      this.shared = { domain: domainOf(mailbox), international, recipients: 1 };
    return reply;
  }

  private isFinal({ reply, category }: SessionReply): boolean {
    // After 421 the server closes the connection.
    if (reply.code < 400 || reply.code === 421) return true;
    return this.server.rejectsAmongOthers && MAILBOX_STATES.has(category);
  }
}

const domainOf = (mailbox: string) => mailbox.slice(mailbox.lastIndexOf('@') + 1);
