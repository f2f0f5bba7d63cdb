import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { anApp } from '../../support/app/app.js';
import { anEmptyDatabase } from '../../support/database/fresh-database.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { serve } from '../../support/schedules/schedule-app.js';
import { OPENED } from '../../support/webhooks/webhook-app.js';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

/** An installation with work that is due, and a copy of it in another database. */
let folder: string;
let sink: MailSink;
let receiver: WebhookReceiver;
let source: WebhookReceiver;
let original: { DATABASE_URL: string; SECRET_KEY: string };
let copy: { url: string; drop: () => Promise<void> };
let end: () => Promise<void>;
let key: string;

const settings = () => ({
  ...OPENED,
  INVITE_SMTP_URL: sink.url,
  INVITE_FROM: 'rcpt@service.example',
  DNS_SERVERS: '127.0.0.1:9',
  DNS_TIMEOUT_MS: '200',
});
/** Each counterpart is reached once by each installation that acts. */
const reached = () => ({
  webhook: receiver.received.length,
  source: source.received.length,
  mail: sink.received.length,
});
const until = async (count: number) => {
  await Promise.all([receiver.until(count), source.until(count)]);
  while (sink.received.length < count) await once(sink, 'mail');
};
const start = (database: string) =>
  RcptProcess.run(['main.js'], {
    ...settings(),
    DATABASE_URL: database,
    SECRET_KEY: original.SECRET_KEY,
    PORT: '0',
    HOST: '127.0.0.1',
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-paused-'));
  [sink, receiver, source, copy] = await Promise.all([
    MailSink.start(),
    WebhookReceiver.start(),
    WebhookReceiver.start(),
    anEmptyDatabase(),
  ]);
  serve(source, 'email\njane@nowhere.invalid\n');
  const app = await anApp(settings());
  const account = await app.anAccount();
  key = account.liveKey;
  await app
    .post('/v1/webhooks', key)
    .send({ url: receiver.url, events: ['key.created'] })
    .expect(201);
  await app.post('/v1/keys', key).send({ name: 'an event' }).expect(201);
  await app.dispatchEvents();
  await app.post('/v1/team/invites', key).send({ email: 'guest@example.com' }).expect(201);
  const schedule = { name: 'Newsletter', every: 'day', source: { kind: 'url', url: source.url } };
  await app.post('/v1/schedules', key).send(schedule).expect(201);
  await app.service.app
    .get(DataSource)
    .query(`UPDATE schedules SET next_run_at = now() - interval '1 minute'`);
  expect(reached()).toEqual({ webhook: 0, source: 0, mail: 0 });
  original = app.shared;
  end = () => app.stop();
  expect(await runRcpt(['backup', join(folder, 'a.rcpt')], original)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await RcptProcess.endAll();
  await end();
  await copy.drop();
  await Promise.all([sink.close(), receiver.stop(), source.stop()]);
  await rm(folder, { recursive: true });
});

it('a copy that is restored with --paused sends nothing until `rcpt resume`, and is no part of the original', async () => {
  const environment = { DATABASE_URL: copy.url, SECRET_KEY: original.SECRET_KEY };
  const restored = await runRcpt(['restore', join(folder, 'a.rcpt'), '--paused'], environment);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('The service is paused') });
  expect(await runRcpt(['check-data'], environment)).toMatchObject({ code: 0 });

  const paused = start(copy.url);
  const url = await paused.ready();
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    return [answer.status, await answer.json()];
  };
  expect(await ask('/readyz')).toMatchObject([200, { paused: true }]);
  expect(await ask('/v1/verify?email=jane@example.com')).toMatchObject([503, { code: 'paused' }]);
  expect(await ask('/v1/webhooks')).toMatchObject([200, { data: [{ url: receiver.url }] }]);

  // The original begins later, and has the same work: when it has done all of it, the copy has had the time too.
  const acting = start(original.DATABASE_URL);
  await until(1);
  await acting.end();
  expect(reached()).toEqual({ webhook: 1, source: 1, mail: 1 });

  expect(await runRcpt(['resume'], environment)).toMatchObject({ code: 0 });
  await until(2);
  expect(reached()).toEqual({ webhook: 2, source: 2, mail: 2 });
  await paused.end();
});
