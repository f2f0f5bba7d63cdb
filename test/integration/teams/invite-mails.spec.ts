import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { NewInviteResponse } from '../../../src/modules/identity/teams/invites/invites.dto.js';
import { TeamsService } from '../../../src/modules/identity/teams/team/teams.service.js';
import { Config, readConfig } from '../../../src/platform/config/config.js';
import { AppModule } from '../../../src/app.module.js';
import { BoundedExpressAdapter, NEST_OPTIONS } from '../../../src/platform/http/configure-app.js';
import { serve } from '../../../src/serve.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam, rowsOf } from '../../support/app/joins.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { expectProblem } from '../../support/http/problems.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Invites by mail, through a real mail server. */
describe('invite mails', () => {
  let sink: MailSink;
  let app: TestApp;
  let owner: NewAccount;
  let people = 0;

  beforeAll(async () => {
    sink = await MailSink.start();
    app = await anApp({ INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example' });
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    sink.received.length = 0;
  });
  afterEach(async () => {
    await rowsOf(app, 'DELETE FROM outgoing_mails');
  });
  afterAll(async () => {
    await app.stop();
    await sink.close();
  });

  const someone = () => `person${++people}@example.com`;
  const invite = async (email = someone()) => {
    const answer = await app.post('/v1/team/invites', owner.liveKey).send({ email });
    expect(answer.status).toBe(201);
    return answer.body as NewInviteResponse & { token: string };
  };
  const send = (of = app) => of.service.app.get(PostgresMailQueue).sendDue();
  const waiting = () => rowsOf<{ ciphertext: string; attempts: number }>(app, 'SELECT * FROM outgoing_mails');

  it('are delivered to the recipient once, and nothing of them is left', async () => {
    const made = await invite();
    expect(sink.received).toEqual([]);
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    expect(sink.received).toMatchObject([{ from: 'rcpt@service.example', to: [made.email] }]);
    expect(sink.lastText()).toContain(made.accept_url);
    expect(sink.received[0]?.source).toMatch(/^Subject: You are invited to the team A team on Rcpt/m);
    expect(sink.received[0]?.source).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(await waiting()).toEqual([]);
  });

  it('lead to the console, and speak the language of the request', async () => {
    for (const [language, words] of [
      [undefined, 'as member'],
      ['en', 'as member'],
      ['de', 'als Mitglied'],
    ]) {
      const email = someone();
      await app.post('/v1/team/invites', owner.liveKey).send({ email, language }).expect(201);
      await send();
      expect(sink.lastText()).toContain(words);
      expect(sink.lastText()).toMatch(/\/console#invite=rcpt_invite_[\w-]{43}\.[\w-]{43}\s/);
    }
  });

  it('are stored encrypted while they wait, without readable token or address', async () => {
    const { token, email } = await invite();
    const [row] = await waiting();
    expect(row?.ciphertext).toMatch(/^v1\./);
    const stored =
      JSON.stringify(row) + Buffer.from(row?.ciphertext.split('.')[2] ?? '', 'base64url').toString();
    for (const secret of [token, token.slice(12), email]) expect(stored).not.toContain(secret);
  });

  it('are delivered when a mail server is available again', async () => {
    const { email, token } = await invite();
    await sink.close();
    expect(await send()).toBe(0);
    expect(await send()).toBe(0);
    expect(await waiting()).toMatchObject([{ attempts: 1 }]);
    await sink.open();
    app.clock.advance(MINUTE_MS);
    expect(await send()).toBe(1);
    expect(sink.received.map(({ to }) => to)).toEqual([[email]]);
    expect(app.logged()).toContain('mail not sent');
    for (const secret of [token.slice(12), email]) expect(app.logged()).not.toContain(secret);
  });

  it('that are refused delay no others, are retried with growing pauses, and then dropped', async () => {
    const refused = await invite();
    const other = await invite();
    sink.refused.add(refused.email);
    expect(await send()).toBe(1);
    expect(sink.received.map(({ to }) => to)).toEqual([[other.email]]);
    const tried: number[] = [];
    for (let minutes = 0; (await waiting()).length > 0; minutes += 30) {
      app.clock.advance(30 * MINUTE_MS);
      const before = (await waiting())[0]?.attempts;
      await send();
      if ((await waiting())[0]?.attempts !== before) tried.push(minutes);
    }
    expect(tried.length).toBeLessThanOrEqual(14);
    expect(tried.at(-1)).toBeGreaterThan(24 * 60);
    expect(tried.at(-1)).toBeLessThan(7 * 24 * 60);
  });

  it('are not sent for an invite that has ended', async () => {
    const [revoked, accepted, replaced] = [await invite(), await invite(), await invite()];
    await app.delete(`/v1/team/invites/${revoked.id}`, owner.liveKey);
    await app.post('/v1/invites/accept', (await app.anAccount()).liveKey).send({ token: accepted.token });
    const second = await invite(replaced.email);
    expect(await waiting()).toHaveLength(1);
    await send();
    expect(sink.received).toHaveLength(1);
    expect(sink.lastText()).toContain(second.token);
    await invite();
    app.clock.advance(7 * DAY_MS);
    expect(await send()).toBe(0);
    expect(await waiting()).toEqual([]);
  });

  it('are sent only while the owner of the team is confirmed, so that no stranger advertises with its name', async () => {
    await rowsOf(app, 'UPDATE teams SET name = $1 WHERE id = $2', ['Call 0900 123', owner.team.id]);
    expect((await invite()).by_mail).toBe(true);
    expect(await send()).toBe(1);
    expect(sink.received[0]?.source).toMatch(/^Subject: You are invited to the team Call 0900 123 on Rcpt/m);
    await rowsOf(app, 'UPDATE users SET confirmed_at = NULL WHERE id = $1', [owner.user.id]);
    const made = await invite();
    expect([made.by_mail, await send()]).toEqual([false, 0]);
    const guest = await app.anAccount();
    expect((await app.post('/v1/invites/accept', guest.liveKey).send({ token: made.token })).status).toBe(
      200,
    );
  });

  it('are three a day to one mailbox, over all teams and spellings, also under concurrency', async () => {
    app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS));
    const teams = [];
    for (let n = 0; n < 5; n++) teams.push(await app.anAccount());
    const names = ['v.ictim', 'Victim', 'victim+1', 'victim+2'];
    const all = await Promise.all(
      teams.flatMap(({ liveKey }, n) =>
        names.map((name) => {
          const email = `${name}@mail${n % 2 === 0 ? '.' : '\u3002'}example`;
          return app.post('/v1/team/invites', liveKey).send({ email });
        }),
      ),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(all.filter(({ body }) => (body as NewInviteResponse).by_mail)).toHaveLength(3);
    expect(await send()).toBe(3);
    app.clock.advance(DAY_MS);
    expect((await invite('victim@mail.example')).by_mail).toBe(true);
  });

  it('are not sent for a team that was suspended in the meantime', async () => {
    await invite();
    await app.service.app.get(TeamsService).setBaseTier(owner.team.id, 'suspended');
    expect(await send()).toBe(0);
    expect(sink.received).toEqual([]);
  });

  it('are sent once by any number of workers', async () => {
    for (let n = 0; n < 15; n++) await invite();
    const sent = await Promise.all(Array.from({ length: 5 }, () => send()));
    while ((await send()) > 0);
    expect(sink.received).toHaveLength(15);
    expect(new Set(sink.received.map(({ to }) => to[0])).size).toBe(15);
    expect(Math.max(...sent)).toBeGreaterThan(0);
  });

  it('encrypted with an older SECRET_KEY are sent while that key is listed, and retried when it is not', async () => {
    await invite();
    const { DATABASE_URL, SECRET_KEY } = app.shared;
    const fresh = randomBytes(32).toString('base64');
    const mail = { INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example', DATABASE_URL };
    // After the first start with both keys the database accepts the fresh one alone.
    await (await anApp({ ...mail, SECRET_KEY: `${fresh},${SECRET_KEY}` })).stop();
    const forgot = await anApp({ ...mail, SECRET_KEY: fresh });
    // The clocks of other processes differ.
    const makeDue = () => rowsOf(app, 'UPDATE outgoing_mails SET due_at = $1', [new Date(0)]);
    await makeDue();
    expect(await send(forgot)).toBe(0);
    await forgot.stop();
    expect(await waiting()).toMatchObject([{ attempts: 1 }]);
    const rotated = await anApp({ ...mail, SECRET_KEY: `${fresh},${SECRET_KEY}` });
    await makeDue();
    expect(await send(rotated)).toBe(1);
    await rotated.stop();
    // For the processes of other tests, which have the older key only.
    await (await anApp({ ...mail, SECRET_KEY: `${SECRET_KEY},${fresh}` })).stop();
  });

  it('are sent by the worker on its own', async () => {
    const { email } = await invite();
    await rowsOf(app, 'UPDATE outgoing_mails SET due_at = $1', [new Date(0)]);
    const taken = once(sink, 'mail');
    const config = readConfig({
      ...app.shared,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      SELF_CHECK_EVERY: '0',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    const module = await Test.createTestingModule({
      imports: [AppModule.forRoles({ api: false, worker: true })],
    })
      .overrideProvider(Config)
      .useValue(config)
      .compile();
    const worker = await serve(
      module.createNestApplication<NestExpressApplication>(new BoundedExpressAdapter(), NEST_OPTIONS),
    );
    await taken;
    await worker.stop();
    expect(sink.received.map(({ to }) => to)).toEqual([[email]]);
    expect(await waiting()).toEqual([]);
  });

  it('are limited to 20 per team and UTC day, also under concurrency, and again on the next day', async () => {
    app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS));
    const post = () => app.post('/v1/team/invites', owner.liveKey).send({ email: someone() });
    const answers = await Promise.all(Array.from({ length: 25 }, post));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) {
      expect(expectProblem(answer, 409, 'limit_reached')).toMatchObject({
        what: 'invite_mails_a_day',
        limit: 20,
      });
    }
    const [pending] = answers.filter(({ status }) => status === 201);
    const again = app
      .post('/v1/team/invites', owner.liveKey)
      .send({ email: (pending?.body as { email: string }).email });
    expectProblem(await again, 409, 'limit_reached');
    expect((await app.get('/v1/team/invites?status=pending&limit=100', owner.liveKey)).body).toMatchObject({
      data: { length: 20 },
    });
    app.clock.advance(DAY_MS);
    await joinTeam(app, owner);
  });
});
