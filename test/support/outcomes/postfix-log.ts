/** Lines that Postfix logs for one recipient, `NAME@example.com`. */

export const logLine = (id: string, rest: string) =>
  `2026-11-20T10:00:00+00:00 mail postfix/smtp[7]: ${id}: ${rest}\n`;

export const sent = (name: string) =>
  logLine(
    `4Xy1Zz${name}`,
    `to=<${name}@example.com>, relay=mx.example.com[192.0.2.1]:25, delay=1, delays=0/0/0/1, dsn=2.0.0, status=sent (250 2.0.0 Ok)`,
  );

export const bounced = (name: string) =>
  logLine(
    `4Xy1Zz${name}`,
    `to=<${name}@example.com>, relay=mx.example.com[192.0.2.1]:25, delay=1, delays=0/0/0/1, dsn=5.1.1, status=bounced (host mx.example.com[192.0.2.1] said: 550 5.1.1 <${name}@example.com>: User unknown (in reply to RCPT TO command))`,
  );

export const DEFERRED = logLine(
  '4Xydefer',
  'to=<d@example.com>, relay=none, delay=30, delays=0/0/30/0, dsn=4.4.1, status=deferred (connect to mx.example.com[192.0.2.1]:25: Connection timed out)',
);
