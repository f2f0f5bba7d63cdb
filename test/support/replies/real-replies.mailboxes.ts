import type { RepliesByMeaning } from './real-replies.js';

/** Replies about a mailbox. */
export const ABOUT_MAILBOXES: RepliesByMeaning = {
  accepted: String.raw`
    debian | Postfix > 250 2.1.5 Ok
    made | any > 252 2.1.5 Cannot VRFY user, but will accept message and attempt delivery
    debian | Exim > 250 Accepted
    rfc | RFC 5321 forwarder > 251 User not local; will forward to <g@example.net>
    google | Gmail [google] > 250 2.1.5 OK a1-20020a05600c4fcb00b0 - gsmtp
  `,

  rate_limited: String.raw`
    google | Gmail [google] > 450-4.2.1 The user you are trying to contact is receiving mail too quickly.|450-4.2.1 Please resend your message at a later time.|450 4.2.1 https://support.google.com/mail/?p=ReceivingRate - gsmtp
    google | Gmail [google] > 550-5.2.1 The user you are trying to contact is receiving mail at a rate that|550 5.2.1 prevents additional messages from being delivered. - gsmtp
    bounces | Yandex [yandex] > 450 4.2.1 The recipient has exceeded message rate limit. Try again later.
  `,

  mailbox_not_found: String.raw`
    debian | Postfix local > 550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown in local recipient table
    debian | Postfix relay > 550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown in relay recipient table
    debian | Postfix, no codes > 550 <ghost@example.com>: Recipient address rejected: User unknown in virtual mailbox table
    bounces | Postfix verification > 550 5.1.1 <ghost@example.com>: Recipient address rejected: undeliverable address: host mx2[192.0.2.1] said: 550 5.1.1 unknown
    debian | Postfix moved > 550 5.1.6 <ghost@example.com>: Recipient address rejected: User has moved to g@example.net
    bounces | Dovecot > 550 5.1.1 <ghost@example.com> User doesn't exist: ghost@example.com
    debian | Exim > 550 Unrouteable address
    debian | Exim > 550 Unknown user
    bounces | cPanel > 550 No Such User Here"
    debian | Exim call-out > 550-Callout verification failed:|550 550 5.1.1 <ghost@example.com> User unknown
    debian | OpenSMTPD > 550 Invalid recipient: <ghost@example.com>
    bounces | Sendmail > 550 5.1.1 <ghost@example.com>... User unknown
    bounces | Sendmail access > 553 5.3.0 <ghost@example.com>... User unknown
    bounces | qmail chkuser > 550 sorry, no mailbox here by that name. (#5.1.1 - chkuser)
    bounces | qmail chkuser > 511 sorry, no mailbox here by that name (#5.1.1 - chkuser)
    bounces | Cyrus > 550-Mailbox unknown.  Either there is no mailbox associated with this|550-name or you do not have authorization to see it.|550 5.1.1 User unknown
    microsoft | Exchange > 550 5.1.1 User unknown
    microsoft | Exchange > 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
    microsoft | Exchange Online [microsoft] > 550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT012.eop-EUR03.prod.protection.outlook.com]
    microsoft | Exchange Online [microsoft] > 550 5.4.1 [ghost@example.com]: Recipient address rejected: Access denied
    microsoft | Outlook.com [microsoft] > 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).
    google | Gmail [google] > 553 5.1.3 The recipient address <ghost@example.com> is not a valid RFC-5321 address. - gsmtp
    google | Gmail [google] > 550-5.1.1 The email account that you tried to reach does not exist. Please try|550-5.1.1 double-checking the recipient's email address for typos or|550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser - gsmtp
    yahoo | Yahoo [yahoo] > 554 delivery error: dd This user doesn't have a example.com account (ghost@example.com) [0] - mta4.mail.ne1.yahoo.com
    yahoo | Yahoo [yahoo] > 552 1 Requested mail action aborted, mailbox not found
    yahoo | AOL [yahoo] > 550 5.1.1 <ghost@example.com>: Recipient address rejected: example.com
    bounces | Yandex [yandex] > 550 5.7.1 No such user!
    bounces | mail.ru [mailru] > 550 Message was not accepted -- invalid mailbox.  Local mailbox ghost@example.com is unavailable: user not found
    bounces | Zoho [zoho] > 550 5.1.1 User does not exist - <ghost@example.com>
    bounces | Proofpoint [proofpoint] > 550 5.7.1 <ghost@example.com>: recipient marked as invalid
    bounces | Proofpoint [proofpoint] > 550 5.1.1 <ghost@example.com>: User Unknown
    mimecast | Mimecast [mimecast] > 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [6ATVl4DjOvSA6XNsWGoUFw.us31]
    bounces | Barracuda [barracuda] > 550 <ghost@example.com>: Recipient address rejected: No such user (ghost@example.com)
    bounces | Cisco [cisco] > 550 #5.1.0 Address rejected.
    bounces | Symantec [symantec] > 550-Invalid recipient <ghost@example.com>|550 (#5.1.1)
    bounces | iCloud [apple] > 550 5.1.1 <ghost@example.com>: user does not exist
    bounces | iCloud [apple] > 550 5.1.1 unknown or illegal alias: ghost@example.com
    bounces | QQ [tencent] > 550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1
    bounces | 163.com [netease] > 550 User not found: ghost@example.com
    bounces | Proton [proton] > 550 5.1.1 <ghost@example.com>: Recipient address rejected: Address does not exist
    bounces | Cloudflare [cloudflare] > 550 5.1.1 Address does not exist. 0x12
    bounces | Stalwart > 550 5.1.2 Mailbox does not exist.
    bounces | AT&T > 550 5.2.1 <ghost@example.com>... Addressee unknown, relay=[192.0.2.7]
    bounces | Comcast [comcast] > 550 5.1.1 Not our Customer
    bounces | Orange [orange] > 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_418 [418]
    bounces | Virgin Media > 550 5.1.1 MXIN501 mailbox ghost@example.com unknown
    rfc | RFC 5321 text > 550 Requested action not taken: mailbox unavailable
    rfc | RFC 5321 > 551 User not local; please try <g@example.net>
    debian | Postfix relay, alias domain > 550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown in virtual alias table
    debian | Postfix, table name hidden > 550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown
    debian | Postfix access map > 550 5.1.1 <ghost@example.com>: Recipient address rejected: No such user here
    debian | Exim, redirect :fail: > 550 User moved to elsewhere
    debian | Exim, redirect :fail: with a code > 550 5.1.1 No such mailbox
    debian | Exim, message of an ACL > 550 No Such User Here
    debian | Exim, message of an ACL > 550 5.1.1 <ghost@example.com>: Recipient unknown
    debian | Exim call-out to Postfix > 550-Callout verification failed:|550-550 5.1.1 <ghost@example.com>: Recipient address rejected:|550 User unknown in relay recipient table
    kumomta | any > 550 That address does not exist
    kumomta | any > 553 address unknown
    kumomta | qmail > 553 sorry, no mail-box here by that name
    kumomta | SpamExperts [spamexperts] > 550 No such recipient here
    kumomta | any > 550 recipient unrecognized
    kumomta | isep.fr > 550 Utilisateur inconnu
    kumomta | any > 554 <ghost@example.com>: Recipient address rejected: User unknown
    sisimai | any > 550 no account by that name here
    sisimai | any > 550 address not present in directory
    sisimai | any > 550 There is no one at this address
    sisimai | any > 550 the user's email name is not found
    sisimai | any > 550 <ghost@example.com> is not a valid mailbox
    sisimai | vpopmail > 553 vdeliver: invalid or unknown virtual user
    sisimai | any > 550 no existe dicha persona
    sisimai | any > 550 nessun utente simile in questo indirizzo
    microsoft | Exchange 2007 > 550 RESOLVER.ADR.RecipNotFound; not found
    made | German > 550 Empfängeradresse existiert nicht
    made | Spanish > 550 5.0.0 El buzón no existe
    made | Portuguese > 550 Usuário inexistente
    made | Russian > 550 Нет такого пользователя
    made | Chinese > 550 收件人不存在
    made | a link of theirs in it > 550 5.1.1 user unknown https://postmaster.example.net/unknown
    made | lower case, no text > 550 5.1.1
    made | HTML > 550 <b>No such user</b>
    bounces | Sendmail > 550 5.1.2 <ghost@example.com>... Host unknown (Name server: example.com: host not found)
    bounces | Postfix > 550 5.1.2 <ghost@example.com>: Recipient address rejected: Domain not found
    debian | OpenSMTPD, odd address > 501 5.1.3 Recipient address syntax error
    bounces | Trend Micro > 554 5.7.1 <ghost@example.com>: Recipient address rejected: Invalid-Recipient
    bounces | Trend Micro > 554 5.7.1 <ghost@example.com>: Recipient address rejected: Not in recipient list
    google | Gmail [google] > 553 5.1.2 We weren't able to find the recipient domain. Please check for any spelling errors. - gsmtp
    google | Gmail [google] > 553 5.1.2 The recipient address <ghost@example.com> is not a valid RFC-5321 address. - gsmtp
    rfc | RFC 3463 text > 501 5.1.3 Bad recipient address syntax
    made | address in the syntax of others > 550 5.1.3 <ghost@example.com>: illegal destination
  `,

  mailbox_disabled: String.raw`
    google | Gmail [google] > 550 5.2.1 The email account that you tried to reach is disabled. - gsmtp
    google | Gmail [google] > 552-5.2.2 The email account that you tried to reach is over quota and inactive.|552 5.2.2 - gsmtp
    yahoo | Yahoo [yahoo] > 554 30 Sorry, your message to ghost@example.com cannot be delivered. This mailbox is disabled (554.30).
    bounces | Sendmail > 550 5.2.1 <ghost@example.com>... Mailbox disabled for this recipient
    bounces | Hanmail > 550 5.2.1 RACT 192.0.2.7: Mailbox is inactive: <ghost@example.com>
    bounces | mail.ru [mailru] > 550 Message was not accepted -- invalid mailbox.  Local mailbox ghost@example.com is unavailable: account is disabled
    bounces | 163.com [netease] > 550 User suspended
    made | any > 550 5.2.1 ghost
    debian | Postfix access map > 550 5.2.1 <ghost@example.com>: Recipient address rejected: Mailbox disabled
    debian | Exim, redirect :fail: > 550 This account has been disabled
    sisimai | vpopmail > 550 vdelivermail: account is locked email bounced
    google | Gmail [google] > 552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the|552 5.2.2 recipient to https://support.google.com/mail/?p=OverQuotaPerm - gsmtp
    google | Gmail [google] > 550-5.2.1 The email account that you tried to reach is inactive. For more|550 5.2.1 information, go to https://support.google.com/mail/?p=DisabledUser - gsmtp
    sisimai | QQ > 550 Invalid/inactive user
    kumomta | any > 550 User account is not active
    sisimai | any > 550 this address no longer accepts mail
    made | with the code for it > 550 5.2.1 Mailbox blocked
    made | Orange, without words > 550 5.5.0 Mail rejected. LPN007_426
    bounces | Orange > 550 5.5.0 Ce compte est bloque. This account is blocked. LPN007_426
    debian | Postfix access map > 550 5.2.1 <ghost@example.com>: Recipient address rejected: Mailbox disabled, not accepting messages
    bounces | Rambler > 540 5.7.1 <ghost@example.com>: recipient address rejected: Inactive
    yahoo | Yahoo [yahoo] > 554 delivery error: dd ghost@example.com is no longer valid. [-20]
    made | with the advice to try again > 550 Account disabled, please try again later
    made | without a word for the mailbox > 550 5.2.1 inactive since 2016
  `,

  mailbox_full: String.raw`
    google | Gmail [google] > 452-4.2.2 The recipient's inbox is out of storage space. Please direct the|452 4.2.2 recipient to https://support.google.com/mail/?p=OverQuotaTemp - gsmtp
    bounces | Postfix, Dovecot > 552 5.2.2 <ghost@example.com>: Recipient address rejected: Quota exceeded (mailbox for user is full)
    bounces | Dovecot > 452 4.2.2 <ghost@example.com> Quota exceeded (mailbox for user is full)
    bounces | iCloud [apple] > 552 5.2.2 <ghost@example.com>: user is over quota
    bounces | Yandex [yandex] > 552 5.2.2 Mailbox size limit exceeded
    made | the code alone > 552 5.2.2 ghost
    bounces | GMX [gmx] > 552-Requested mail action aborted: exceeded storage allocation|552-Quota exceeded. The recipient's mailbox is full.
    microsoft | Exchange Online [microsoft] > 554 5.2.2 mailbox full; STOREDRV.Deliver
    bounces | AOL > 552 user has too many messages on the server
    debian | Postfix access map > 452 4.2.2 <ghost@example.com>: Recipient address rejected: Mailbox full
    debian | Postfix policy > 552 5.2.2 <ghost@example.com>: Recipient address rejected: <ghost@example.com>: Mailbox is over quota
    debian | Exim, redirect :defer: > 452 4.2.2 Mailbox is full
    kumomta | any > 552 Mailbox limit exeeded for this email address
    kumomta | any > 550 Mailbox is full / Blocks limit exceeded / Inode limit exceeded
    kumomta | any > 550 account is overquota
    sisimai | Orange > 550 Boite du destinataire pleine. Recipient overquota. OFR_417
    sisimai | any > 554 delivery failed: over quota
    made | an odd code > 422 The recipient's mailbox is over its storage limit
    made | the code alone > 450 4.2.2 ghost
    made | the code alone > 554 5.2.2 ghost
    sisimai | any > 450 mailbox full
    bounces | any > 452 <ghost@example.com>: mailbox quota exceeded
    made | a code about the system > 452 4.3.1 <ghost@example.com>: Mailbox is over quota
    made | the words of a limit on clients > 452 4.2.2 Too much mail in mailbox
    made | the words of a limit on clients > 552 5.2.2 Too many messages, limit of the folder reached
    made | the words of a limit on clients > 452 4.2.2 too many messages, quota exceeded
    made | a code of policies > 452 4.7.1 over quota
  `,
};
