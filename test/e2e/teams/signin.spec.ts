import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SignInResponse } from '../../../src/modules/accounts/accounts/sign-in/sign-in.dto.js';
import { SignInService } from '../../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { AccountsService, type NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import type { NewKeyResponse } from '../../../src/modules/identity/api-keys/api-keys.dto.js';
import { sweep } from '../../support/database/growing-tables.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { auditActionsOf, rowsOf } from '../../support/app/joins.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { expectProblem, fieldErrorsOf } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UNKNOWN = `rcpt_signin_${'a'.repeat(43)}`;

describe('sign-in by mail', () => {
  let app: TestApp;
  let sink: MailSink;
  let answers: ResponseValidator;
  let account: NewAccount;
  let visitors = 0;

  beforeAll(async () => {
    sink = await MailSink.start();
    app = await anApp({
      TRUST_PROXY: '1',
      SIGNUP_PER_HOUR: '60',
      PUBLIC_URL: 'https://verify.example/rcpt',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    visitors++;
    account = await app.anAccount();
    sink.received.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    await sink.close();
  });

  const post = (path: string, body: object) =>
    app.post(path).set('X-Forwarded-For', `198.51.100.${visitors}`).send(body);
  const ask = (email = account.user.email) => post('/signin', { email });
  const confirm = (body: object) => post('/signin/confirm', body);
  const sendMails = async () => {
    await app.service.app.get(SignInService).sendRequested();
    return app.service.app.get(PostgresMailQueue).sendDue();
  };

  async function token(): Promise<string> {
    await ask().expect(202);
    await sendMails();
    return /rcpt_signin_[\w-]{43}/.exec(sink.lastText())?.[0] ?? '';
  }

  it('sends a link with the token in the fragment, and exchanges it once for a key of 12 hours', async () => {
    expect((await app.get('/signin')).body).toEqual({ by_mail: true, oidc: false });
    const asked = await ask(account.user.email.toUpperCase());
    answers.expect('POST', '/signin', asked);
    expect([asked.status, asked.text]).toEqual([202, '']);
    expect(await sendMails()).toBe(1);
    expect(sink.received).toMatchObject([{ to: [account.user.email] }]);
    const link = /https:\S+/.exec(sink.lastText())?.[0] ?? '';
    expect(link).toMatch(/^https:\/\/verify\.example\/rcpt\/console#sign-in=rcpt_signin_[\w-]{43}$/);
    const answer = await confirm({ token: link.split('=')[1] });
    answers.expect('POST', '/signin/confirm', answer);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { user, teams, key } = answer.body as SignInResponse & { key: NewKeyResponse & { key: string } };
    expect(user.id).toBe(account.user.id);
    expect(teams).toEqual([{ id: account.team.id, name: 'A team', role: 'owner' }]);
    expect(key).toMatchObject({ name: 'Console sign-in', mode: 'live', user_id: user.id, service: false });
    const hours = (Date.parse(key.expires_at ?? '') - Date.parse(key.created_at ?? '')) / HOUR_MS;
    expect(hours).toBeCloseTo(12, 3);
    const listed = await app.get('/v1/keys', key.key);
    expect(listed.body).toMatchObject({ data: [{ id: key.id }, {}, {}] });
    expect(await auditActionsOf(app, account.team.id)).toContain('account.signed_in');
    expectProblem(await confirm({ token: link.split('=')[1] }), 404, 'invalid_sign_in_link');
    await app.delete(`/v1/keys/${key.id}`, key.key).expect(200);
    expect((await app.get('/v1/me', key.key)).status).toBe(401);
  });

  it('answers alike for an address that nobody has, or whose user is not confirmed, and stores alike', async () => {
    const invited = await app.post('/v1/team/invites', account.liveKey).send({ email: 'x@team.example' });
    const { token: invite } = invited.body as { token: string };
    const unconfirmed = `claimed${visitors}@team.example`;
    await post('/signup', { email: unconfirmed, invite_token: invite }).expect(201);
    await sendMails();
    sink.received.length = 0;
    const seen = [];
    for (const email of [account.user.email, 'nobody@team.example', unconfirmed]) {
      const { status, text, headers } = await ask(email);
      const names = Object.keys(headers).sort();
      const sql = 'SELECT user_id, token_digest FROM sign_in_links WHERE user_id IS NULL';
      seen.push(JSON.stringify([status, text, names, (await rowsOf(app, sql)).at(-1)]));
    }
    expect(new Set(seen).size).toBe(1);
    expect(await sendMails()).toBe(1);
    expect(sink.received.map(({ to }) => to)).toEqual([[account.user.email]]);
    expect(await rowsOf(app, 'SELECT 1 FROM sign_in_links WHERE user_id IS NULL')).toEqual([]);
  });

  it('stores neither the token nor the address in plain text', async () => {
    await ask();
    const requested = JSON.stringify(await rowsOf(app, 'SELECT * FROM sign_in_links'));
    await sendMails();
    const given = /rcpt_signin_[\w-]{43}/.exec(sink.lastText())?.[0] ?? '';
    const sent = await rowsOf<{ token_digest: Buffer }>(app, 'SELECT * FROM sign_in_links');
    expect(requested + JSON.stringify(sent)).not.toMatch(/team\.example|rcpt_signin_/);
    expect(sent.at(-1)?.token_digest).toHaveLength(32);
    expect(app.logged()).not.toContain(given);
    expect(app.logged()).not.toContain(account.user.email);
  });

  it('accepts a token once under concurrent requests, and then no other link of the user', async () => {
    const earlier = await token();
    const latest = await token();
    const all = await Promise.all(Array.from({ length: 6 }, () => confirm({ token: latest })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expectProblem(await confirm({ token: earlier }), 404, 'invalid_sign_in_link');
  });

  it('answers alike for tokens that are unknown, malformed or older than 15 minutes, and deletes old ones', async () => {
    const expired = await token();
    app.clock.advance(15 * MINUTE_MS);
    const bodies = [];
    for (const text of [expired, UNKNOWN, 'x']) {
      const refused = await confirm({ token: text });
      answers.expect('POST', '/signin/confirm', refused);
      bodies.push({ ...expectProblem(refused, 404, 'invalid_sign_in_link'), request_id: null });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await sweep(app, 'delete expired links')).toBeGreaterThan(0);
    expect(await rowsOf(app, 'SELECT 1 FROM sign_in_links')).toEqual([]);
  });

  it('lets a user of several teams choose, without using up the link before', async () => {
    const accounts = app.service.app.get(AccountsService);
    const other = await accounts.create(account.user.email, 'The other', 'free');
    const link = await token();
    const open = await confirm({ token: link });
    answers.expect('POST', '/signin/confirm', open);
    expect(open.body).toMatchObject({ teams: [{ name: 'A team' }, { name: 'The other' }], key: null });
    const foreign = await app.anAccount();
    const refused = await confirm({ token: link, team_id: foreign.team.id });
    expect(fieldErrorsOf(expectProblem(refused, 400, 'invalid_request'))[0]).toMatch(/^\/team_id /);
    const answer = await confirm({ token: link, team_id: other.team.id });
    expect(answer.body).toMatchObject({ key: { team_id: other.team.id } });
  });

  describe('however often strangers request links', () => {
    const from = (source: number, email = account.user.email) =>
      app.post('/signin').set('X-Forwarded-For', `203.0.113.${source}`).send({ email });
    const tokens = () => sink.texts().map((text) => /rcpt_signin_[\w-]{43}/.exec(text)?.[0] ?? '');
    /** Requests of several sources, each sent before the next. */
    const request = async (...sources: number[]) => {
      for (const source of sources) {
        expect((await from(source)).status).toBe(202);
        await sendMails();
      }
    };
    let sources = 0;
    beforeEach(() => {
      app.clock.advance(24 * HOUR_MS - (app.clock.now().getTime() % (24 * HOUR_MS)));
      sources += 10;
    });

    it('look-alikes of the address do not count, and the user gets a link', async () => {
      const [name = '', domain] = account.user.email.split('@');
      for (let n = 0; n < 12; n++) await from(sources + n, `${[...name].join('.')}+${n}@${domain}`);
      expect(await sendMails()).toBe(0);
      await request(sources);
      expect(sink.received).toHaveLength(1);
    });

    it('one source gets five links, and cannot use up those of the others', async () => {
      await request(...new Array<number>(9).fill(sources));
      expect(new Set(tokens()).size).toBe(5);
      await request(sources + 1);
      expect([new Set(tokens()).size, tokens().length]).toEqual([6, 10]);
    });

    it('beyond ten links the valid one is sent again, up to ten times', async () => {
      await request(...new Array<number>(10).fill(0).map((_, n) => sources + n));
      expect(new Set(tokens()).size).toBe(10);
      const latest = tokens().at(-1);
      await request(...new Array<number>(12).fill(sources));
      expect(tokens().slice(10)).toEqual(new Array(10).fill(latest));
      expect((await confirm({ token: latest })).status).toBe(200);
    });

    it('beyond ten links there is a new one in every hour', async () => {
      await request(...new Array<number>(10).fill(0).map((_, n) => sources + n));
      for (let quarters = 1; quarters <= 8; quarters++) {
        app.clock.advance(15 * MINUTE_MS);
        await request(sources);
      }
      // The first one in the hour of the ten links.
      expect(new Set(tokens()).size).toBe(13);
      expect((await confirm({ token: tokens().at(-1) })).status).toBe(200);
    });
  });

  it('limits the requests of one client', async () => {
    const statuses = [];
    for (let n = 0; n < 51; n++) statuses.push((await ask(`someone${n}@example.com`)).status);
    expect(statuses.indexOf(429)).toBe(50);
    visitors++;
    expect((await ask()).status).toBe(202);
  });
});

it('without a mail server offers no links', async () => {
  const app = await anApp();
  expect((await app.get('/signin')).body).toEqual({ by_mail: false, oidc: false });
  expectProblem(await app.post('/signin').send({ email: 'jane@example.com' }), 404, 'not_found');
  await app.stop();
});
