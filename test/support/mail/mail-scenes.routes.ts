import { plain, type MailScene } from './mail-scene.js';
import { catchAll, greetingWith, HANG_UP, SILENCE } from '../smtp/smtp-behaviours.js';

/** No server listens there. */
const CLOSED_ADDRESS = '127.9.9.9';
/** Must not be contacted, although the network of the mail world is allowed. */
const PRIVATE_ADDRESS = '10.11.12.13';

/** Mail routes in the DNS, valid and invalid. */
export const ROUTES: MailScene[] = [
  {
    domain: 'secondary.mailworld',
    story: 'its first MX is down, the second works',
    servers: [plain],
    hosts: ['mx2.secondary.mailworld'],
    dns: {
      'secondary.mailworld': {
        mx: [
          [10, 'mx1.secondary.mailworld'],
          [20, 'mx2.secondary.mailworld'],
        ],
      },
      'mx1.secondary.mailworld': { a: [CLOSED_ADDRESS] },
    },
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'busyfirst.mailworld',
    story: 'its first MX answers 421, the second works',
    servers: [greetingWith(['421 4.3.2 Service not available', HANG_UP]), plain],
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'silentfirst.mailworld',
    story: 'its first MX accepts the connection and sends nothing, the second works',
    servers: [greetingWith(SILENCE), plain],
    expect: { jane: 'accepted_email' },
  },
  {
    domain: 'implicit.mailworld',
    story: 'has no MX, but an address with a mail server (RFC 5321 §5.1)',
    servers: [plain],
    hosts: ['implicit.mailworld'],
    dns: { 'implicit.mailworld': {} },
    expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
  },
  {
    domain: 'nomail.mailworld',
    story: 'declares that it accepts no mail (RFC 7505)',
    dns: { 'nomail.mailworld': { mx: [[0, '.']], a: [CLOSED_ADDRESS] } },
    expect: { jane: 'null_mx' },
  },
  {
    domain: 'nothing.mailworld',
    story: 'exists, and has neither MX nor address',
    dns: { 'nothing.mailworld': { txt: ['nothing here'] } },
    expect: { jane: 'no_mail_server' },
  },
  {
    domain: 'absent.mailworld',
    story: 'does not exist',
    dns: {},
    expect: { jane: 'invalid_domain' },
  },
  {
    domain: 'hostless.mailworld',
    story: 'names an MX host that does not exist; its own address must not be used instead',
    servers: [plain],
    hosts: ['hostless.mailworld'],
    dns: { 'hostless.mailworld': { mx: [[10, 'gone.hostless.mailworld']] } },
    expect: { jane: 'no_mail_server' },
  },
  {
    domain: 'servfail.mailworld',
    story: 'its name servers fail',
    dns: { 'servfail.mailworld': { rcode: 'SERVFAIL' } },
    expect: { jane: 'dns_error' },
  },
  {
    domain: 'mute.mailworld',
    story: 'its name servers never answer',
    dns: { 'mute.mailworld': { behaviour: 'silent' } },
    expect: { jane: 'dns_error' },
  },
  {
    domain: 'closed.mailworld',
    story: 'nothing listens at its only mail server',
    dns: {
      'closed.mailworld': { mx: [[10, 'mx.closed.mailworld']] },
      'mx.closed.mailworld': { a: [CLOSED_ADDRESS] },
    },
    expect: { jane: 'no_connect' },
  },
  {
    domain: 'private.mailworld',
    story: 'its mail server has an address in a private network, which must not be dialled',
    dns: {
      'private.mailworld': { mx: [[10, 'mx.private.mailworld']] },
      'mx.private.mailworld': { a: [PRIVATE_ADDRESS] },
    },
    expect: { jane: 'unsafe_mail_server' },
  },
  {
    domain: 'xn--bcher-kva.mailworld',
    story: 'is also written bücher.mailworld',
    servers: [plain],
    expect: { jane: 'accepted_email' },
  },
  {
    domain: 'gmial.com',
    story: 'is a typing error and has no mail server; gmail.com is suggested',
    dns: { 'gmial.com': { txt: ['parked'] } },
    expect: { jane: 'no_mail_server' },
  },
  {
    domain: 'mailinator.com',
    story: 'is a provider of disposable mailboxes',
    servers: [catchAll()],
    expect: { jane: 'disposable' },
  },
  {
    domain: 'gmail.com',
    story: 'is denied by a name server without an SOA record, which is no proof',
    dns: { 'gmail.com': { rcode: 'NXDOMAIN' } },
    expect: { jane: 'dns_error' },
  },
];
