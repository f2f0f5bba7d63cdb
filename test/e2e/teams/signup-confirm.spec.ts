import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SignupResponse } from '../../../src/modules/accounts/accounts/sign-up/signup.dto.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { sweep } from '../../support/database/growing-tables.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { SignupApp, type SignedUp } from '../../support/app/signup-app.js';
import { auditActionsOf, rowsOf } from '../../support/app/joins.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

const DAY_MS = 86_400_000;
const UNKNOWN = `rcpt_signup_${'a'.repeat(43)}`;

describe('SIGNUP=confirm', () => {
  let confirming: SignupApp;
  let app: TestApp;
  let answers: ResponseValidator;

  beforeAll(async () => {
    confirming = await SignupApp.start();
    app = confirming.app;
    answers = await ResponseValidator.published(app);
  });
  beforeEach(() => confirming.newVisitor());
  afterAll(() => confirming.stop());

  it('returns a test key at once, and sends a link that contains no input except the address', async () => {
    const answer = await confirming.post('Ada.Lovelace@example.com');
    answers.expect('POST', '/signup', answer);
    const { user, key, team } = answer.body as SignedUp;
    expect(key).toMatchObject({ mode: 'test', user_id: user.id });
    expect((await app.get('/v1/verify?email=jane@example.com', key.key)).status).toBe(200);
    expectProblem(await app.post('/v1/keys', key.key).send({ name: 'x' }), 403, 'live_key_required');
    expect(await confirming.confirmedAt(user.id)).toBeNull();
    expect(await confirming.sendMails()).toBe(1);
    expect(confirming.sink.received).toMatchObject([
      { from: 'rcpt@service.example', to: ['Ada.Lovelace@example.com'] },
    ]);
    expect(confirming.linkSent()).toMatch(
      /^https:\/\/verify\.example\/rcpt\/console#confirm=rcpt_signup_[\w-]{43}$/,
    );
    expect(confirming.sink.received[0]?.source).not.toContain('evil');
    expect(team.name).toBe('Visit evil.example');
  });

  it('returns the live key for the token, once, and revokes the earlier key', async () => {
    const { user, team, key } = await confirming.signUp();
    const token = await confirming.tokenSent();
    const answer = await confirming.confirm({ token });
    answers.expect('POST', '/signup/confirm', answer);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const confirmed = answer.body as SignedUp;
    expect(confirmed).toMatchObject({
      user: { id: user.id },
      team: { id: team.id, role: 'owner' },
      key: { mode: 'live', user_id: user.id, team_id: team.id },
    });
    expect([await confirming.works(key.key), await confirming.works(confirmed.key.key)]).toEqual([
      false,
      true,
    ]);
    expect(await confirming.confirmedAt(user.id)).toBeInstanceOf(Date);
    expect((await auditActionsOf(app, team.id)).slice(-3)).toEqual([
      'key.revoked',
      'key.created',
      'account.confirmed',
    ]);
    expectProblem(await confirming.confirm({ token }), 404, 'invalid_confirmation');
  });

  it('accepts a token once, under concurrent requests', async () => {
    await confirming.signUp();
    const token = await confirming.tokenSent();
    const all = await Promise.all(Array.from({ length: 8 }, () => confirming.confirm({ token })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
  });

  it('answers alike for tokens that are unknown, used, expired or malformed', async () => {
    await confirming.signUp();
    const expired = await confirming.tokenSent();
    app.clock.advance(7 * DAY_MS);
    await confirming.signUp();
    const used = await confirming.tokenSent();
    await confirming.confirm({ token: used });
    const bodies = [];
    for (const token of [expired, used, UNKNOWN, `rcpt_invite_${'a'.repeat(43)}`, 'x']) {
      const refused = await confirming.confirm({ token });
      answers.expect('POST', '/signup/confirm', refused);
      bodies.push({ ...expectProblem(refused, 404, 'invalid_confirmation'), request_id: null });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    for (const body of [{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(201) }]) {
      expect(fieldErrorsOf(expectProblem(await confirming.confirm(body), 400, 'invalid_request'))).toEqual([
        expect.stringMatching(/^\/token /),
      ]);
    }
    expectProblem(await confirming.confirm({ token: UNKNOWN, role: 'owner' }), 400, 'invalid_request');
  });

  it('gives a user who signed up with another’s address no access to the owner’s account', async () => {
    const email = confirming.someone();
    const stranger = await confirming.signUp(email);
    const token = await confirming.tokenSent();
    const { key } = (await confirming.confirm({ token })).body as { key: { key: string } };
    // The address's owner has followed the other user's link, and alone controls the account.
    expect(await confirming.works(stranger.key.key)).toBe(false);
    expect(await confirming.works(key.key)).toBe(true);
  });

  it('of several sign-ups with one address confirms one; the others keep their team and test key', async () => {
    const email = confirming.someone();
    const first = await confirming.signUp(email);
    const firstToken = await confirming.tokenSent();
    const second = await confirming.signUp(email.toUpperCase());
    const secondToken = await confirming.tokenSent();
    expect((await confirming.confirm({ token: secondToken })).status).toBe(200);
    expectProblem(await confirming.confirm({ token: firstToken }), 409, 'signup_refused');
    expect((await confirming.post(email)).status).toBe(201);
    expect([await confirming.works(first.key.key), await confirming.works(second.key.key)]).toEqual([
      true,
      false,
    ]);
  });

  it('does not show who has an account: the response is the same, and the mail has a link to sign in', async () => {
    const { user } = await app.anAccount();
    await rowsOf(app, 'DELETE FROM outgoing_mails');
    const shapes = [];
    for (const email of [user.email.toUpperCase(), confirming.someone()]) {
      const answer = await confirming.post(email);
      answers.expect('POST', '/signup', answer);
      const { user: made, team, key } = answer.body as SignedUp;
      expect([answer.status, made.email, made.id === user.id]).toEqual([201, email, false]);
      expect(key).toMatchObject({ mode: 'test', user_id: made.id });
      const names = Object.keys(answer.headers).sort();
      shapes.push([names, Object.keys(made), Object.keys(team), Object.keys(key)]);
      if (email !== user.email.toUpperCase()) continue;
      await confirming.sendMails();
      expect(confirming.sink.received).toMatchObject([{ to: [user.email] }]);
      expect(confirming.sink.received[0]?.source).toMatch(/^Subject: You have an account at Rcpt/m);
      const token = /rcpt_signin_[\w-]{43}/.exec(confirming.linkSent())?.[0];
      const signedIn = await app.post('/signin/confirm').send({ token });
      expect(signedIn.body).toMatchObject({ user: { id: user.id } });
      expect(await confirming.confirmedAt(made.id)).toBeNull();
    }
    expect(shapes[0]).toEqual(shapes[1]);
  });

  it('of several concurrent confirmations accepts one', async () => {
    const email = confirming.someone();
    const tokens = [];
    for (let n = 0; n < 3; n++) {
      await confirming.signUp(email);
      tokens.push(await confirming.tokenSent());
    }
    const all = await Promise.all(tokens.map((token) => confirming.confirm({ token })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('an account that the operator creates for the address in between takes precedence', async () => {
    const email = confirming.someone();
    await confirming.signUp(email);
    const token = await confirming.tokenSent();
    const made = await app.service.app.get(AccountsService).create(email, 'T', 'free');
    expectProblem(await confirming.confirm({ token }), 409, 'signup_refused');
    expect(await confirming.works(made.liveKey)).toBe(true);
  });

  it('a user who has left all teams may sign up and confirm again', async () => {
    const email = confirming.someone();
    const { user } = await confirming.signUp(email);
    const { key } = (await confirming.confirm({ token: await confirming.tokenSent() })).body as {
      key: { key: string };
    };
    const owner = await app.anAccount();
    const invite = await app.post('/v1/team/invites', owner.liveKey).send({ email: confirming.someone() });
    await app.post('/v1/invites/accept', key.key).send({ token: (invite.body as { token: string }).token });
    await app.delete('/v1/team', key.key);
    const members = (
      (await app.get('/v1/team', owner.liveKey)).body as { members: { id: string; role: string }[] }
    ).members;
    await app.delete(`/v1/team/members/${members.find(({ role }) => role === 'member')?.id}`, owner.liveKey);
    const again = await confirming.signUp(email);
    expect((await confirming.confirm({ token: await confirming.tokenSent() })).status).toBe(200);
    expect([await confirming.confirmedAt(user.id), await confirming.confirmedAt(again.user.id)]).toEqual([
      null,
      expect.any(Date),
    ]);
  });

  it('admits an invited user at once with a live key, but does not confirm the address', async () => {
    const { liveKey } = await app.anAccount();
    const invite = await app.post('/v1/team/invites', liveKey).send({ email: confirming.someone() });
    const { token: invite_token } = invite.body as { token: string };
    const answer = await app
      .post('/signup')
      .set('X-Forwarded-For', confirming.from)
      .send({ email: confirming.someone(), invite_token });
    const { user, key } = answer.body as SignupResponse;
    expect(key.mode).toBe('live');
    expect(await confirming.confirmedAt(user.id)).toBeNull();
  });

  describe('limits', () => {
    it('mails to one mailbox to 3 per UTC day, for every spelling and source, also under concurrency', async () => {
      app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS));
      const spellings = 'jane.doe JaneDoe janedoe+1 j.a.n.e.doe+2 jane.doe+a+b janedoe'.split(' ');
      const all = await Promise.all(
        spellings.map((name, n) => confirming.post(`${name}@mailbox.example`, `203.0.113.${n}`)),
      );
      expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
      for (const refused of all.filter(({ status }) => status !== 201)) {
        answers.expect('POST', '/signup', refused);
        expectProblem(refused, 429, 'rate_limited');
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
      }
      expect(await confirming.sendMails()).toBe(3);
      const users = await rowsOf(app, "SELECT 1 FROM users WHERE email LIKE '%@mailbox.example'");
      expect(users).toHaveLength(3);
      app.clock.advance(DAY_MS);
      expect((await confirming.post('jane.doe@mailbox.example')).status).toBe(201);
    });

    it('mails from one network address to 20 per UTC day, for IPv6 from one /64', async () => {
      const statuses = [];
      for (let n = 0; n < 22; n++) {
        statuses.push((await confirming.post(confirming.someone(), `2001:db8:1:2::${n}`)).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429]);
      expect((await confirming.post(confirming.someone(), '2001:db8:1:3::1')).status).toBe(201);
    });

    it('mails to a confirmed member like those to strangers', async () => {
      const { user } = await app.anAccount();
      await rowsOf(app, 'DELETE FROM outgoing_mails');
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push((await confirming.post(user.email)).status);
      expect(statuses).toEqual([201, 201, 201, 429]);
      expect(await confirming.sendMails()).toBe(3);
    });
  });

  it('stores tokens as digests, mails encrypted, and counts under keyed hashes; none of it is logged', async () => {
    const email = confirming.someone();
    await confirming.signUp(email);
    const stored = JSON.stringify([
      await rowsOf(app, "SELECT *, encode(token_digest, 'escape') AS raw FROM signup_confirmations"),
      await rowsOf(app, "SELECT *, encode(counted, 'escape') AS raw FROM signup_mail_counts"),
      await rowsOf(app, 'SELECT * FROM outgoing_mails'),
      await rowsOf(app, 'SELECT * FROM outbox'),
      await rowsOf(app, 'SELECT * FROM audit_log WHERE ip <> $1', [confirming.from]),
    ]);
    const token = await confirming.tokenSent();
    for (const text of [stored, app.logged()]) {
      expect(text).not.toContain(token.slice(12));
      expect(text).not.toContain(email);
    }
  });

  it('deletes expired links and counts of earlier days; a mail that is overdue is not sent', async () => {
    await confirming.signUp();
    app.clock.advance(7 * DAY_MS);
    expect(await confirming.sendMails()).toBe(0);
    await confirming.signUp();
    const erase = () => sweep(app, 'delete expired links');
    expect(await erase()).toBeGreaterThan(0);
    expect(await erase()).toBe(0);
    expect(await rowsOf(app, 'SELECT 1 FROM signup_confirmations')).toHaveLength(1);
    expect(await rowsOf(app, 'SELECT 1 FROM signup_mail_counts')).toHaveLength(2);
  });

  it('attempts with tokens are limited per hour too', async () => {
    let last = 0;
    for (let attempt = 0; attempt < 101 && last !== 429; attempt++)
      last = (await confirming.confirm({ token: 'x' })).status;
    expect(last).toBe(429);
  });
});

it('without SIGNUP=confirm earlier links are still valid, and no new ones are sent', async () => {
  const sink = await MailSink.start();
  const mail = { INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example' };
  const app = await anApp({ SIGNUP: 'confirm', ...mail });
  await app.post('/signup').send({ email: 'late@example.com', team_name: 'T' });
  await app.service.app.get(PostgresMailQueue).sendDue();
  const token = /confirm=(\S+)/.exec(sink.lastText())?.[1];
  const closed = await anApp({ ...app.shared, ...mail });
  expectProblem(
    await closed.post('/signup').send({ email: 'x@example.com', team_name: 'T' }),
    404,
    'not_found',
  );
  expect((await closed.post('/signup/confirm').send({ token })).status).toBe(200);
  await closed.stop();
  await app.stop();
  await sink.close();
});
