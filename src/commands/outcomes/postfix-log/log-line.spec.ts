import { describe, expect, it } from '@jest/globals';
import { readLine } from './log-line.js';
import { timeOfLine } from './log-time.js';
import { leastMs } from '../../../../test/support/time/least-ms.js';

const LATEST = new Date('2026-11-26T15:00:00Z');
const START = '2026-11-26T14:09:49+00:00 mail postfix/smtp[123]: 4Xy1Zz2abcz9: ';
const AT = '2026-11-26T14:09:49.000Z';
const TO = 'to=<jane@example.com>, ';
const RELAY = 'relay=mx.example.com[192.0.2.1]:25, ';
const TIMES = 'delay=1.2, delays=0.1/0.01/0.5/0.6, dsn=2.0.0, ';
const SENT = 'status=sent (250 2.0.0 Ok: queued as 4Xy1Zz)';
const GONE = 'host mx.example.com[192.0.2.1] said: 550 5.1.1 <jane@example.com>: User unknown';
const read = (line: string) => readLine(line, LATEST);
const rest = (text: string) => read(`${START}${text}`);
const delivered = { email: 'jane@example.com', outcome: 'delivered', at: AT, message_id: '4Xy1Zz2abcz9' };

describe('a line of the log of Postfix', () => {
  it.each([
    ['Postfix 3', TO + RELAY + TIMES + SENT],
    ['a connection that is used again', `${TO}${RELAY}conn_use=2, ${TIMES}${SENT}`],
    ['an original recipient', `${TO}orig_to=<sales@ours.example>, ${RELAY}${TIMES}${SENT}`],
    [
      'an original recipient with a quoted local part',
      `${TO}orig_to=<"a>, b"@ours.example>, ${RELAY}${TIMES}${SENT}`,
    ],
    ['an unqualified original recipient', `${TO}orig_to=<root>, ${RELAY}${TIMES}${SENT}`],
    ['a relay with IPv6', `${TO}relay=mx.example.com[2001:db8::25]:25, ${TIMES}${SENT}`],
    ['a relay that is named by its address', `${TO}relay=192.0.2.1[192.0.2.1]:25, ${TIMES}${SENT}`],
    ['a further member', `${TO}${RELAY}tls=trusted, ${TIMES}${SENT}`],
    [
      'Postfix 2.2, which writes no port and no dsn',
      `${TO}relay=mx.example.com[192.0.2.1], delay=3, ${SENT}`,
    ],
    ['a reply that is cut off', `${TO}${RELAY}${TIMES}status=sent (250 2.0`],
    ['no reply', `${TO}${RELAY}${TIMES}status=sent`],
  ])('reports a delivery: %s', (_, text) => {
    expect(rest(text)).toEqual(delivered);
  });

  it.each([
    ['rsyslog with microseconds and an offset', '2026-11-26T15:09:49.123456+01:00 mail postfix/smtp[1]'],
    [
      'journalctl -o short-iso of older versions',
      '2026-11-26T15:09:49+0100 mail.example.com postfix/smtp[1]',
    ],
    ['UTC', '2026-11-26T14:09:49Z mail postfix/smtp[1]'],
    ['an instance', '2026-11-26T14:09:49Z mail postfix-out/smtp[1]'],
    ['a service with a name of its own', '2026-11-26T14:09:49Z mail postfix/slow/smtp[1]'],
    ['no process id', '2026-11-26T14:09:49Z mail postfix/smtp'],
    ['a priority', '<22>2026-11-26T14:09:49Z mail postfix/smtp[1]'],
  ])('is read with the prefix of %s', (_, prefix) => {
    expect(read(`${prefix}: 0A1B2C3D4E: ${TO}${RELAY}${TIMES}${SENT}`)).toMatchObject({
      outcome: 'delivered',
      at: expect.stringMatching(/^2026-11-26T14:09:49/),
      message_id: '0A1B2C3D4E',
    });
  });

  it('is read with the prefix of syslog, and of Solaris', () => {
    const at = new Date(2026, 10, 26, 9, 9, 49).toISOString();
    for (const prefix of [
      'Nov 26 09:09:49 mail postfix/smtp[1]: ',
      'Nov 26 09:09:49 mail postfix/smtp[1]: [ID 197553 mail.info] ',
    ])
      expect(read(`${prefix}0A1B2C3D4E: ${TO}${RELAY}${TIMES}${SENT}`)).toMatchObject({ at });
  });

  it.each([
    ['"john doe"@example.com', '"john doe"@example.com'],
    ['"a>, relay=x, status=sent (\\"b"@example.com', '"a>, relay=x, status=sent (\\"b"@example.com'],
    ['john doe@example.com', '"john doe"@example.com'],
    ["o'hara+tag=1@example.com", "o'hara+tag=1@example.com"],
    ['jürgen@exämple.com', 'jürgen@exämple.com'],
  ])('has the recipient %s', (logged, email) => {
    expect(rest(`to=<${logged}>, ${RELAY}${TIMES}${SENT}`)).toEqual({ ...delivered, email });
  });

  it.each([
    [`${GONE} (in reply to RCPT TO command)`, '550 5.1.1 <jane@example.com>: User unknown'],
    [`${GONE} (in reply to end of DATA command)`, '550 5.1.1 <jane@example.com>: User unknown'],
    [
      'host mx[2001:db8::1] said: 550-5.1.1 The account does not exist (really). 550 5.1.1 See help (in reply to RCPT TO command)',
      '550-5.1.1 The account does not exist (really). 550 5.1.1 See help',
    ],
  ])('reports a bounce with the reply in it: %s', (text, reply) => {
    const line = `${TO}${RELAY}delay=1, delays=0/0/1/0, dsn=5.1.1, status=bounced (${text})`;
    expect(rest(line)).toEqual({ ...delivered, outcome: 'bounced', reply });
  });

  it('has at most 1,000 characters of a reply, and no control characters', () => {
    const text = GONE.replace('User', `\u001b\u0000${'x'.repeat(2_000)}`);
    const line = rest(`${TO}${RELAY}dsn=5.1.1, status=bounced (${text} (in reply to RCPT TO command))`);
    expect(line).toMatchObject({ reply: expect.stringMatching(/^550 5\.1\.1 [ -~]{990}$/) });
  });

  const bounced = (text: string) => `${TO}${RELAY}dsn=5.0.0, status=bounced (${text})`;
  it.each([
    [
      'deferred',
      `${TO}${RELAY}${TIMES}status=deferred (host mx.example.com[192.0.2.1] said: 450 4.2.0 Greylisted (in reply to RCPT TO command))`,
    ],
    [
      'deferred',
      `${TO}relay=none, delay=1, delays=0/0/1/0, dsn=4.4.1, status=deferred (connect to mx.example.com[192.0.2.1]:25: Connection timed out)`,
    ],
    [
      'deferred',
      `${TO}relay=none, delay=1, dsn=4.4.1, status=deferred (delivery temporarily suspended: lost connection)`,
    ],
    [
      'no_reply',
      `${TO}relay=none, delay=1, dsn=5.4.4, status=bounced (Host or domain name not found. Name service error for name=example.com type=AAAA: Host not found)`,
    ],
    [
      'no_reply',
      `${TO}relay=none, delay=1, dsn=5.1.0, status=bounced (Domain example.com does not accept mail (nullMX))`,
    ],
    ['no_reply', bounced('mail for example.com loops back to myself')],
    ['no_reply', bounced('host mx.example.com[192.0.2.1] refused to talk to me: 554 5.7.1 No')],
    ['no_reply', bounced(`${GONE} (in reply to MAIL FROM command)`)],
    ['incomplete', `${TO}${RELAY}dsn=5.1.1, status=bounced (${GONE}`],
    ['incomplete', `${TO}${RELAY}dsn=5.1.1, status=bounc`],
    ['incomplete', `${TO}${RELAY}${TIMES}`],
    ['incomplete', `${TO}relay=mx.exam`],
    ['incomplete', 'to=<jane@exam'],
    ['own_network', `${TO}relay=127.0.0.1[127.0.0.1]:25, ${TIMES}${SENT}`],
    ['own_network', `${TO}relay=filter[::1]:25, ${TIMES}${SENT}`],
    ['own_network', `${TO}relay=127.0.0.1[127.0.0.1]:10024, ${TIMES}${SENT}`],
    ['own_network', `${TO}relay=hub.corp.example[10.1.2.3]:25, ${TIMES}${SENT}`],
    ['own_network', `${TO}relay=hub.corp.example[fd00::1]:25, ${TIMES}${SENT}`],
    ['own_network', `${TO}relay=smtp.relay.example[192.0.2.7]:587, ${TIMES}${SENT}`],
    [
      'other',
      `${TO}${RELAY}${TIMES}status=deliverable (delivery via mx.example.com[192.0.2.1]:25: 250 2.1.5 Ok)`,
    ],
    ['other', `${TO}${RELAY}${TIMES}status=undeliverable (${GONE} (in reply to RCPT TO command))`],
    ['other', 'host mx.example.com[192.0.2.1] said: 450 4.7.1 Greylisted (in reply to RCPT TO command)'],
    ['other', 'lost connection with mx.example.com[192.0.2.1] while receiving the initial server greeting'],
  ])('is skipped as %s: %s', (kind, text) => {
    expect(rest(text)).toBe(kind);
  });

  const ends = `${TO}relay=local, delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (delivered to mailbox)`;
  it.each([
    ['own_network', `2026-11-26T14:09:49Z mail postfix/local[1]: 0A1B2C3D4E: ${ends}`],
    ['own_network', `2026-11-26T14:09:49Z mail postfix/virtual[1]: 0A1B2C3D4E: ${ends}`],
    ['own_network', `2026-11-26T14:09:49Z mail postfix/pipe[1]: 0A1B2C3D4E: ${ends}`],
    ['own_network', `2026-11-26T14:09:49Z mail postfix/lmtp[1]: 0A1B2C3D4E: ${TO}${RELAY}${TIMES}${SENT}`],
    [
      'own_network',
      `2026-11-26T14:09:49Z mail postfix/lmtp[1]: 0A1B2C3D4E: ${TO}relay=mail[private/dovecot-lmtp], ${TIMES}${SENT}`,
    ],
    ['own_network', `2026-11-26T14:09:49Z mail postfix/discard[1]: 0A1B2C3D4E: ${ends}`],
    [
      'no_reply',
      `2026-11-26T14:09:49Z mail postfix/error[1]: 0A1B2C3D4E: ${TO}relay=none, delay=0, dsn=5.0.0, status=bounced (No mail here)`,
    ],
    [
      'deferred',
      '2026-11-26T14:09:49Z mail postfix/qmgr[1]: 0A1B2C3D4E: from=<news@ours.example>, status=expired, returned to sender',
    ],
    [
      'deferred',
      '2026-11-26T14:09:49Z mail postfix/qmgr[1]: 0A1B2C3D4E: from=<>, status=force-expired, returned to sender',
    ],
    ['other', '2026-11-26T14:09:49Z mail postfix/qmgr[1]: 0A1B2C3D4E: removed'],
    ['other', '2026-11-26T14:09:49Z mail dovecot: lda(jane): saved mail to INBOX'],
    ['other', `2026-11-26T14:09:49Z mail sendmail[1]: 0A1B2C3D4E: ${TO}${RELAY}stat=Sent (ok)`],
    ['other', `postfix/smtp[1]: 0A1B2C3D4E: ${TO}${RELAY}${TIMES}${SENT}`],
    ['incomplete', `2026-13-45T14:09:49Z mail postfix/smtp[1]: 0A1B2C3D4E: ${TO}${RELAY}${TIMES}${SENT}`],
    ['other', ''],
    ['other', 'x'.repeat(100)],
  ])('of another kind is skipped as %s: %s', (kind, line) => {
    expect(read(line)).toBe(kind);
  });

  it.each(['to=<', '<', 'a=b, ', '"\\', '>, ', 'x/', '[', 'status=sent (', ' said: 550 '])(
    'takes no longer than a moment if it repeats %j',
    (part) => {
      const starts = [
        '',
        START,
        START + TO,
        START + TO + RELAY,
        `${START}to=<"`,
        START + bounced('host a said: 550 '),
      ];
      const reading = () => starts.forEach((start) => read((start + part.repeat(16_000)).slice(0, 16_384)));
      expect(leastMs(1_000, reading)).toBeLessThan(1_000);
    },
  );
});

describe('a time without a year', () => {
  const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts);
  it.each([
    [
      'is of the year of the log',
      'Nov  6 14:09:49',
      local(2026, 10, 26, 0, 0, 0),
      local(2026, 10, 6, 14, 9, 49),
    ],
    [
      'is of the year before in January',
      'Dec 31 23:59:58',
      local(2027, 0, 1, 0, 0, 9),
      local(2026, 11, 31, 23, 59, 58),
    ],
    [
      'is not after the log was written',
      'Nov 26 01:00:00',
      local(2026, 10, 26, 0, 0, 0),
      local(2026, 10, 26, 0, 0, 0),
    ],
    ['is in a leap year', 'Feb 29 10:00:00', local(2026, 10, 26, 0, 0, 0), local(2024, 1, 29, 10, 0, 0)],
    [
      'is of the next year where time zones differ',
      'Jan  1 01:00:00',
      local(2026, 11, 31, 23, 0, 0),
      local(2026, 11, 31, 23, 0, 0),
    ],
    ['is none', 'Foo 31 10:00:00', local(2026, 10, 26, 0, 0, 0), null],
  ])('%s', (_, text, latest, expected) => {
    expect(timeOfLine(text, latest)).toEqual(expected);
  });
});
