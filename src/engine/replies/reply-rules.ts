import type { SmtpCategory } from '../../kernel/verdict.js';
import type { MailboxState } from './reply-model.js';
import {
  ABOUT_RELAYING,
  FOR_A_WHILE,
  SENDER_BLOCKED,
  REQUIRES_STARTTLS,
  TEMPORARY,
  TEMPORARY_LOCK,
  GREYLISTED,
  LOOKUP_FAILURE,
  POLICY,
  RECEIVES_TOO_FAST,
  SERVER_ERROR,
  NO_MAIL_ACCEPTED,
  NO_MAIL_AT_521,
  TOO_MANY,
  TRY_LATER,
} from './reply-wordings.js';

/**
 * The classification of replies. The first rule of a table that matches applies; the last rule has no
 * conditions. Within a table the order is: words and providers, then enhanced codes (RFC 3463,
 * RFC 5248), then basic codes (RFC 5321 §4.2.3).
 *
 * A refusal of the client never counts against the recipient, so the rules about the client come
 * first. A false "undeliverable" is the worst error, so it never results from a 4xx code or before
 * RCPT, and an ambiguous reply is `policy` or `temporary`. A reply may quote another server, so words
 * take precedence over codes.
 */
export interface ReplyRule {
  /** Unique in its table; with the table's name it is `smtp.rule`. */
  readonly name: string;
  readonly is: SmtpCategory;
  /** Applies to servers of this provider only. */
  readonly provider?: string;
  readonly codes?: readonly number[];
  readonly enhanced?: RegExp;
  /** What words and codes state about the mailbox, by their weights (reply-model.ts). */
  readonly mailboxState?: Exclude<MailboxState, 'none'>;
  /** Words, or the address, name the mailbox. */
  readonly namesMailbox?: true;
  /** The reply contains no known reason, so that only its codes can be used. */
  readonly isSilent?: true;
  /** One of these must match. */
  readonly words?: readonly RegExp[];
}

/** Banner, EHLO, STARTTLS, MAIL: the server has not received the recipient yet. */
const BEFORE_RECIPIENT: readonly ReplyRule[] = [
  { name: 'asks_login', is: 'policy', codes: [530] },
  { name: 'starttls', is: 'policy', words: REQUIRES_STARTTLS },
  // "421 too many connections" is temporary, "421 4.7.28" and Yahoo's TSS04 are about our address.
  { name: 'too_many', is: 'temporary', codes: [421, 450, 451, 452], words: TOO_MANY },
  { name: 'greylisting', is: 'temporary', codes: [421, 450, 451], words: GREYLISTED },
  { name: 'lookup_failure', is: 'temporary', codes: [421, 450, 451, 454], words: LOOKUP_FAILURE },
  { name: 'sender_blocked', is: 'sender_blocked', words: SENDER_BLOCKED },
  { name: 'server_error', is: 'temporary', codes: [421, 450, 451], words: SERVER_ERROR },
  // postscreen and others reject a listed client with 521 (5.7.1); in RFC 7504 it means "no mail here".
  { name: 'code_security', is: 'sender_blocked', enhanced: /^[45]\.7\./ },
  { name: 'code_about_sender', is: 'sender_blocked', enhanced: /^[45]\.1\.[78]$/ },
  // A 521 without more information may also be about us.
  { name: 'no_mail_accepted', is: 'null_mx', codes: [521, 554], words: NO_MAIL_ACCEPTED },
  { name: 'no_mail_at_521', is: 'null_mx', codes: [521], words: NO_MAIL_AT_521 },
  { name: 'code_null_mx', is: 'null_mx', codes: [556] },
  { name: 'unclear_521', is: 'policy', codes: [521] },
  { name: 'code_protocol', is: 'protocol', enhanced: /^5\.5\./ },
  { name: 'code_temporary', is: 'temporary', enhanced: /^4\./ },
  { name: 'temporary', is: 'temporary', codes: [421, 450, 451, 452, 454, 455] },
  { name: 'refused', is: 'sender_blocked', codes: [550, 551, 552, 553, 554] },
  { name: 'otherwise', is: 'protocol' },
];

/** RCPT refused temporarily. */
const RECIPIENT_4XX: readonly ReplyRule[] = [
  { name: 'receives_too_fast', is: 'rate_limited', words: RECEIVES_TOO_FAST },
  { name: 'greylisting', is: 'greylisted', words: GREYLISTED },
  { name: 'full_by_code', is: 'mailbox_full', enhanced: /^4\.2\.2$/, mailboxState: 'full' },
  { name: 'too_many', is: 'temporary', words: TOO_MANY },
  { name: 'lookup_failure', is: 'temporary', words: LOOKUP_FAILURE },
  { name: 'sender_blocked', is: 'sender_blocked', words: SENDER_BLOCKED },
  { name: 'relaying', is: 'policy', words: ABOUT_RELAYING },
  { name: 'starttls', is: 'policy', words: REQUIRES_STARTTLS },
  // Exchange Online, for addresses with a low reputation.
  { name: 'microsoft_banned', is: 'sender_blocked', provider: 'microsoft', enhanced: /^4\.7\.[5-7]\d\d$/ },
  // Mimecast defers unknown senders with this text.
  { name: 'mimecast_greylisting', is: 'greylisted', provider: 'mimecast', words: [/internal resource/] },
  { name: 'server_error', is: 'temporary', words: SERVER_ERROR },

  // "Over quota" is no policy and no greylisting, whatever the code says; 4.3.1 is "mail system full".
  { name: 'full', is: 'mailbox_full', mailboxState: 'full' },
  { name: 'code_sender_blocked', is: 'sender_blocked', enhanced: /^4\.7\.(0|2[3-9])$/ },
  { name: 'code_about_sender', is: 'sender_blocked', enhanced: /^4\.1\.[78]$/ },
  // Any other 421 concerns this session only.
  { name: 'session', is: 'temporary', codes: [421] },
  // Postfix sends 4.7.1 for rates, HELO and TLS too.
  { name: 'code_greylisting', is: 'greylisted', codes: [450, 451], enhanced: /^4\.7\.1$/, words: TRY_LATER },
  { name: 'code_policy', is: 'policy', enhanced: /^4\.7\./ },
  { name: 'code_system', is: 'temporary', enhanced: /^4\.[34]\./ },
  { name: 'code_full', is: 'mailbox_full', enhanced: /^4\.2\.2$/ },

  { name: 'try_later', is: 'greylisted', codes: [450, 451], words: TRY_LATER },
  { name: 'otherwise', is: 'temporary' },
];

/** RCPT refused permanently. */
const RECIPIENT_5XX: readonly ReplyRule[] = [
  { name: 'receives_too_fast', is: 'rate_limited', words: RECEIVES_TOO_FAST },
  { name: 'greylisting', is: 'greylisted', words: GREYLISTED },
  // "Too many messages", in the mailbox.
  { name: 'full_by_code', is: 'mailbox_full', enhanced: /^5\.2\.2$/, mailboxState: 'full' },
  { name: 'too_many', is: 'temporary', words: TOO_MANY },
  { name: 'sender_blocked', is: 'sender_blocked', words: SENDER_BLOCKED },
  { name: 'no_mail_accepted', is: 'null_mx', words: NO_MAIL_ACCEPTED },
  // "Bad destination system": the domain of the recipient, not a server behind this one.
  {
    name: 'own_domain',
    is: 'mailbox_not_found',
    codes: [550, 553, 554],
    enhanced: /^5\.1\.2$/,
    words: [
      /^(?!.*(name server: (?!<@>)|\b(dns|mx|aaaa)\b.{0,20}\b(record|entry))).*<@?>/s,
      /recipient domain/,
    ],
  },
  { name: 'relaying', is: 'policy', words: ABOUT_RELAYING },
  { name: 'starttls', is: 'policy', words: REQUIRES_STARTTLS },
  // Exchange Online's banned addresses; its 5.7.12x and 5.7.13x are the recipient's own rules.
  { name: 'microsoft_banned', is: 'sender_blocked', provider: 'microsoft', enhanced: /^5\.7\.[5-7]\d\d$/ },
  // About our sender (1.7, 1.8) or its authentication (7.2x), whatever words the reply contains.
  { name: 'code_about_sender', is: 'sender_blocked', enhanced: /^5\.(1\.[78]|7\.2[3-9])$/ },
  // Exchange Online rejects recipients that its directory does not contain with "access denied".
  {
    name: 'microsoft_edge',
    is: 'mailbox_not_found',
    provider: 'microsoft',
    enhanced: /^5\.4\.1$/,
    words: [/access denied/],
  },
  // On other servers it is a policy, unless an address of Exchange Online follows.
  { name: 'access_denied', is: 'policy', words: [/recipient address rejected: access denied\.?$/] },
  // Specific to Outlook.com; on other servers 5.5.0 is about the protocol, 5.7 a policy, and 5.2.1 may be temporary.
  {
    name: 'unavailable_by_rule',
    is: 'policy',
    enhanced: /^5\.(2\.1|5\.0|7\.\d{1,3})$/,
    words: [/^(<>: recipient address rejected: )?mailbox (unavailable|not available)(?: \/.{1,40})?$/],
  },
  // Sina refers to the sender's address.
  { name: 'sina_sender', is: 'policy', codes: [554], words: [/^mail address invalid\.?$/] },
  // The mailbox is locked by another delivery.
  { name: 'mailbox_in_use', is: 'policy', words: [/^mailbox (is )?locked$/] },
  // The account of the organisation, not of the person.
  { name: 'mimecast_inbound', is: 'policy', provider: 'mimecast', words: [/\binbounds? disabled/] },
  // Orange uses numbers for its reasons.
  { name: 'orange_closed', is: 'mailbox_disabled', words: [/\b(lpn|ofr)\d{3}_426\b/] },
  { name: 'server_error', is: 'temporary', words: SERVER_ERROR },
  { name: 'full', is: 'mailbox_full', mailboxState: 'full' },
  { name: 'for_a_while', is: 'temporary', words: FOR_A_WHILE },
  // A disabled account stays so, even if the same text asks to try again. A lock may be that of another delivery.
  { name: 'temporary_lock', is: 'temporary', words: TEMPORARY_LOCK },
  { name: 'closed_mailbox', is: 'mailbox_disabled', mailboxState: 'closed', namesMailbox: true },
  { name: 'temporary', is: 'temporary', words: TEMPORARY },
  { name: 'closed', is: 'mailbox_disabled', mailboxState: 'closed' },
  { name: 'absent', is: 'mailbox_not_found', mailboxState: 'absent' },

  { name: 'code_unknown', is: 'mailbox_not_found', enhanced: /^5\.1\.(1|6|10)$/, isSilent: true },
  { name: 'code_closed', is: 'mailbox_disabled', enhanced: /^5\.2\.1$/, isSilent: true },
  { name: 'code_full', is: 'mailbox_full', enhanced: /^5\.2\.2$/, isSilent: true },

  { name: 'policy', is: 'policy', words: POLICY },
  { name: 'code_smtputf8', is: 'smtputf8', enhanced: /^5\.6\.[79]$/ },
  { name: 'code_security', is: 'sender_blocked', enhanced: /^5\.7\.0$/ },
  // With Postfix, only a rule about the recipient contains "Recipient address rejected".
  {
    name: 'recipient_rule',
    is: 'policy',
    codes: [554],
    enhanced: /^5\.7\./,
    words: [/recipient address rejected/],
  },
  { name: 'code_sender_blocked', is: 'sender_blocked', codes: [554], enhanced: /^5\.7\./ },
  { name: 'code_null_mx', is: 'null_mx', codes: [556] },
  { name: 'protocol', is: 'protocol', codes: [500, 502, 503] },
  { name: 'otherwise', is: 'policy' },
];

/** The tables, by the command of the reply. */
export const REPLY_RULES = {
  beforeRecipient: BEFORE_RECIPIENT,
  recipient4xx: RECIPIENT_4XX,
  recipient5xx: RECIPIENT_5XX,
} as const;
export type ReplyTable = keyof typeof REPLY_RULES;
