import type { SmtpStage } from '../../../kernel/verdict.js';
import type { ReplyMeaning } from '../../replies/mailbox-reply.js';
import type { SmtpTranscript } from '../smtp-transcript.js';
import type { SmtpReply } from '../../replies/smtp-reply.js';

/** Some servers reject more in one transaction. */
const MAX_RECIPIENTS_PER_TRANSACTION = 10;

/** The recipient of one probe. */
export interface Recipient {
  /** The RCPT address. */
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

/** The same with its category and rule. */
export interface SessionReply extends TransactionReply, ReplyMeaning {}

/** Capabilities of a server, as observed. */
export class ServerCapabilities {
  /** The server requires STARTTLS. */
  tls = false;
  /** The server supports PIPELINING if it offers it. */
  pipelining = true;
  /** Recipients that may be in one transaction: none was rejected because of the others. */
  recipientsPerTransaction = MAX_RECIPIENTS_PER_TRANSACTION;
  /** The server has rejected a recipient among others as it did alone. */
  rejectsAmongOthers = false;
}
