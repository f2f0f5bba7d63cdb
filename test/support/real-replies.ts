import type { SmtpCategory } from '../../src/kernel/verdict.js';

/** What a real mail server says to RCPT TO:<ghost@example.com>, and what it means by it. */
export interface RealReply {
  software: string;
  /** As `providerOf` names it; null where anybody may run this software. */
  provider: string | null;
  category: SmtpCategory;
  /** `550 text`; several lines are apart by `|`. */
  text: string;
}

/** One reply a line: `software [provider] > reply`. */
const BY_MEANING: Partial<Record<SmtpCategory, string>> = {
  accepted: String.raw`
    Postfix > 250 2.1.5 Ok
    Exim > 250 Accepted
    RFC 5321 forwarder > 251 User not local; will forward to <g@example.net>
    Gmail [google] > 250 2.1.5 OK a1-20020a05600c4fcb00b0 - gsmtp
  `,

  rate_limited: String.raw`
    Gmail [google] > 450-4.2.1 The user you are trying to contact is receiving mail too quickly.|450-4.2.1 Please resend your message at a later time.|450 4.2.1 https://support.google.com/mail/?p=ReceivingRate - gsmtp
    Gmail [google] > 550-5.2.1 The user you are trying to contact is receiving mail at a rate that|550 5.2.1 prevents additional messages from being delivered. - gsmtp
    Yandex [yandex] > 450 4.2.1 The recipient has exceeded message rate limit. Try again later.
  `,

  mailbox_not_found: String.raw`
    Postfix local > 550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown in local recipient table
    Postfix relay > 550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown in relay recipient table
    Postfix, no codes > 550 <ghost@example.com>: Recipient address rejected: User unknown in virtual mailbox table
    Postfix verification > 550 5.1.1 <ghost@example.com>: Recipient address rejected: undeliverable address: host mx2[192.0.2.1] said: 550 5.1.1 unknown
    Postfix moved > 550 5.1.6 <ghost@example.com>: Recipient address rejected: User has moved to g@example.net
    Dovecot > 550 5.1.1 <ghost@example.com> User doesn't exist: ghost@example.com
    Exim > 550 Unrouteable address
    Exim > 550 Unknown user
    cPanel > 550 No Such User Here"
    Exim call-out > 550-Callout verification failed:|550 550 5.1.1 <ghost@example.com> User unknown
    OpenSMTPD > 550 Invalid recipient: <ghost@example.com>
    Sendmail > 550 5.1.1 <ghost@example.com>... User unknown
    Sendmail access > 553 5.3.0 <ghost@example.com>... User unknown
    qmail chkuser > 550 sorry, no mailbox here by that name. (#5.1.1 - chkuser)
    qmail chkuser > 511 sorry, no mailbox here by that name (#5.1.1 - chkuser)
    Cyrus > 550-Mailbox unknown.  Either there is no mailbox associated with this|550-name or you do not have authorization to see it.|550 5.1.1 User unknown
    Exchange > 550 5.1.1 User unknown
    Exchange > 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
    Exchange Online [microsoft] > 550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT012.eop-EUR03.prod.protection.outlook.com]
    Exchange Online [microsoft] > 550 5.4.1 [ghost@example.com]: Recipient address rejected: Access denied
    Outlook.com [microsoft] > 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).
    Gmail [google] > 550-5.1.1 The email account that you tried to reach does not exist. Please try|550-5.1.1 double-checking the recipient's email address for typos or|550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser - gsmtp
    Yahoo [yahoo] > 554 delivery error: dd This user doesn't have a example.com account (ghost@example.com) [0] - mta4.mail.ne1.yahoo.com
    Yahoo [yahoo] > 552 1 Requested mail action aborted, mailbox not found
    AOL [yahoo] > 550 5.1.1 <ghost@example.com>: Recipient address rejected: example.com
    Yandex [yandex] > 550 5.7.1 No such user!
    mail.ru [mailru] > 550 Message was not accepted -- invalid mailbox.  Local mailbox ghost@example.com is unavailable: user not found
    Zoho [zoho] > 550 5.1.1 User does not exist - <ghost@example.com>
    Proofpoint [proofpoint] > 550 5.7.1 <ghost@example.com>: recipient marked as invalid
    Proofpoint [proofpoint] > 550 5.1.1 <ghost@example.com>: User Unknown
    Mimecast [mimecast] > 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [6ATVl4DjOvSA6XNsWGoUFw.us31]
    Barracuda [barracuda] > 550 <ghost@example.com>: Recipient address rejected: No such user (ghost@example.com)
    Cisco [cisco] > 550 #5.1.0 Address rejected.
    Symantec [symantec] > 550-Invalid recipient <ghost@example.com>|550 (#5.1.1)
    iCloud [apple] > 550 5.1.1 <ghost@example.com>: user does not exist
    iCloud [apple] > 550 5.1.1 unknown or illegal alias: ghost@example.com
    QQ [tencent] > 550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1
    163.com [netease] > 550 User not found: ghost@example.com
    Proton [proton] > 550 5.1.1 <ghost@example.com>: Recipient address rejected: Address does not exist
    Cloudflare [cloudflare] > 550 5.1.1 Address does not exist. 0x12
    Stalwart > 550 5.1.2 Mailbox does not exist.
    AT&T > 550 5.2.1 <ghost@example.com>... Addressee unknown, relay=[192.0.2.7]
    Comcast [comcast] > 550 5.1.1 Not our Customer
    Orange [orange] > 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_418 [418]
    Virgin Media > 550 5.1.1 MXIN501 mailbox ghost@example.com unknown
    RFC 5321 text > 550 Requested action not taken: mailbox unavailable
    RFC 5321 > 551 User not local; please try <g@example.net>
  `,

  mailbox_disabled: String.raw`
    Gmail [google] > 550 5.2.1 The email account that you tried to reach is disabled. - gsmtp
    Gmail [google] > 552-5.2.2 The email account that you tried to reach is over quota and inactive.|552 5.2.2 - gsmtp
    Yahoo [yahoo] > 554 30 Sorry, your message to ghost@example.com cannot be delivered. This mailbox is disabled (554.30).
    Sendmail > 550 5.2.1 <ghost@example.com>... Mailbox disabled for this recipient
    Hanmail > 550 5.2.1 RACT 192.0.2.7: Mailbox is inactive: <ghost@example.com>
    mail.ru [mailru] > 550 Message was not accepted -- invalid mailbox.  Local mailbox ghost@example.com is unavailable: account is disabled
    163.com [netease] > 550 User suspended
    any > 550 5.2.1 ghost
  `,

  mailbox_full: String.raw`
    Gmail [google] > 452-4.2.2 The recipient's inbox is out of storage space. Please direct the|452 4.2.2 recipient to https://support.google.com/mail/?p=OverQuotaTemp - gsmtp
    Postfix, Dovecot > 552 5.2.2 <ghost@example.com>: Recipient address rejected: Quota exceeded (mailbox for user is full)
    Dovecot > 452 4.2.2 <ghost@example.com> Quota exceeded (mailbox for user is full)
    iCloud [apple] > 552 5.2.2 <ghost@example.com>: user is over quota
    Yandex [yandex] > 552 5.2.2 Mailbox size limit exceeded
    GMX [gmx] > 552-Requested mail action aborted: exceeded storage allocation|552-Quota exceeded. The recipient's mailbox is full.
    Exchange Online [microsoft] > 554 5.2.2 mailbox full; STOREDRV.Deliver
    AOL > 552 user has too many messages on the server
    plain > 552 Requested mail action aborted
  `,

  greylisted: String.raw`
    Postgrey > 450 4.2.0 <ghost@example.com>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.com.html
    Sendmail > 451 4.7.1 Greylisting in action, please come back later
    Exim > 451 greylisted, try again in 300 seconds
    Greylist, no PTR > 450 You dont seem to have a reverse dns entry. Come back later. You are greylisted for 20 minutes.
    Yandex [yandex] > 451 4.7.1 Sorry, the service is currently unavailable. Please come back later.
    Mimecast [mimecast] > 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451
    plain > 450 Please try again later
  `,

  temporary: String.raw`
    Exim > 451 Temporary local problem - please try later
    Exim > 451 Could not complete recipient verify callout
    Postfix > 451 4.3.0 <ghost@example.com>: Temporary lookup failure
    Postfix > 450 4.1.1 <ghost@example.com>: Recipient address rejected: unverified address: Address verification in progress
    Postfix > 452 4.3.1 Insufficient system storage
    Outlook.com [microsoft] > 452 4.5.3 Too many recipients (AS780090)
    Postfix > 452 4.5.3 Error: too many recipients
    Postfix > 421 4.7.0 mx.example.com Error: too many connections from 192.0.2.7
    Exchange > 421 4.3.2 Service not available
    OpenSMTPD > 421 4.3.0 Temporary Error
    plain > 450 Requested mail action not taken: mailbox unavailable
    plain > 452 Requested action not taken: insufficient system storage
    bounce in disguise > 554 5.0.0 Mailbox temporarily unavailable
    harvest guard > 550 5.7.1 Too many invalid recipients
  `,

  sender_blocked: String.raw`
    Postfix RBL > 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.7
    Postfix rDNS > 450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.7]
    Postfix sender > 550 5.1.8 <verify@rcpt.example>: Sender address rejected: Domain not found
    Postfix HELO > 504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname
    Exim sender call-out > 550-Verification failed for <verify@rcpt.example>|550-No Such User Here|550 Sender verify failed
    Exim RBL > 550 "JunkMail rejected - host [192.0.2.7] is in an RBL: http://www.barracudanetworks.com/reputation/"
    bare 550 with a list > 550 Rejected because 192.0.2.7 is in a black list at b.barracudacentral.org
    qmail > 553 sorry, your envelope sender is in my badmailfrom list (#5.7.1)
    5.1.1 with a list > 550 5.1.1 <ghost@example.com>: user unknown to hosts with a poor reputation
    5.2.1 with a list > 550 5.2.1 Your IP 192.0.2.7 is blacklisted
    Exchange Online [microsoft] > 550 5.7.606 Access denied, banned sending IP [192.0.2.7]
    Exchange Online [microsoft] > 550 5.7.511 Access denied, please forward this to delist
    Exchange Online [microsoft] > 451 4.7.500 Server busy. Please try again later from [192.0.2.7]. (S77719)
    Outlook.com [microsoft] > 451 4.7.650 The mail server [192.0.2.7] has been temporarily rate limited due to IP reputation.
    Outlook.com [microsoft] > 550 5.7.1 Unfortunately, messages from [192.0.2.7] weren’t sent. Please contact your Internet service provider (S3150).
    Gmail [google] > 421-4.7.28 [192.0.2.7] Our system has detected an unusual rate of unsolicited|421 4.7.28 mail originating from your IP address. - gsmtp
    Gmail [google] > 550 5.7.25 [192.0.2.7] The IP address sending this message does not have a PTR record
    Gmail [google] > 550 5.7.26 This mail is unauthenticated, which poses a security risk
    Yahoo [yahoo] > 421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints
    Yahoo [yahoo] > 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.7
    iCloud by Proofpoint [apple] > 554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.7
    Proofpoint [proofpoint] > 550 5.7.0 Mail from 192.0.2.7 refused by Proofpoint Reputation Services.
    Mimecast [mimecast] > 550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550
    GMX [gmx] > 550-Requested action not taken: mailbox unavailable|550 Reject due to SPF policy
    163.com [netease] > 554 IP<192.0.2.7> in blacklist
    QQ [tencent] > 550 Ip frequency limited
    mail.ru [mailru] > 550 Access from ip address 192.0.2.7 blocked. Visit http://help.mail.ru/notspam-support/
    AT&T > 553 5.3.0 flph823 DNSBL:RBL 521< 192.0.2.7 >_is_blocked.
    Zoho [zoho] > 550 5.4.6 Unusual sending activity detected. Please try after sometime
    554 5.7 by default > 554 5.7.1 You may not
  `,

  policy: String.raw`
    any > 252 2.1.5 Cannot VRFY user, but will accept message and attempt delivery
    Postfix > 554 5.7.1 <ghost@example.com>: Relay access denied
    Postfix > 454 4.7.1 <ghost@example.com>: Relay access denied
    Postfix access map > 554 5.7.1 <ghost@example.com>: Recipient address rejected: Access denied
    access denied elsewhere > 550 5.4.1 <ghost@example.com>: Recipient address rejected: Access denied
    5.5.0 elsewhere > 550 5.5.0 mailbox unavailable
    Exim > 550 Administrative prohibition
    Exim > 550 relay not permitted
    Exim > 550 restricted characters in address
    Sendmail > 550 5.7.1 <ghost@example.com>... Relaying denied. IP name possibly forged [192.0.2.7]
    Sendmail > 550 5.1.2 <ghost@example.com>... Host unknown (Name server: example.com: host not found)
    Postfix > 550 5.1.2 <ghost@example.com>: Recipient address rejected: Domain not found
    qmail > 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
    Exchange > 550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain
    Exchange group [microsoft] > 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated
    Google group [google] > 550-5.7.1 The group you tried to contact may not exist, or you may not have|550 5.7.1 permission to post messages to the group.
    Yandex [yandex] > 550 5.7.1 Policy rejection on the target address
    Facebook > 550 5.1.1 RCP-P1 Domain example.com no longer available https://www.facebook.com/postmaster/response_codes?ip=192.0.2.7#RCP-P1
    QQ [tencent] > 550 Mailbox unavailable or access denied
    Barracuda [barracuda] > 550 permanent failure for one or more recipients (ghost@example.com:blocked)
    Haraka > 550 I cannot deliver mail for <ghost@example.com>
    MailEnable > 503 This mail server requires authentication when attempting to send to a non-local e-mail address.
    bare 550 > 550 Rejected
    bare 554 > 554 Transaction failed
    bare 550 5.7.1 > 550 5.7.1 Not today
    STARTTLS > 530 5.7.0 Must issue a STARTTLS command first
    routing > 550 5.4.4 Unable to route: no mail hosts for domain
  `,

  null_mx: String.raw`
    Postfix > 556 5.1.10 <ghost@example.com>: Recipient address rejected: Domain example.com does not accept mail (nullMX)
    RFC 7504 > 521 5.3.2 Server does not accept mail
    RFC 7504 > 550 This host does not accept mail
  `,

  smtputf8: String.raw`
    RFC 6531 > 550 5.6.7 Non-ASCII addresses are not supported here
  `,

  protocol: String.raw`
    any > 354 go on
    any > 503 5.0.0 Need MAIL before RCPT
  `,
};

const LINE = /^(.+?)(?: \[(\w+)\])? > (.+)$/;

export const REAL_REPLIES: readonly RealReply[] = Object.entries(BY_MEANING).flatMap(([category, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, software = '', provider = null, text = ''] = LINE.exec(line.trim()) ?? [];
      return { software, provider, category: category as SmtpCategory, text };
    }),
);
