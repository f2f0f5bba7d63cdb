import { row, type MailScene } from './mail-scene.js';
import { catchAll } from '../smtp/smtp-behaviours.js';

/** Rows of the reply table: replies about mailboxes. */
export const MAILBOXES: MailScene[] = [
  row('exim', 'Exim’s unknown user', '550 Unknown user', 'mailbox_not_found'),
  row('opensmtpd', 'OpenSMTPD’s', '550 Invalid recipient: <ghost@opensmtpd.mailworld>', 'mailbox_not_found'),
  row('sendmail', 'Sendmail’s', '550 5.1.1 <ghost@sendmail.mailworld>... User unknown', 'mailbox_not_found'),
  row(
    'exchange',
    'Exchange’s',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    'mailbox_not_found',
  ),
  row(
    'm365',
    'Exchange Online’s, which says “access denied” for it',
    '550 5.4.1 Recipient address rejected: Access denied.',
    'mailbox_not_found',
    'm365-mailworld.mail.protection.outlook.com',
  ),
  row(
    'denied',
    'the same words from somebody else prove nothing',
    '550 5.4.1 Recipient address rejected: Access denied.',
    'recipient_policy',
  ),
  row('bare', 'a bare 550 that names nobody proves nothing', '550 Rejected', 'recipient_policy'),
  row(
    'full',
    'the mailbox is full',
    '452 4.2.2 The email account that you tried to reach is over quota',
    'mailbox_full',
  ),
  row('full5', 'the mailbox is full, for good it says', '552 5.2.2 Mailbox full', 'mailbox_full'),
  row(
    'disk',
    'the server’s disk is full, not the mailbox',
    '452 4.3.1 Insufficient system storage',
    'temporary_failure',
  ),
  row(
    'disabled',
    'the mailbox is closed',
    '550 5.2.1 The email account that you tried to reach is disabled',
    'mailbox_disabled',
  ),
  row(
    'toofast',
    'the mailbox receives too fast, so it exists',
    '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered',
    'accepted_email',
    'aspmx.l.google.com',
  ),
  row('nullhere', 'the host takes no mail', '556 5.1.10 Domain does not accept mail (nullMX)', 'null_mx'),
  {
    domain: 'yahoo.mailworld',
    story: 'on Yahoo’s servers, which accept every address and bounce later',
    servers: [catchAll()],
    hosts: ['mta5.am0.yahoodns.net'],
    expect: { jane: 'inconclusive_provider' },
  },
];
