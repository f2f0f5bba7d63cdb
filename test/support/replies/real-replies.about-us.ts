import type { RepliesByMeaning } from './real-replies.js';

/** Replies at RCPT that refuse the client host, its name or the sender. */
export const ABOUT_US: RepliesByMeaning = {
  sender_blocked: String.raw`
    made | plain > 550 remote host is not welcome here
    bounces | Sendmail > 550 5.7.1 <ghost@example.com>... Relaying denied. IP name possibly forged [192.0.2.7]
    debian | Postfix RBL > 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.7
    debian | Postfix rDNS > 450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.7]
    bounces | Postfix sender > 550 5.1.8 <verify@rcpt.example>: Sender address rejected: Domain not found
    debian | Postfix HELO > 504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname
    debian | Exim sender call-out > 550-Verification failed for <verify@rcpt.example>|550-No Such User Here|550 Sender verify failed
    bounces | Exim RBL > 550 "JunkMail rejected - host [192.0.2.7] is in an RBL: http://www.barracudanetworks.com/reputation/"
    made | bare 550 with a list > 550 Rejected because 192.0.2.7 is in a black list at b.barracudacentral.org
    bounces | qmail > 553 sorry, your envelope sender is in my badmailfrom list (#5.7.1)
    made | 5.1.1 with a list > 550 5.1.1 <ghost@example.com>: user unknown to hosts with a poor reputation
    made | 5.2.1 with a list > 550 5.2.1 Your IP 192.0.2.7 is blacklisted
    microsoft | Exchange Online [microsoft] > 550 5.7.606 Access denied, banned sending IP [192.0.2.7]
    microsoft | Exchange Online [microsoft] > 550 5.7.511 Access denied, please forward this to delist
    microsoft | Exchange Online [microsoft] > 451 4.7.500 Server busy. Please try again later from [192.0.2.7]. (S77719)
    microsoft | Outlook.com [microsoft] > 451 4.7.650 The mail server [192.0.2.7] has been temporarily rate limited due to IP reputation.
    microsoft | Outlook.com [microsoft] > 550 5.7.1 Unfortunately, messages from [192.0.2.7] weren’t sent. Please contact your Internet service provider (S3150).
    google | Gmail [google] > 421-4.7.28 [192.0.2.7] Our system has detected an unusual rate of unsolicited|421 4.7.28 mail originating from your IP address. - gsmtp
    google | Gmail [google] > 550 5.7.25 [192.0.2.7] The IP address sending this message does not have a PTR record
    google | Gmail [google] > 550 5.7.26 This mail is unauthenticated, which poses a security risk
    yahoo | Yahoo [yahoo] > 421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints
    yahoo | Yahoo [yahoo] > 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.7
    bounces | iCloud by Proofpoint [apple] > 554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.7
    bounces | Proofpoint [proofpoint] > 550 5.7.0 Mail from 192.0.2.7 refused by Proofpoint Reputation Services.
    mimecast | Mimecast [mimecast] > 550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550
    bounces | GMX [gmx] > 550-Requested action not taken: mailbox unavailable|550 Reject due to SPF policy
    bounces | 163.com [netease] > 554 IP<192.0.2.7> in blacklist
    bounces | QQ [tencent] > 550 Ip frequency limited
    bounces | mail.ru [mailru] > 550 Access from ip address 192.0.2.7 blocked. Visit http://help.mail.ru/notspam-support/
    bounces | AT&T > 553 5.3.0 flph823 DNSBL:RBL 521< 192.0.2.7 >_is_blocked.
    bounces | Zoho [zoho] > 550 5.4.6 Unusual sending activity detected. Please try after sometime
    made | 554 5.7 by default > 554 5.7.1 You may not
    debian | Postfix access map > 554 5.7.1 <verify@rcpt.example>: Sender address rejected: Access denied
    debian | Postfix access map > 554 5.7.1 <verify.rcpt.example[192.0.2.7]>: Client host rejected: Access denied
    debian | Postfix > 450 4.1.8 <verify@rcpt.example>: Sender address rejected: Domain not found
    debian | Postfix > 450 4.1.7 <verify@rcpt.example>: Sender address rejected: unverified address: Host or domain name not found
    debian | Postfix > 450 4.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.7]
    debian | Postfix > 450 4.7.1 <localhost>: Helo command rejected: Host not found
    debian | postscreen > 550 5.7.1 Service unavailable; client [192.0.2.7] blocked using rbl.example
    debian | Exim sender verification > 550-Verification failed for <verify@rcpt.example>|550-Unrouteable address|550 Sender verify failed
    debian | Exim sender verification, own message > 550-Verification failed for <verify@rcpt.example>|550-Unrouteable address|550 Callback setup failed while verifying
    debian | Exim SPF > 550 192.0.2.7 is not allowed to send mail from rcpt.example
    debian | Exim RBL > 550-rejected because 192.0.2.7 is in a black list at rbl.example|550 https://www.rbl.example/query/192.0.2.7
    microsoft | Exchange Online [microsoft] > 550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.
    microsoft | Exchange Online [microsoft] > 451 4.7.550 Access denied, please try again
    google | Gmail [google] > 550 5.7.1 The IP you're using to send mail is not authorized to send email directly to our servers.
    yahoo | Yahoo [yahoo] > 553 5.7.2 [TSS09] All messages from 192.0.2.7 will be permanently deferred; Retrying will NOT succeed.
    mimecast | Mimecast [mimecast] > 451 IP temporarily blacklisted - https://community.mimecast.com/docs/DOC-1369#451
    microsoft | Exchange Online [microsoft] > 550 5.7.501 ghost
    microsoft | Exchange Online [microsoft] > 451 4.7.501 ghost
    kumomta | any > 550 Email blocked by cbl.abuseat.org
    kumomta | any > 553 5.0.3 Blocked by ivmSIP
    kumomta | any > 550 Recipient not on bypass list, your IP has been found on a block list
    sisimai | any > 550 Too low reputation: user unknown to your host
    sisimai | any > 553 Rejecting open proxy
    sisimai | MessageLabs [symantec] > 553 your email address has been blacklisted
    made | our sender, taken for the unknown one > 550 5.1.1 <verify@rcpt.example>: User unknown
    made | our sender, taken for the unknown one > 550 no such user verify@rcpt.example
    made | French > 550 5.1.1 Adresse d'expéditeur inconnue
    made | the sender's code with other words > 550 5.1.8 User unknown
    made | the code alone > 550 5.7.23 ghost
    made | the code alone > 450 4.7.0 ghost
    made | the code alone > 450 4.1.8 ghost
    made | the code alone > 550 5.7.0 ghost
    made | the code alone > 450 4.7.24 ghost
  `,
};
