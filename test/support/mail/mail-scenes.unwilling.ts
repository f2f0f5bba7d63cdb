import { plain, row, type MailScene } from './mail-scene.js';
import {
  answeringMail,
  greetingWith,
  greylisting,
  greylistingFor,
  HANG_UP,
  oneRecipientPer,
  RESET,
  recipients,
} from '../smtp/smtp-behaviours.js';

const DENIES_RELAYING = '554 5.7.1 <{recipient}>: Relay access denied';

/** Servers that refuse the sender, defer, or give no information. */
export const UNWILLING: MailScene[] = [
  {
    domain: 'blocked.mailworld',
    story: 'refuses our IP address in its greeting',
    servers: [
      greetingWith([
        '554 5.7.1 Service unavailable; Client host [127.0.0.1] blocked using zen.spamhaus.org',
        HANG_UP,
      ]),
    ],
    expect: { jane: 'sender_blocked' },
  },
  {
    domain: 'nosender.mailworld',
    story: 'refuses our sender at MAIL',
    servers: [answeringMail('550 5.7.1 Sender rejected')],
    expect: { jane: 'sender_blocked' },
  },
  row(
    'listed',
    'names the blocklist only at RCPT',
    '550 5.7.1 Service unavailable, client [192.0.2.1] blocked using Spamhaus',
    'sender_blocked',
  ),
  row(
    'spf',
    'refuses for SPF, as Gmail does',
    '550 5.7.26 This mail is unauthenticated, which poses a security risk',
    'sender_blocked',
  ),
  {
    domain: 'grey.mailworld',
    story: 'greylists unknown clients',
    servers: [greylisting(plain)],
    expect: { jane: 'greylisted' },
  },
  {
    domain: 'shortgrey.mailworld',
    story: 'greylists for a second, and says so',
    servers: [greylistingFor(1_000, '451 4.7.1 Greylisted, try again in 1 second', plain)],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'longgrey.mailworld',
    story: 'greylists for longer than the timeout of a call',
    servers: [greylistingFor(300_000, '451 4.7.1 Greylisted for 5 minutes', plain)],
    expect: { jane: 'greylisted' },
  },
  row('later', 'has a passing problem', '451 4.3.0 Temporary lookup failure', 'temporary_failure'),
  row(
    'closing',
    'closes the channel at RCPT',
    ['421 4.3.2 Service shutting down', HANG_UP],
    'temporary_failure',
  ),
  {
    domain: 'picky.mailworld',
    story: 'accepts one recipient per connection, so that the random address needs a second one',
    servers: [oneRecipientPer('connection', plain)],
    expect: { jane: 'accepted_email' },
  },
  {
    domain: 'secretive.mailworld',
    story: 'accepts jane, and closes the connection for other recipients',
    servers: [recipients({ jane: '250 2.1.5 Ok' }, RESET)],
    expect: { jane: 'catch_all_unknown' },
  },
  row(
    'callback',
    'calls back about our sender, as Exim does, and repeats what it heard',
    '550-Verification failed for <verify@example.org>\n550-Unrouteable address\n550 Callback setup failed while verifying',
    'sender_blocked',
  ),
  row(
    'toomuch',
    'limits recipients for a while, with the code of greylisting',
    '450 4.7.1 Error: too many recipients from 192.0.2.1',
    'temporary_failure',
  ),
  row('atonce', 'limits recipients, for good it says', '552 too many recipients', 'temporary_failure'),
  row(
    'gateway',
    'has a rule against us that speaks of a user',
    '550 Envelope blocked - User Entry',
    'recipient_policy',
    'eu-smtp-inbound-1.mimecast.com',
  ),
  row(
    'mailbox-host',
    'names its host, which is called as if it were a mailbox',
    '550 mailbox.mailbox-host.mailworld rejected',
    'recipient_policy',
  ),
  row('policy', 'refuses by a policy of its own', '550 5.7.1 Message refused by policy', 'recipient_policy'),
  {
    domain: 'relay.mailworld',
    story: 'denies relaying for an address, but accepts the postmaster of its domain',
    servers: [recipients({ postmaster: '250 2.1.5 Ok' }, DENIES_RELAYING)],
    expect: { ghost: 'recipient_policy' },
  },
  {
    domain: 'unserved.mailworld',
    story: 'has MX hosts that deny relaying for every address of the domain, its postmaster too',
    servers: [recipients({}, DENIES_RELAYING), recipients({}, '550 relay not permitted')],
    expect: { jane: 'no_mail_server', postmaster: 'no_mail_server' },
  },
  {
    domain: 'half-served.mailworld',
    story: 'has a first MX host that denies relaying for the domain, and a second that serves it',
    servers: [recipients({}, DENIES_RELAYING), plain],
    expect: { jane: 'recipient_policy' },
  },
  row(
    'cannot',
    'cannot verify (252), whoever is asked about',
    '252 2.5.2 Cannot VRFY user, but will accept message',
    'catch_all',
  ),
];
