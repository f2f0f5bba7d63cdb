import type { MxRecord, SmtpEvidence, SmtpStage } from '../../../kernel/verdict.js';
import type { EmailAddress } from './email-address.js';
import type { Requester } from './requester.js';

/**
 * How an attempt to ask the mail servers ended.
 *
 * `replied`: a server said something about the recipient, or refused us before;
 * `evidence.category` says what it meant. All others: no such reply was had.
 */
export type ProbeEnd =
  | 'replied'
  /** No host could be connected to. */
  | 'no_connect'
  /** The proxy through which we dial failed: nothing was learned about the hosts. */
  | 'no_way_out'
  /** A stage's time-out or the deadline passed first. */
  | 'timeout'
  /** The server broke off, or what it said is no SMTP. */
  | 'smtp_protocol_error'
  /** Every address of every host is one that must not be dialled. */
  | 'unsafe_mail_server'
  /** Not one of the MX hosts has an address; the DNS said so with authority. */
  | 'no_address'
  /** The hosts' addresses could not be learned. */
  | 'dns_error'
  /** The local part needs SMTPUTF8 and no reachable host offers it (RFC 6531 §3.2). */
  | 'smtputf8_unsupported';

/** What the same server said to an address that cannot exist; null: it was not asked. */
export type RandomProbe = 'accepted' | 'refused' | 'unusable' | null;

export interface ProbeResult {
  end: ProbeEnd;
  /** null when no connection was attempted; without a host where earlier refusals stand for the answer. */
  evidence: SmtpEvidence | null;
  random: RandomProbe;
  /** Whether the host that answered offers SMTPUTF8; null: no EHLO was answered. */
  smtputf8: boolean | null;
}

/** What came of a server that was dialled. */
export interface ServerEvidence extends SmtpEvidence {
  stage: SmtpStage;
  mxHost: string;
  tls: boolean;
}

/** The result, had by dialling. */
export interface DialledResult extends ProbeResult {
  evidence: ServerEvidence | null;
}

/** The result, and every refusal of us that was met on the way to it. */
export interface ProbeOutcome extends DialledResult {
  refusals: readonly ServerEvidence[];
}

export interface ProbeRequest extends Requester {
  recipient: EmailAddress;
  /** In the order of preference; at least one. */
  hosts: readonly MxRecord[];
  /** Ask about a random address too, once the real one was accepted. */
  askRandom: boolean;
  /** When to give up, on the scale of `Clock.monotonicMs`; the signal aborts then at the latest. */
  deadlineMs: number;
}

/** Port: asks a domain's mail servers whether they would take mail for an address. */
export abstract class MailboxProber {
  /** @param signal the deadline: cuts every stage short. Never rejects. */
  abstract probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome>;

  /** Takes leave of the servers that are still connected. */
  abstract close(): Promise<void>;
}
