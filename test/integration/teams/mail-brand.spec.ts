import { expect, it } from '@jest/globals';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { SignInService } from '../../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { anApp } from '../../support/app/app.js';
import { MailSink } from '../../support/mail/mail-sink.js';

it('MAIL_BRAND is the name of the service in the sender, subject and text of every mail', async () => {
  const sink = await MailSink.start();
  const mail = { INVITE_SMTP_URL: sink.url, INVITE_FROM: 'verify@acme.example' };
  const app = await anApp({ ...mail, MAIL_BRAND: 'Acme Verify', SIGNUP: 'confirm' });
  const { liveKey, user } = await app.anAccount();
  await app.post('/v1/team/invites', liveKey).send({ email: 'guest@example.com' });
  await app.post('/signup').send({ email: 'new@example.com', team_name: 'New' });
  await app.post('/signup').send({ email: user.email, team_name: 'Known' });
  await app.post('/signin').send({ email: user.email });
  await app.service.app.get(SignInService).sendRequested();
  expect(await app.service.app.get(PostgresMailQueue).sendDue()).toBe(4);
  for (const { source } of sink.received) {
    expect(source).toMatch(/^From: Acme Verify <verify@acme\.example>/m);
    expect(source).toMatch(/^Subject: .*Acme Verify/m);
    expect(source).not.toContain('Rcpt');
  }
  await app.stop();
  await sink.close();
});

it.each(['', ' ', 'a'.repeat(61), 'Acme\r\nBcc: x@example.com', 'Acme <x@example.com>'])(
  'MAIL_BRAND=%j is refused, or not set',
  (name) => {
    const read = () => readConfig({ MAIL_BRAND: name }).mailBrand;
    if (name.trim() === '') expect(read()).toBe('Rcpt');
    else expect(read).toThrow('MAIL_BRAND must be a name of at most 60 characters on one line');
  },
);
