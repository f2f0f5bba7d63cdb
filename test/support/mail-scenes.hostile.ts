import { plain, saying, type MailScene } from './mail-scene.js';
import { greetingWith, HANG_UP, requiringTls, RESET, SILENCE } from './smtp-behaviours.js';

/** Hostile servers. */
export const HOSTILE: MailScene[] = [
  {
    domain: 'garbage.mailworld',
    story: 'speaks no SMTP',
    servers: [greetingWith({ raw: 'SSH-2.0-OpenSSH_9.6\r\n' })],
    expect: { jane: 'smtp_protocol_error' },
  },
  {
    domain: 'endless.mailworld',
    story: 'greets without end',
    servers: [greetingWith({ endless: '220-still greeting\r\n' })],
    expect: { jane: 'smtp_protocol_error' },
  },
  {
    domain: 'longline.mailworld',
    story: 'sends a line without end',
    servers: [greetingWith({ endless: 'x'.repeat(512) })],
    expect: { jane: 'smtp_protocol_error' },
  },
  {
    domain: 'drip.mailworld',
    story: 'sends one octet at a time',
    servers: [greetingWith({ drip: '220 mx.test ESMTP\r\n', everyMs: 400 })],
    expect: { jane: 'timeout' },
  },
  {
    domain: 'silent.mailworld',
    story: 'takes the connection and says nothing',
    servers: [greetingWith(SILENCE)],
    expect: { jane: 'timeout' },
  },
  {
    domain: 'hangup.mailworld',
    story: 'hangs up at once',
    servers: [greetingWith(HANG_UP)],
    expect: { jane: 'smtp_protocol_error' },
  },
  {
    domain: 'reset.mailworld',
    story: 'resets at RCPT',
    servers: [saying(RESET)],
    expect: { ghost: 'smtp_protocol_error' },
  },
  {
    domain: 'stuck.mailworld',
    story: 'never answers RCPT',
    servers: [saying(SILENCE)],
    expect: { ghost: 'timeout' },
  },
  {
    domain: 'brokentls.mailworld',
    story: 'demands STARTTLS and cannot do it',
    servers: [{ ...requiringTls(plain), startTls: 'broken' }],
    expect: { jane: 'recipient_policy' },
  },
];
