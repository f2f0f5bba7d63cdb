import { plain, saying, type MailScene } from './mail-scene.js';
import { greetingWith, HANG_UP, requiringTls, RESET, SILENCE } from '../smtp/smtp-behaviours.js';

/** So that the greeting takes longer than the timeout of a greeting, with the default settings too. */
const DRIP_MS = 2_000;

/** Hostile servers. */
export const HOSTILE: MailScene[] = [
  {
    domain: 'garbage.mailworld',
    story: 'does not speak SMTP',
    servers: [greetingWith({ raw: 'SSH-2.0-OpenSSH_9.6\r\n' })],
    expect: { jane: 'smtp_protocol_error' },
  },
  {
    domain: 'endless.mailworld',
    story: 'sends a greeting without end',
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
    servers: [greetingWith({ drip: '220 mx.test ESMTP', everyMs: DRIP_MS })],
    expect: { jane: 'timeout' },
  },
  {
    domain: 'silent.mailworld',
    story: 'accepts the connection and sends nothing',
    servers: [greetingWith(SILENCE)],
    expect: { jane: 'timeout' },
  },
  {
    domain: 'hangup.mailworld',
    story: 'closes the connection at once',
    servers: [greetingWith(HANG_UP)],
    expect: { jane: 'smtp_protocol_error' },
  },
  {
    domain: 'reset.mailworld',
    story: 'resets the connection at RCPT',
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
    story: 'requires STARTTLS and does not support it',
    servers: [{ ...requiringTls(plain), startTls: 'broken' }],
    expect: { jane: 'recipient_policy' },
  },
];
