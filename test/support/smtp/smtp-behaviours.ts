/**
 * A reaction of a scripted mail server.
 *
 * A string is a complete reply with lines separated by `\n`, as in `'250-one\n250 two'`; the
 * server adds CRLF. The others are actions instead of a reply, or before it.
 */
export type Reaction =
  | string
  /** Raw octets, without an added line end. */
  | { raw: string }
  | { afterMs: number; then: Reaction }
  /** One octet at a time. */
  | { drip: string; everyMs: number }
  /** Repeats this until the client disconnects. */
  | { endless: string }
  /** A sequence of reactions. */
  | readonly Reaction[]
  | { act: 'nothing' | 'close' | 'reset' };

/** Sends nothing and keeps the connection open. */
export const SILENCE: Reaction = { act: 'nothing' };
/** Closes the connection (FIN). */
export const HANG_UP: Reaction = { act: 'close' };
/** Resets the connection (RST). */
export const RESET: Reaction = { act: 'reset' };

/** A RCPT command with the state of the session. */
export interface Asking {
  recipient: string;
  localPart: string;
  sender: string;
  /** The client name in EHLO or HELO. */
  client: string;
  /** 1 for the first MAIL of a connection. */
  transaction: number;
  /** 1 for the first RCPT of a transaction. */
  nth: number;
  /** Number of RCPT commands with this sender and recipient, including this one. */
  times: number;
  /** Time since the first of them. */
  sinceMs: number;
  secure: boolean;
}

/** A MAIL command with the state of the session. */
export interface Offering {
  sender: string;
  /** The client name in EHLO or HELO. */
  client: string;
  secure: boolean;
}

export interface SmtpBehaviour {
  banner: Reaction;
  ehlo: Reaction | null;
  helo: Reaction;
  /** EHLO keywords if `ehlo` is null. STARTTLS is added if available. */
  extensions: readonly string[];
  /**
   * `refused`: offered, then 454; `broken`: 220, then no handshake; `injecting`: 220 and,
   * still in the clear, a reply to a command not yet sent (CVE-2011-0411).
   */
  startTls: 'absent' | 'offered' | 'refused' | 'broken' | 'injecting';
  mail: (offer: Offering) => Reaction;
  rcpt: (asking: Asking) => Reaction;
  /** To RCPT where no MAIL was accepted. */
  noSender: Reaction;
  rset: Reaction;
  /** Maximum concurrent connections; others are rejected with 421. */
  maxConnections: number;
  /** Time for which a closed connection still counts, in milliseconds. */
  lagMs: number;
}

const UNKNOWN_USER =
  '550 5.1.1 <{recipient}>: Recipient address rejected: User unknown in local recipient table';

/** Of Postfix, without SMTPUTF8. */
const EXTENSIONS = [
  'PIPELINING',
  'SIZE 10240000',
  'VRFY',
  'ETRN',
  'ENHANCEDSTATUSCODES',
  '8BITMIME',
  'DSN',
  'CHUNKING',
];

/** Accepts these mailboxes and rejects all others as Postfix does. */
export function mailboxes(...localParts: string[]): SmtpBehaviour {
  return recipients(Object.fromEntries(localParts.map((localPart) => [localPart, '250 2.1.5 Ok'])));
}

/** A reply for each local part; `{recipient}` is replaced by the address. Others are unknown users. */
export function recipients(
  replies: Record<string, Reaction>,
  otherwise: Reaction = UNKNOWN_USER,
): SmtpBehaviour {
  return {
    banner: '220 mx.test ESMTP',
    ehlo: null,
    helo: '250 mx.test',
    extensions: EXTENSIONS,
    startTls: 'absent',
    mail: () => '250 2.1.0 Ok',
    rcpt: ({ localPart, recipient }) => quoting(replies[localPart] ?? otherwise, recipient),
    noSender: '503 5.5.1 Error: need MAIL command',
    rset: '250 2.0.0 Ok',
    maxConnections: Infinity,
    lagMs: 0,
  };
}

/** Accepts all recipients. */
export function catchAll(): SmtpBehaviour {
  return recipients({}, '250 2.1.5 Ok');
}

/** Sends a long banner with many lines. */
export function greetingInLines(base: SmtpBehaviour): SmtpBehaviour {
  return {
    ...base,
    banner: '220-mx.test ESMTP\n220-We do not authorize the use of this system\n220 for unsolicited mail.',
  };
}

/** Delays the last line of the banner to detect clients that send too early, as postscreen does. */
export function postscreen(base: SmtpBehaviour, pauseMs: number): SmtpBehaviour {
  return {
    ...base,
    banner: [{ raw: '220-mx.test ESMTP\r\n' }, { afterMs: pauseMs, then: '220 mx.test ESMTP' }],
  };
}

/** Reacts with this instead of a banner: `'554 …'`, `'421 …'`, `SILENCE`, `RESET`. */
export function greetingWith(banner: Reaction, base = mailboxes()): SmtpBehaviour {
  return { ...base, banner };
}

/** Supports HELO only. */
export function withoutEhlo(base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, ehlo: '500 5.5.2 Error: command not recognized' };
}

/** Closes the connection at EHLO, after this reply if there is one, and supports HELO. */
export function closingAtEhlo(base: SmtpBehaviour, said: Reaction = SILENCE): SmtpBehaviour {
  return { ...base, ehlo: [said, HANG_UP] };
}

/** Requires a client name with a dot; rejects at RCPT, as Postfix delays it. */
export function wantingFullName(base: SmtpBehaviour): SmtpBehaviour {
  return {
    ...base,
    rcpt: (asking) =>
      asking.client.includes('.')
        ? base.rcpt(asking)
        : `504 5.5.2 <${asking.client}>: Helo command rejected: need fully-qualified hostname`,
  };
}

/** Offers STARTTLS, but does not require it. */
export function offeringTls(base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, startTls: 'offered' };
}

/** Requires STARTTLS; rejects at MAIL or at RCPT. */
export function requiringTls(base: SmtpBehaviour, at: 'mail' | 'rcpt' = 'mail'): SmtpBehaviour {
  const demand = '530 5.7.0 Must issue a STARTTLS command first';
  if (at === 'mail') {
    const mail: SmtpBehaviour['mail'] = (offer) => (offer.secure ? base.mail(offer) : demand);
    return { ...base, startTls: 'offered', mail, noSender: demand };
  }
  return { ...base, startTls: 'offered', rcpt: (asking) => (asking.secure ? base.rcpt(asking) : demand) };
}

/** Offers the SMTPUTF8 extension (RFC 6531). */
export function offeringSmtpUtf8(base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, extensions: base.extensions.toSpliced(-1, 0, 'SMTPUTF8') };
}

/** Greylists: rejects each sender and recipient the first time only. */
export function greylisting(base: SmtpBehaviour): SmtpBehaviour {
  const later =
    '450 4.2.0 <{recipient}>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.com.html';
  return {
    ...base,
    rcpt: (asking) => (asking.times === 1 ? quoting(later, asking.recipient) : base.rcpt(asking)),
  };
}

/**
 * Greylists for a time that its reply names; `said` is the reply. Each sender and recipient is accepted
 * from then on.
 */
export function greylistingFor(ms: number, said: string, base: SmtpBehaviour): SmtpBehaviour {
  return {
    ...base,
    rcpt: (asking) => (asking.sinceMs < ms ? said : base.rcpt(asking)),
  };
}

/** Accepts one recipient per transaction or connection and defers the next, as Outlook.com does. */
export function oneRecipientPer(unit: 'transaction' | 'connection', base: SmtpBehaviour): SmtpBehaviour {
  return {
    ...base,
    rcpt: (asking) => {
      const count = unit === 'transaction' ? asking.nth : asking.transaction;
      return count === 1 ? base.rcpt(asking) : '452 4.5.3 Too many recipients';
    },
  };
}

/** Sends this reply to all recipients of a connection except the first. */
export function thenAnswering(base: SmtpBehaviour, reaction: Reaction): SmtpBehaviour {
  return { ...base, rcpt: (asking) => (asking.transaction === 1 ? base.rcpt(asking) : reaction) };
}

/** Sends this reply to MAIL. */
export function answeringMail(reaction: Reaction): SmtpBehaviour {
  return { ...mailboxes(), mail: () => reaction };
}

/** Accepts few concurrent clients and rejects the others. */
export function servingAtOnce(maxConnections: number, base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, maxConnections };
}

function quoting(reaction: Reaction, recipient: string): Reaction {
  return typeof reaction === 'string' ? reaction.replaceAll('{recipient}', recipient) : reaction;
}
