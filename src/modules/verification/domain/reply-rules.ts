import type { SmtpCategory } from '../../../kernel/verdict.js';
import {
  ABOUT_RELAYING,
  ABOUT_US,
  ASKS_FOR_TLS,
  CLOSED_MAILBOX,
  FOR_NOW,
  FULL,
  FULL_AND_ABANDONED,
  GREYLISTED,
  NO_SUCH_MAILBOX,
  POLICY,
  RECEIVES_TOO_FAST,
  SERVER_TROUBLE,
  TAKES_NO_MAIL,
  TOO_MANY,
  TRY_LATER,
  TURNS_A_MAILBOX_DOWN,
} from './reply-wordings.js';

/**
 * How replies are read. The first rule of a table whose every condition holds
 * decides; the last has none. Within a table the order is: words and providers,
 * then enhanced codes (RFC 3463, RFC 5248), then basic codes (RFC 5321 §4.2.3).
 *
 * Three things shape it. What is about us never becomes a word about them, so the
 * words about us come first. A false "undeliverable" is the worst error, so no 4xx
 * and nothing before RCPT can reach one, and what is doubtful is `policy` or
 * `temporary`. And a reply may quote another server, so words win over its codes.
 */
export interface ReplyRule {
  readonly is: SmtpCategory;
  /** Only from this provider's servers. */
  readonly provider?: string;
  readonly codes?: readonly number[];
  readonly enhanced?: RegExp;
  /** One of these must be found. */
  readonly words?: readonly RegExp[];
}

/** Banner, EHLO, STARTTLS, MAIL: the server does not know yet whom we ask about. */
const BEFORE_RECIPIENT: readonly ReplyRule[] = [
  { is: 'policy', codes: [530] },
  { is: 'policy', words: ASKS_FOR_TLS },
  // "421 too many connections" is about the moment, "421 4.7.28" and Yahoo's TSS04 about our address.
  { is: 'temporary', codes: [421, 450, 451, 452], words: TOO_MANY },
  { is: 'temporary', codes: [421, 450, 451], words: GREYLISTED },
  { is: 'sender_blocked', words: ABOUT_US },
  { is: 'temporary', codes: [421, 450, 451], words: SERVER_TROUBLE },
  // postscreen and others use 521 to turn away a listed client (5.7.1); RFC 7504 means "no mail here".
  { is: 'sender_blocked', enhanced: /^[45]\.7\./ },
  { is: 'sender_blocked', enhanced: /^[45]\.1\.[78]$/ },
  // A bare 521 may as well mean us.
  { is: 'null_mx', codes: [521, 554], words: TAKES_NO_MAIL },
  { is: 'null_mx', codes: [556] },
  { is: 'policy', codes: [521] },
  { is: 'protocol', enhanced: /^5\.5\./ },
  { is: 'temporary', enhanced: /^4\./ },
  { is: 'temporary', codes: [421, 450, 451, 452, 454, 455] },
  { is: 'sender_blocked', codes: [550, 551, 552, 553, 554] },
  { is: 'protocol' },
];

/** RCPT refused for now. */
const RECIPIENT_4XX: readonly ReplyRule[] = [
  { is: 'rate_limited', words: RECEIVES_TOO_FAST },
  { is: 'greylisted', words: GREYLISTED },
  { is: 'temporary', words: TOO_MANY },
  { is: 'sender_blocked', words: ABOUT_US },
  { is: 'policy', words: ABOUT_RELAYING },
  { is: 'policy', words: ASKS_FOR_TLS },
  // Exchange Online, for addresses of low standing.
  { is: 'sender_blocked', provider: 'microsoft', enhanced: /^4\.7\.[5-7]\d\d$/ },
  // Mimecast puts off unknown senders with these words.
  { is: 'greylisted', provider: 'mimecast', words: [/internal resource/] },
  { is: 'temporary', words: SERVER_TROUBLE },
  { is: 'mailbox_full', words: FULL },

  { is: 'sender_blocked', enhanced: /^4\.7\.(0|2[3-9])$/ },
  { is: 'sender_blocked', enhanced: /^4\.1\.[78]$/ },
  // Any other 421 is about this session: it says nothing of us that would hold for the next.
  { is: 'temporary', codes: [421] },
  { is: 'greylisted', codes: [450, 451], enhanced: /^4\.7\.1$/ },
  { is: 'policy', enhanced: /^4\.7\./ },
  { is: 'mailbox_full', enhanced: /^4\.2\.2$/ },
  { is: 'temporary', enhanced: /^4\.[34]\./ },

  { is: 'greylisted', codes: [450, 451], words: TRY_LATER },
  { is: 'temporary' },
];

/** RCPT refused for good. */
const RECIPIENT_5XX: readonly ReplyRule[] = [
  { is: 'rate_limited', words: RECEIVES_TOO_FAST },
  { is: 'greylisted', words: GREYLISTED },
  { is: 'temporary', words: TOO_MANY },
  { is: 'sender_blocked', words: ABOUT_US },
  { is: 'null_mx', words: TAKES_NO_MAIL },
  { is: 'policy', words: ABOUT_RELAYING },
  { is: 'policy', words: ASKS_FOR_TLS },
  // Exchange Online's banned addresses; its 5.7.12x and 5.7.13x are the recipient's own rules.
  { is: 'sender_blocked', provider: 'microsoft', enhanced: /^5\.7\.[5-7]\d\d$/ },
  // About our sender (1.7, 1.8), or about how we are authenticated (7.2x): whatever the words repeat.
  { is: 'sender_blocked', enhanced: /^5\.(1\.[78]|7\.2[3-9])$/ },
  // Exchange Online refuses at the edge whom its directory does not hold, and says "access denied" for it.
  { is: 'mailbox_not_found', provider: 'microsoft', enhanced: /^5\.4\.1$/, words: [/access denied/] },
  // Outlook.com's unknown user; elsewhere 5.5.0 is about the protocol.
  { is: 'mailbox_not_found', provider: 'microsoft', enhanced: /^5\.5\.0$/, words: [/mailbox unavailable/] },
  { is: 'policy', words: POLICY },
  { is: 'mailbox_disabled', words: FULL_AND_ABANDONED },
  { is: 'temporary', words: SERVER_TROUBLE },
  { is: 'mailbox_full', words: FULL },
  { is: 'temporary', words: FOR_NOW },
  // mail.ru's "invalid mailbox … account is disabled" says both; the second is the reason.
  { is: 'mailbox_disabled', words: CLOSED_MAILBOX },
  { is: 'mailbox_not_found', words: NO_SUCH_MAILBOX },

  { is: 'mailbox_not_found', codes: [550, 551, 553, 554], enhanced: /^5\.1\.(1|3|6|10)$/ },
  { is: 'mailbox_disabled', enhanced: /^5\.2\.1$/ },
  { is: 'mailbox_full', enhanced: /^5\.2\.2$/ },
  { is: 'smtputf8', enhanced: /^5\.6\.[79]$/ },
  { is: 'sender_blocked', enhanced: /^5\.7\.0$/ },
  // A rule of the recipient's server in Postfix reads "Recipient address rejected", one about us does not.
  { is: 'policy', codes: [554], enhanced: /^5\.7\./, words: [/recipient address rejected/] },
  { is: 'sender_blocked', codes: [554], enhanced: /^5\.7\./ },
  // 5.1.2 and 5.4.x: how that server would route. 5.3.x, 5.5.x, 5.7.x: its state, its grammar, its rules.
  { is: 'policy', enhanced: /^5\.(1\.[2-9]|[2-7]\.)/ },

  { is: 'null_mx', codes: [556] },
  { is: 'mailbox_full', codes: [552] },
  { is: 'mailbox_not_found', codes: [550, 551], words: TURNS_A_MAILBOX_DOWN },
  { is: 'protocol', codes: [500, 502, 503] },
  { is: 'policy' },
];

/** The tables, by what a reply was given to. */
export const REPLY_RULES = {
  beforeRecipient: BEFORE_RECIPIENT,
  recipient4xx: RECIPIENT_4XX,
  recipient5xx: RECIPIENT_5XX,
} as const;
export type ReplyTable = keyof typeof REPLY_RULES;
