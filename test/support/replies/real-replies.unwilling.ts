import type { RepliesByMeaning } from './real-replies.js';

/** Replies at RCPT that say nothing about the mailbox. */
export const ABOUT_OTHER_THINGS: RepliesByMeaning = {
  greylisted: String.raw`
    bounces | MailCleaner > 451 host 192.0.2.7 is not yet authorized to deliver mail from <verify@rcpt.example> to <ghost@example.com>. Please try later
    debian | Postgrey > 450 4.2.0 <ghost@example.com>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.com.html
    bounces | Sendmail > 451 4.7.1 Greylisting in action, please come back later
    bounces | Exim > 451 greylisted, try again in 300 seconds
    bounces | Greylist, no PTR > 450 You dont seem to have a reverse dns entry. Come back later. You are greylisted for 20 minutes.
    bounces | Yandex [yandex] > 451 4.7.1 Sorry, the service is currently unavailable. Please come back later.
    mimecast | Mimecast [mimecast] > 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451
    made | plain > 450 Please try again later
    debian | Exim, message of an ACL > 451 greylisted, please try again later
    debian | Postfix access map DEFER > 450 4.7.1 <ghost@example.com>: Recipient address rejected: try later
    bounces | the code and a request > 451 4.7.1 Try again later
    made | under a 5xx > 550 Greylisted, come again in five minutes
  `,

  temporary: String.raw`
    made | a lock of another delivery > 550 account locked, please retry in an hour
    made | Danish > 550 Postkassen er midlertidigt lukket
    bounces | SPF > 451 SPF lookup failure
    bounces | DMARC > 451 4.7.1 Temporary DMARC DNS lookup failure
    bounces | Postfix sender restriction > 451 4.3.5 <verify@rcpt.example>: Sender address rejected: Server configuration problem
    debian | Exim > 451 Temporary local problem - please try later
    debian | Exim > 451 Could not complete recipient verify callout
    debian | Postfix > 451 4.3.0 <ghost@example.com>: Temporary lookup failure
    debian | Postfix > 450 4.1.1 <ghost@example.com>: Recipient address rejected: unverified address: Address verification in progress
    bounces | Postfix > 452 4.3.1 Insufficient system storage
    microsoft | Outlook.com [microsoft] > 452 4.5.3 Too many recipients (AS780090)
    debian | Postfix > 452 4.5.3 Error: too many recipients
    debian | Postfix > 421 4.7.0 mx.example.com Error: too many connections from 192.0.2.7
    microsoft | Exchange > 421 4.3.2 Service not available
    bounces | OpenSMTPD > 421 4.3.0 Temporary Error
    made | plain > 450 Requested mail action not taken: mailbox unavailable
    made | plain > 452 Requested action not taken: insufficient system storage
    made | bounce in disguise > 554 5.0.0 Mailbox temporarily unavailable
    made | harvest guard > 550 5.7.1 Too many invalid recipients
    debian | Postfix soft_bounce > 450 4.1.1 <ghost@example.com>: Recipient address rejected: User unknown in local recipient table
    debian | Postfix verification > 450 4.1.1 <ghost@example.com>: Recipient address rejected: unverified address: unknown user: "ghost"
    debian | Postfix, policy server down > 451 4.3.5 <ghost@example.com>: Recipient address rejected: Server configuration problem
    debian | postscreen, after its deep tests > 450 4.3.2 Service currently unavailable
    debian | Postfix, rate limit > 450 4.7.1 Error: too many recipients from 192.0.2.7
    debian | Postfix, hard error limit > 421 4.7.0 mx.example.com Error: too many errors
    debian | Exim recipients_max > 452 too many recipients
    debian | Exim recipients_max_reject > 552 too many recipients
    debian | Exim ACL, rcpt_fail_count > 550 Too many unknown users
    debian | Exim, redirect :defer: > 451 mailbox being moved
    google | Gmail [google] > 451-4.3.0 Multiple destination domains per transaction is unsupported. Please|451 4.3.0 try again. - gsmtp
    microsoft | Exchange > 451 4.7.0 Temporary server error. Please try again later. PRX5
    made | Postfix verification, operator's code > 550 5.1.1 <ghost@example.com>: Recipient address rejected: undeliverable address: mail for example.com loops back to myself
    made | harvest guard > 550 5.1.1 Maximum number of invalid recipients exceeded
    made | the code alone > 421 4.7.30 ghost
    made | their service > 421 4.7.1 Service temporarily unavailable
    mimecast | Mimecast [mimecast] > 451 Recipient temporarily unavailable
    made | their own loop > 550 5.4.6 Routing loop detected: user unknown
    bounces | Orange > 550 5.1.1 service refuse. Veuillez essayer plus tard
    made | moving > 550 mailbox is currently being migrated
    made | unknown user, for now > 450 5.1.1 User unknown
    microsoft | Outlook.com [microsoft] > 450 4.7.3 Organization queue quota exceeded.
    bounces | any > 550 5.2.1 ghost@example.com disabled temporarly for exceeding receiving limits
    made | their queue > 550 organization queue quota exceeded
  `,

  policy: String.raw`
    made | of a login > 535 5.7.8 user unknown or wrong password
    made | no word of a mailbox > 550 Recipient rejected
    made | no word of a mailbox > 550 Address rejected <ghost@example.com>
    debian | Postfix > 554 5.7.1 <ghost@example.com>: Relay access denied
    debian | Postfix > 454 4.7.1 <ghost@example.com>: Relay access denied
    made | the code alone > 451 4.7.1 ghost
    made | a rate > 450 4.7.1 Error: message rate exceeded
    made | TLS, without an enhanced code > 451 Must issue a STARTTLS command first
    debian | Postfix access map > 554 5.7.1 <ghost@example.com>: Recipient address rejected: Access denied
    made | access denied elsewhere > 550 5.4.1 <ghost@example.com>: Recipient address rejected: Access denied
    made | access denied elsewhere > 550 5.4.1 Recipient address rejected: Access denied
    made | access denied elsewhere > 550 5.4.1 Recipient address rejected: Access denied.
    made | 5.5.0 elsewhere > 550 5.5.0 mailbox unavailable
    debian | Exim > 550 Administrative prohibition
    debian | Exim > 550 relay not permitted
    bounces | Exim > 550 restricted characters in address
    bounces | qmail > 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
    microsoft | Exchange > 550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain
    microsoft | Exchange group [microsoft] > 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated
    google | Google group [google] > 550-5.7.1 The group you tried to contact may not exist, or you may not have|550 5.7.1 permission to post messages to the group.
    bounces | Yandex [yandex] > 550 5.7.1 Policy rejection on the target address
    bounces | Facebook > 550 5.1.1 RCP-P1 Domain example.com no longer available https://www.facebook.com/postmaster/response_codes?ip=192.0.2.7#RCP-P1
    bounces | QQ [tencent] > 550 Mailbox unavailable or access denied
    bounces | Barracuda [barracuda] > 550 permanent failure for one or more recipients (ghost@example.com:blocked)
    bounces | Haraka > 550 I cannot deliver mail for <ghost@example.com>
    bounces | MailEnable > 503 This mail server requires authentication when attempting to send to a non-local e-mail address.
    made | plain > 552 Requested mail action aborted
    bounces | mox > 550 5.1.1 not accepting email for domain
    bounces | mox > 550 5.1.1 not accepting email for ip
    bounces | Interia > 550 5.2.1 Mailbox not available / Konto niedostepne
    bounces | Sina > 554 mail address invalid.
    bounces | Sina > 553 sender
    bounces | any > 550 mail domain mentioned in email address is unknown
    bounces | any > 552 looping message.
    bounces | any > 554 5.4.6 loop detected
    debian | OpenSMTPD > 524 5.2.4 Mailing list expansion problem
    made | another server's name > 550 5.1.2 <ghost@example.com>... Host unknown (Name server: backend.example.net: host not found)
    made | bare 550 > 550 Rejected
    made | bare 554 > 554 Transaction failed
    made | bare 550 5.7.1 > 550 5.7.1 Not today
    made | routing > 550 5.4.4 Unable to route: no mail hosts for domain
    debian | Postfix > 554 5.7.1 <ghost@example.com>: Recipient address rejected: Go away
    debian | Postfix access map > 550 5.7.1 <ghost@example.com>: Recipient address rejected: Mailbox unavailable
    debian | Postfix reject_plaintext_session > 450 4.7.1 Session encryption is required
    debian | Postfix tls level encrypt > 530 5.7.0 Must issue a STARTTLS command first
    debian | postscreen, pipelining > 550 5.5.1 Protocol error
    debian | Exim, redirect :fail: without a text > 550
    debian | Exim ratelimit > 550 Sender rate 3.0 / 1h
    debian | Exim ACL > 550 5.7.10 Encryption required
    debian | Postfix after a refused greeting > 503 5.7.0 Error: access denied for unknown[192.0.2.7]
    debian | OpenSMTPD filter > 550 User blocked
    made | wants TLS > 550 You must use a secure connection
    kumomta | any > 550 Message denied, message refused
    sisimai | any > 550 account is protected by a filter
    made | an old qmail > 553 sorry, badrcptto
    debian | OpenSMTPD filter > 550 go away
    mimecast | Mimecast [mimecast] > 550 Envelope blocked - User Entry - https://community.mimecast.com/docs/DOC-1369#550
    mimecast | Mimecast [mimecast] > 550 Administrative prohibition - envelope blocked
    mimecast | Mimecast [mimecast] > 550 Account inbounds disabled
    microsoft | Exchange Online [microsoft] > 530 5.7.57 Client not authenticated to send anonymous mail
    microsoft | Exchange > 550 5.7.1 Unable to relay for ghost@example.com
    kumomta | any > 550 That recipient is not allowed
    kumomta | 58.com > 550 Mailbox unavailable or access denied
    sisimai | list > 550 by non-member to a members-only list
    made | the user's own rules > 550 The user does not want mail from you
    made | the user's own rules > 550 Rejected by the filter settings of this mailbox
    made | a host that is called so > 550 5.0.0 mailbox.example.net says no
    made | a host that is called so > 550 mx1.user-unknown.example.com refuses
    made | a link that reads so > 550 see https://example.net/no-such-user
    made | does not say who is unknown > 550 Database error while looking up user
    made | does not say who is unknown > 550 Backend unreachable, cannot verify recipient
    made | does not say who is unknown > 550 recipient verification failed
    made | does not say who is unknown > 550-Callout verification failed:|550 Could not connect to mx
    made | a limit, not a mailbox > 550 account has exceeded its hourly limit
    made | a limit, not a mailbox > 550 The address has exceeded the rate limit
    made | not now > 550 mailbox busy
    made | not now > 550 mailbox locked
    made | syntax > 550 Bad recipient address syntax
    made | network > 550 address family not supported
    made | their MX > 550 No MX found for recipient address
    made | their service > 550 Mailbox unavailable, SMTP service disabled
    made | their reason is not known > 550 <ghost@example.com>: Recipient address rejected: not in this house
    made | our login > 550 SMTP AUTH account disabled
    made | our login > 550 Your account is disabled
    made | their list > 550 user not on list of approved users
    made | a login > 550 No user authentication provided
    made | an address of a machine > 550 MX address not found
    made | an address of a machine > 550 Invalid IP address
    made | for now, by policy > 450 4.7.2 ghost
    made | no relaying > 550 User not local; no relaying
    microsoft | Exchange Online [microsoft] > 550 5.7.193 UserWithoutAccess; user does not have access
    made | for now, no relaying > 450 relay not permitted
    made | a 521 that does not say whom it means > 521 Service unavailable
    made | no codes, no words > 554 5.0.0 no
    made | a range of codes > 550 5.3.4 ghost
  `,

  null_mx: String.raw`
    bounces | Postfix > 556 5.1.10 <ghost@example.com>: Recipient address rejected: Domain example.com does not accept mail (nullMX)
    rfc | RFC 7504 > 521 5.3.2 Server does not accept mail
    rfc | RFC 7504 > 550 This host does not accept mail
    made | RFC 7504's code alone > 556 ghost
  `,

  smtputf8: String.raw`
    rfc | RFC 6531 > 550 5.6.7 Non-ASCII addresses are not supported here
    rfc | RFC 6531 > 553 5.6.7 Not in ASCII
  `,

  protocol: String.raw`
    made | any > 354 go on
    made | any > 503 5.0.0 Need MAIL before RCPT
  `,
};
