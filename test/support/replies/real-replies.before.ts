import type { RepliesByMeaning } from './real-replies.js';

/** Replies before RCPT. */
export const BEFORE_RCPT: RepliesByMeaning = {
  sender_blocked: String.raw`
    debian@banner | Postfix > 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org
    debian@banner | Postfix > 554 5.7.1 <verify.rcpt.example[192.0.2.7]>: Client host rejected: Access denied
    debian@banner | postscreen > 521 5.7.1 Service unavailable; client [192.0.2.7] blocked using rbl.example
    debian@banner | Exim > 550 Administrative prohibition
    debian@banner | OpenSMTPD filter > 550 No reverse DNS
    debian@ehlo | Exim helo_verify_hosts > 550 EHLO argument does not match calling host
    debian@ehlo | Postfix after a refused greeting > 503 5.7.0 Error: access denied for unknown[192.0.2.7]
    debian@mail | Exim sender verification > 550-Verification failed for <verify@rcpt.example>|550-Unrouteable address|550 Sender verify failed
    debian@mail | OpenSMTPD filter > 550 Sender rejected
    bounces@banner | GMX > 554-mx.gmx.net Nemesis ESMTP Service not available|554 No SMTP service
    bounces@mail | Sendmail > 553 5.1.8 <verify@rcpt.example>... Domain of sender address does not exist
    yahoo@banner | Yahoo [yahoo] > 421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred
    google@mail | Gmail [google] > 421-4.7.28 [192.0.2.7] Our system has detected an unusual rate of mail|421 4.7.28 originating from your IP address. - gsmtp
    bounces@banner | any > 421 Your IP is on a block list
    made@banner | a listed client > 521 5.7.1 ghost
    made@banner | about a user, too early > 550 No such user
    made@ehlo | the code alone > 550 5.7.1 Helo command rejected: Access denied
    made@mail | about a user, too early > 550 5.1.1 User unknown
    made@mail | about a user, too early > 550 5.2.1 mailbox disabled
    made@mail | the sender's code > 501 5.1.7 ghost
    made@mail | a class that is kept for policy > 450 4.7.1 ghost
  `,

  temporary: String.raw`
    bounces@mail | SPF > 451 4.4.3 DNS timeout while checking SPF
    made@banner | rDNS > 450 rDNS lookup timeout
    debian@banner | Postfix > 421 4.7.0 mx.example.com Error: too many connections from 192.0.2.7
    debian@banner | Exim > 421 Too many concurrent SMTP connections from this IP address; please try again later.
    debian@mail | Exim > 421 too many messages in this connection
    debian@mail | Postfix, rate limit > 450 4.7.1 Error: too much mail from 192.0.2.7
    bounces@mail | Sendmail greylisting > 451 4.7.1 Greylisting in action, please come back later
    bounces@banner | Exchange > 421 4.3.2 All server ports are busy
    made@banner | a server with trouble of its own > 421 4.7.0 Temporary server error
    made@mail | about a mailbox, too early > 452 4.2.2 mailbox full
    made@ehlo | no codes > 421 bye
    made@mail | an odd code with a temporary class > 432 4.5.6 wait
  `,

  policy: String.raw`
    debian@mail | Postfix > 530 5.7.0 Must issue a STARTTLS command first
    debian@mail | OpenSMTPD > 530 5.5.1 Invalid command: Must issue a STARTTLS command first
    microsoft@mail | Exchange > 451 5.7.3 STARTTLS is required to send mail
    made@mail | wants a login > 530 ghost
    made@banner | a 521 that does not say whom it means > 521 Service unavailable
    made@banner | a 521 without a word > 521 mx.example.com
  `,

  null_mx: String.raw`
    made@banner | any > 521 corp.test does not accept mail
    made@banner | any > 554 This host does not accept mail
    made@banner | any > 521 Dieser Server nimmt keine E-Mails an
    rfc@banner | RFC 7504 > 521 example.com does not accept mail
    rfc@banner | RFC 7504 > 521 mx.example.net does not accept mail
    made@banner | RFC 7504 > 556 null MX
  `,

  protocol: String.raw`
    debian@mail | Exim, after the second MAIL > 503 sender already given
    debian@mail | OpenSMTPD > 503 5.5.4 Invalid command arguments: Unsupported option SMTPUTF8
    made@ehlo | any > 502 Command not implemented
    made@banner | any > 250 hello
    made@mail | the class alone > 550 5.5.9 ghost
  `,
};
