import { plain, type MailScene } from './mail-scene.js';
import {
  catchAll,
  greetingInLines,
  greetingWith,
  mailboxes,
  offeringSmtpUtf8,
  offeringTls,
  postscreen,
  requiringTls,
  wantingFullName,
  withoutEhlo,
} from '../smtp/smtp-behaviours.js';

/** Correct servers. */
export const WELL_BEHAVED: MailScene[] = [
  {
    domain: 'plain.mailworld',
    story: 'accepts jane, refuses all others',
    servers: [plain],
    expect: { jane: 'accepted_email', 'jane+news': 'mailbox_not_found', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'people.mailworld',
    story: 'has forty mailboxes, refuses all others',
    servers: [mailboxes(...Array.from({ length: 40 }, (_, n) => `person${n}`))],
    expect: { person7: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'everybody.mailworld',
    story: 'accepts mail for any address',
    servers: [catchAll()],
    expect: { jane: 'catch_all' },
  },
  {
    domain: 'lines.mailworld',
    story: 'sends a greeting of several lines',
    servers: [greetingInLines(plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'blank.mailworld',
    story: 'sends a blank line after its greeting',
    servers: [greetingWith({ raw: '220 mx.test ESMTP\r\n\r\n' }, plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'teaser.mailworld',
    story: 'sends the first line of its greeting early, as postscreen does',
    servers: [postscreen(plain, 200)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'helo.mailworld',
    story: 'supports HELO only',
    servers: [withoutEhlo(plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'fullname.mailworld',
    story: 'requires a full host name in EHLO',
    servers: [wantingFullName(plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'tls.mailworld',
    story: 'offers STARTTLS',
    servers: [offeringTls(plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'onlytls.mailworld',
    story: 'accepts no command before STARTTLS',
    servers: [requiringTls(plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'latetls.mailworld',
    story: 'requires STARTTLS only at RCPT',
    servers: [requiringTls(plain, 'rcpt')],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'unicode.mailworld',
    story: 'offers SMTPUTF8',
    servers: [offeringSmtpUtf8(mailboxes('josé'))],
    expect: { josé: 'accepted_email' },
  },
  {
    domain: 'nfc.mailworld',
    story: 'has a mailbox in NFC, however it is written',
    servers: [offeringSmtpUtf8(mailboxes('jos\u00e9'))],
    expect: { 'jose\u0301': 'accepted_email', 'ze\u0301': 'mailbox_not_found' },
  },
  {
    domain: 'nfd.mailworld',
    story: 'has a mailbox in NFD and does not normalize',
    servers: [offeringSmtpUtf8(mailboxes('jose\u0301'))],
    expect: { 'jose\u0301': 'accepted_email', 'jos\u00e9': 'mailbox_not_found' },
  },
  {
    domain: 'quotes.mailworld',
    story: 'has a mailbox with the special characters of RFC 5321',
    servers: [mailboxes('"<>,;:[]()"')],
    expect: { '"<>,;:[]()"': 'accepted_email', '"<ghost>"': 'mailbox_not_found' },
  },
  {
    domain: 'ascii.mailworld',
    story: 'does not offer SMTPUTF8',
    servers: [plain],
    expect: { josé: 'smtputf8_unsupported' },
  },
];
