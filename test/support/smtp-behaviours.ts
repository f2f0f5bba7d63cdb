/**
 * What a scripted mail server does at one moment.
 *
 * A text is a whole reply: its lines apart by `\n`, as `'250-one\n250 two'`; the
 * server adds CRLF. The others are what servers do instead of, or before, replying.
 */
export type Reaction =
  | string
  /** Octets exactly as they are, no line end added. */
  | { raw: string }
  | { afterMs: number; then: Reaction }
  /** One octet at a time. */
  | { drip: string; everyMs: number }
  /** Says this over and over, until the client has gone. */
  | { endless: string }
  /** One after the other. */
  | readonly Reaction[]
  | { act: 'nothing' | 'close' | 'reset' };

/** Says nothing and keeps the connection. */
export const SILENCE: Reaction = { act: 'nothing' };
/** Closes the connection in good order (FIN). */
export const HANG_UP: Reaction = { act: 'close' };
/** Breaks the connection off (RST). */
export const RESET: Reaction = { act: 'reset' };

/** A recipient together with what the server knows when it is asked about it. */
export interface Asking {
  recipient: string;
  localPart: string;
  sender: string;
  /** 1 for the first MAIL of a connection. */
  transaction: number;
  /** 1 for the first RCPT of a transaction. */
  nth: number;
  /** How often this server was asked about this sender and recipient, this time included. */
  times: number;
  secure: boolean;
}

/** A sender, as MAIL names it. */
export interface Offering {
  sender: string;
  /** What the client called itself in EHLO or HELO. */
  client: string;
  secure: boolean;
}

export interface SmtpBehaviour {
  banner: Reaction;
  ehlo: Reaction | null;
  helo: Reaction;
  /** EHLO keywords, when `ehlo` is null. STARTTLS is added as long as it can be had. */
  extensions: readonly string[];
  /**
   * `refused`: offered, then 454; `broken`: 220, then no handshake; `injecting`: 220 and,
   * still in the clear, a reply to a command not yet sent (CVE-2011-0411).
   */
  startTls: 'absent' | 'offered' | 'refused' | 'broken' | 'injecting';
  mail: (offer: Offering) => Reaction;
  rcpt: (asking: Asking) => Reaction;
  rset: Reaction;
  /** Connections at once; more are turned away with 421. */
  maxConnections: number;
  /** It goes on counting a connection for so long after it was closed. */
  lagMs: number;
}

const UNKNOWN_USER =
  '550 5.1.1 <{recipient}>: Recipient address rejected: User unknown in local recipient table';

/** Takes mail for the mailboxes named and refuses all others as Postfix does. */
export function mailboxes(...localParts: string[]): SmtpBehaviour {
  return recipients(Object.fromEntries(localParts.map((localPart) => [localPart, '250 2.1.5 Ok'])));
}

/** A reply for each local part; `{recipient}` stands for the address. The rest are unknown users. */
export function recipients(
  replies: Record<string, Reaction>,
  otherwise: Reaction = UNKNOWN_USER,
): SmtpBehaviour {
  return {
    banner: '220 mx.test ESMTP',
    ehlo: null,
    helo: '250 mx.test',
    extensions: ['PIPELINING', 'SIZE 10240000', '8BITMIME', 'ENHANCEDSTATUSCODES'],
    startTls: 'absent',
    mail: () => '250 2.1.0 Ok',
    rcpt: ({ localPart, recipient }) => quoting(replies[localPart] ?? otherwise, recipient),
    rset: '250 2.0.0 Ok',
    maxConnections: Infinity,
    lagMs: 0,
  };
}

/** Takes mail for everybody. */
export function catchAll(): SmtpBehaviour {
  return recipients({}, '250 2.1.5 Ok');
}

/** Greets at length, in many lines. */
export function greetingInLines(base: SmtpBehaviour): SmtpBehaviour {
  return {
    ...base,
    banner: '220-mx.test ESMTP\n220-We do not authorize the use of this system\n220 for unsolicited mail.',
  };
}

/** Holds back the last line of its greeting to see who speaks too early, as postscreen does. */
export function postscreen(base: SmtpBehaviour, pauseMs: number): SmtpBehaviour {
  return {
    ...base,
    banner: [{ raw: '220-mx.test ESMTP\r\n' }, { afterMs: pauseMs, then: '220 mx.test ESMTP' }],
  };
}

/** Meets every client with this instead of a greeting: `'554 …'`, `'421 …'`, `SILENCE`, `RESET`. */
export function greetingWith(banner: Reaction): SmtpBehaviour {
  return { ...mailboxes(), banner };
}

/** Knows HELO only. */
export function withoutEhlo(base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, ehlo: '502 5.5.2 Error: command not recognized' };
}

/** Wants a client's name with a dot in it, and says so at MAIL. */
export function wantingFullName(base: SmtpBehaviour): SmtpBehaviour {
  const refusal = '504 5.5.2 Helo command rejected: need fully-qualified hostname';
  return { ...base, mail: (offer) => (offer.client.includes('.') ? base.mail(offer) : refusal) };
}

/** Offers STARTTLS and takes mail without it as well. */
export function offeringTls(base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, startTls: 'offered' };
}

/** Takes nothing before STARTTLS; says so at MAIL, or only at RCPT. */
export function requiringTls(base: SmtpBehaviour, at: 'mail' | 'rcpt' = 'mail'): SmtpBehaviour {
  const demand = '530 5.7.0 Must issue a STARTTLS command first';
  if (at === 'mail') {
    return { ...base, startTls: 'offered', mail: (offer) => (offer.secure ? base.mail(offer) : demand) };
  }
  return { ...base, startTls: 'offered', rcpt: (asking) => (asking.secure ? base.rcpt(asking) : demand) };
}

/** Offers the SMTPUTF8 extension (RFC 6531). */
export function offeringSmtpUtf8(base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, extensions: [...base.extensions, 'SMTPUTF8'] };
}

/** Refuses each sender and recipient the first time and takes them from the second on. */
export function greylisting(base: SmtpBehaviour): SmtpBehaviour {
  const later =
    '450 4.2.0 <{recipient}>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/';
  return {
    ...base,
    rcpt: (asking) => (asking.times === 1 ? quoting(later, asking.recipient) : base.rcpt(asking)),
  };
}

/** Takes one recipient a transaction, or a connection, and puts off the next, as Outlook.com does. */
export function oneRecipientPer(unit: 'transaction' | 'connection', base: SmtpBehaviour): SmtpBehaviour {
  return {
    ...base,
    rcpt: (asking) => {
      const count = unit === 'transaction' ? asking.nth : asking.transaction;
      return count === 1 ? base.rcpt(asking) : '452 4.5.3 Too many recipients';
    },
  };
}

/** Answers the first recipient of a connection as usual and any later one with this. */
export function thenAnswering(base: SmtpBehaviour, reaction: Reaction): SmtpBehaviour {
  return { ...base, rcpt: (asking) => (asking.transaction === 1 ? base.rcpt(asking) : reaction) };
}

/** Answers MAIL with this. */
export function answeringMail(reaction: Reaction): SmtpBehaviour {
  return { ...mailboxes(), mail: () => reaction };
}

/** Serves few clients at once and turns the others away. */
export function servingAtOnce(maxConnections: number, base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, maxConnections };
}

function quoting(reaction: Reaction, recipient: string): Reaction {
  return typeof reaction === 'string' ? reaction.replaceAll('{recipient}', recipient) : reaction;
}
