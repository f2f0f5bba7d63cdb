import { failureOf, replyIn, wordsOf, type Section } from './bounce-text.js';
import type { MailMessage } from './mail-message.js';
import { mailboxIn } from './mailbox.js';
import type { Failure } from './report.js';

/** A bounce that is written for people, as one program writes it. */
export interface BounceFormat {
  program: string;
  /** How it is recognised: a sentence at the beginning of the text. */
  begins: RegExp;
  /** Whether the rest of the message is of this program too, where others use the same sentence. */
  also?: (message: MailMessage) => boolean;
  /** The line before the part about the recipients, if that is not the first one. */
  from?: RegExp;
  /** The line after which the returned message follows. */
  ends?: RegExp;
  /** The line of a recipient, with its address and what stands behind it. */
  recipient: RegExp;
  /** What a recipient is read from; by default the first reply in the lines after it. */
  read?: (section: Section) => Failure;
  /** The reason stands before the recipient. */
  reasonIsFirst?: true;
  /** Sentences of the program itself by which the mailbox does not exist. */
  absent?: RegExp;
}

const EMAIL = String.raw`(?<email>(?:"[^"\n]{1,64}"|[^\s<>"'(),;:@]{1,320})@[^\s<>"'(),;:@]{1,255})`;
const line = (pattern: string, flags = 'u') => new RegExp(`^${pattern}$`, flags);

/** A reply with a code, or the words as those of a failure for good. */
const replyOrWords = ({ email, rest, lines }: Section): Failure => {
  const said = upToBlank([rest, ...lines].filter((text, index) => index > 0 || text !== ''));
  return { email, reply: replyIn(said) ?? wordsOf(said) };
};

function upToBlank(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((text, index) => index > 0 && text.trim() === '');
  return end < 0 ? lines : lines.slice(0, end);
}

/** Exim names the recipient of the message in the section of the address that it leads to. */
function eximFailure(section: Section): Failure {
  const original = /^[ \t]{0,20}\(?(?:ultimately )?generated (?:from|by) ([^\s()]{3,320})\)?$/m.exec(
    section.lines.join('\n'),
  )?.[1];
  const email = mailboxIn(original ?? '');
  const failure = failureOf(section);
  return email === null ? failure : { ...failure, email, finalRecipient: section.email };
}

/** `ERROR_CODE :550, ERROR_CODE :5.1.1 text` */
function zohoFailure({ email, rest }: Section): Failure {
  const found = /ERROR[_ ]CODE ?: ?(\d{3})[\s,-]{0,5}(?:ERROR[_ ]CODE ?: ?)?(.*)$/.exec(rest);
  return { email, reply: found === null ? null : replyIn([`${found[1] ?? ''} ${found[2] ?? ''}`]) };
}

/** Postfix names the address that was expanded, and the one that the sender wrote behind it. */
function postfixFailure(section: Section): Failure {
  const failure = failureOf(section);
  const original = mailboxIn(/\(expanded from <([^<>]{3,320})>\)/.exec(section.line)?.[1] ?? '');
  return original === null ? failure : { ...failure, email: original, finalRecipient: section.email };
}

/** The last refusal in the transcript of a session, after the command that names the recipient. */
function transcriptFailure({ email, lines }: Section): Failure {
  const refusals = lines.flatMap((text) => /(?:<--|<<<|>>>) ?([45]\d\d[ -].*)$/.exec(text)?.[1] ?? []);
  return { email, reply: replyIn(refusals.slice(-1)) };
}

const DAEMON = /\b(?:mailer-daemon|postmaster|mail delivery)\b/i;
/** Domino and its predecessor. */
const NOT_LISTED =
  /\bnot listed in (?:the )?(?:Domino Directory|public Name & Address Book)|(?:ディレクトリには?見つかりません|ディレクトリのリストにありません)/i;

/** A message that is delayed "has not yet been delivered". */
export const EXIM: BounceFormat = {
  program: 'Exim, GMX, Web.de',
  begins: /^A message that you (?:have )?sent could not be delivered to (?:one or more|all|some)\b/m,
  ends: /^(?:-{2,6} ?(?:This is a copy|The header of the original|The body of)|Included is a copy)/m,
  recipient: line(
    `\\s{0,2}(?:["<]?${EMAIL}[">]?:?(?:(?<=:)\\s(?<rest>.*))?|(?<local>(?:pipe|save) to .*|[|/].*))`,
  ),
  read: eximFailure,
};

/**
 * The formats. To add one: the sentence by which it is recognised, where the recipient and the reply stand, and a
 * message of it for `text-bounces.spec.ts`. Of two with the same sentence the first one counts.
 */
export const BOUNCE_FORMATS: readonly BounceFormat[] = [
  {
    program: 'qmail',
    begins:
      /^[ \t]*(?:Hi\. This is (?:the|a) .{0,80}\b(?:program|mail|generated|service)|Your mail message to the following address\(es\) could not be delivered)/im,
    ends: /^--- (?:Below this line|Enclosed are|There are)/m,
    recipient: line(`(?:Intended Recipients: )?<${EMAIL}>:?(?<rest>.*)`),
    read: replyOrWords,
  },
  {
    program: 'Yahoo',
    begins:
      /^(?:Sorry, we were unable to deliver your message to the following address|Unable to deliver message to the following address\(es\))/m,
    ends: /^--- (?:Below this line is a copy|Original message follows)/m,
    recipient: line(`<${EMAIL}>:(?<rest>.*)`),
    read: replyOrWords,
  },
  {
    program: 'DragonFly Mail Agent',
    begins: /^This is the DragonFly Mail Agent/m,
    ends: /^(?:Message headers follow|Original message follows)\./m,
    recipient: line(`There was an error delivering your mail to <${EMAIL}>(?<rest>).*`),
  },
  {
    program: 'OpenSMTPD',
    begins: /^\s{0,8}An error has occurred while attempting to deliver a message/m,
    ends: /^\s{0,8}Below is a copy of the original message/m,
    recipient: line(`\\s{0,8}<?${EMAIL}>?: (?<rest>.*)`),
  },
  {
    program: 'Zoho',
    begins:
      /^(?:This message was created automatically by mail delivery|A message that you sent could not be delivered)/m,
    also: ({ text }) => /ERROR[_ ]CODE ?:/.test(text),
    ends: /^Received: ?from /m,
    recipient: line(`<?${EMAIL}>?,? (?<rest>.*ERROR[_ ]CODE ?:.*)`),
    read: zohoFailure,
  },
  {
    program: 'Gmail',
    begins: /^\*\* Address not found \*\*/m,
    recipient: line(`Your message wasn't delivered to ${EMAIL} because (?<rest>.*)`),
    // Where a server has replied, its reply is quoted.
    absent: /^(?![\s\S]*\bThe response\b)the address couldn't be found/,
  },
  {
    program: 'Gmail, without a status',
    begins: /^Delivery to the following recipients? failed permanently:/m,
    ends: /^----- Original message -----/m,
    recipient: line(`\\s{1,8}(?:\\* )?${EMAIL}(?<rest>)`),
  },
  EXIM,
  {
    program: 'hMailServer, Exchange 2000, Exchange 2003',
    begins:
      /^(?:Your message did not reach some or all of the intended recipients|did not reach the following recipient\(s\))/m,
    from: /^(?:The following recipient\(s\) c(?:ould|annot) (?:not )?be reached|did not reach the following recipient\(s\)):/m,
    recipient: line(`\\s{0,10}'?${EMAIL}'?(?: on \\d.*| on \\w{3}, .*)?(?<rest>)`),
    absent:
      /The recipient name is not recognized|\(000C05A6\)|The e-?mail account does not exist at the organization|The e-?mail address could not be found/,
  },
  {
    program: 'Exchange 2007 and later',
    begins: /^Delivery has failed to these recipients or /m,
    from: /^Diagnostic information for administrators:/m,
    ends: /^Original message headers:/m,
    recipient: line(`\\s{0,4}${EMAIL}(?<rest>)`),
  },
  {
    program: 'IIS',
    begins: /^This is an automatically generated Delivery Status Notification/m,
    from: /^Delivery to the following recipients failed/m,
    recipient: line(`\\s{1,10}${EMAIL}(?<rest>)`),
  },
  {
    program: 'Domino',
    begins: /^was not delivered to:$/m,
    from: /^was not delivered to:$/m,
    recipient: line(`\\s{1,4}${EMAIL}(?<rest>)`),
    read: (section) => {
      const because = section.lines.findIndex((text) => text.trim() === 'because:');
      const reason = because < 0 ? [] : section.lines.slice(because + 1).filter((text) => text.trim() !== '');
      return { email: section.email, reply: replyIn(reason) ?? wordsOf(reason.slice(0, 2)) };
    },
    absent: NOT_LISTED,
  },
  {
    program: 'GroupWise',
    begins: /^The message that you sent was undeliverable to the following:/m,
    ends: /^(?:Information about your message|Possibly truncated original message)/m,
    recipient: line(`\\s{1,8}${EMAIL}(?: \\((?<rest>.*))?`),
    read: replyOrWords,
  },
  {
    program: 'MDaemon, SecurityGateway',
    begins: /^[^>\n]{0,60}\bhad PERMANENT fatal delivery errors/m,
    ends: /^--- End Transcript ---/m,
    recipient: line(`.{0,200}--> RCPT TO:<${EMAIL}>(?<rest>).*`, 'iu'),
    read: transcriptFailure,
  },
  {
    program: 'Kerio',
    begins:
      /^(?:Your (?:message|mail) (?:was not|could not be) delivered to the following (?:recipients?|address(?:es)?)|The following recipients? (?:failed|could not be reached))/m,
    ends: /^(?:-{2,}|Original message|The original message)/m,
    recipient: line(`\\s{0,8}<?${EMAIL}>?(?::\\s?(?<rest>.*))?`),
    read: replyOrWords,
  },
  {
    program: 'Barracuda',
    begins: /^was blocked by our Spam Firewall/m,
    recipient: line(`Your message to: <?${EMAIL}>?(?<rest>)`),
    read: replyOrWords,
  },
  {
    program: 'Mimecast',
    begins: /^An email that you attempted to send to the following address(?:es)? could not be delivered/m,
    recipient: line(`-- <?${EMAIL}>?(?<rest>)`),
  },
  {
    program: 'Sendmail, McAfee',
    begins:
      /^\s{0,8}-{3,5} The following addresses had (?:permanent (?:fatal |delivery )?errors|delivery problems) -{3,5}/m,
    recipient: line(`(?:>>> (?:\\S{1,320} )?)?<?${EMAIL}>?(?:\\s{1,20}\\((?<rest>.*))?`),
  },
  {
    program: 'Sendmail 5',
    begins: /^\s{0,8}-{3,5} ?Transcript of session follows -{3,5}/,
    ends: /^\s{0,8}-{3,5} ?(?:Unsent message|Original message|Message header) follows?/m,
    recipient: line(`(?<rest>5\\d\\d (?:[45]\\.\\d{1,3}\\.\\d{1,3} )?<?${EMAIL}>?\\.\\.\\. .*)`),
    read: ({ email, rest }) => ({ email, reply: replyIn([rest]) }),
  },
  {
    program: 'Postfix',
    begins: /^\s{0,8}This is the (?:mail system|\S{1,40} program) at host /m,
    recipient: line(`<${EMAIL}>(?: \\(expanded from <[^<>]{3,320}>\\))?: (?<rest>.*)`),
    read: postfixFailure,
  },
  {
    program: 'Lotus Notes',
    begins: /^-{3,8} Failure Reasons\s{1,4}-{3,8}/m,
    ends: /^-{3,8} Returned Message/m,
    recipient: line(`${EMAIL}(?<rest>)`),
    reasonIsFirst: true,
    read: ({ email, before }) => ({ email, reply: replyIn([before]) ?? wordsOf([before]) }),
    absent: NOT_LISTED,
  },
  {
    program: 'CommuniGate Pro',
    begins: /^Failed to deliver to '</m,
    recipient: line(`Failed to deliver to '<${EMAIL}>'(?<rest>)`),
    read: replyOrWords,
  },
  {
    program: 'au one net (KDDI)',
    begins: /^[ \t]{0,8}Could not be delivered to: </m,
    recipient: line(`[ \\t]{0,8}Could not be delivered to: <${EMAIL}>(?<rest>)[ \\t]*`),
    read: replyOrWords,
  },
  {
    program: 'EZweb (KDDI)',
    begins: /^The user\(s\) account is (?:disabled|temporarily limited)\./m,
    recipient: line(`<${EMAIL}>(?:: (?<rest>.*))?`),
    reasonIsFirst: true,
    read: ({ email, rest, before }) => ({ email, reply: replyIn([rest]) ?? wordsOf([before]) }),
  },
  {
    program: 'Mail Deliver System',
    begins: /^---The following addresses had delivery errors---/m,
    recipient: line(`${EMAIL} \\[(?<rest>[^\\]]*)\\]`),
    read: replyOrWords,
  },
  {
    program: 'a transcript of the session',
    begins: /^[^>\n]{0,60}(?:>>>|<<<|-->) ?RCPT TO: ?</im,
    also: ({ header }) => DAEMON.test(header('from') ?? ''),
    recipient: line(`.{0,60}(?:>>>|<<<|-->) ?RCPT TO: ?<${EMAIL}>(?<rest>).*`, 'iu'),
    read: transcriptFailure,
  },
  {
    program: 'IMail',
    begins: /^(?:Unknown user|Invalid final delivery userid|User mailbox exceeds allowed size): \S+@/m,
    also: ({ header }) => DAEMON.test(header('from') ?? ''),
    ends: /^Original message follows/m,
    recipient: line(
      `(?<rest>Unknown user|Invalid final delivery userid|User mailbox exceeds allowed size): ${EMAIL}`,
    ),
    read: replyOrWords,
    absent: /^Invalid final delivery userid/,
  },
];
