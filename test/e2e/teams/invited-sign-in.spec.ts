import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SignInResponse } from '../../../src/modules/accounts/accounts/sign-in/sign-in.dto.js';
import type { SignupResponse } from '../../../src/modules/accounts/accounts/sign-up/signup.dto.js';
import { SignInService } from '../../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import {
  CALLBACK,
  expectRefusal,
  settingsFor,
  SignInBrowser,
  tokenOf,
} from '../../support/oidc/sign-in-browser.js';
import { LocalIdentityProvider } from '../../support/oidc/identity-provider.js';

/** People who joined a team by an invite, with mail and with an identity provider. */
describe('an invited person', () => {
  let sink: MailSink;
  let provider: LocalIdentityProvider;
  let app: TestApp;
  let first: NewAccount;
  let owner: NewAccount;
  let people = 0;
  let email = '';

  beforeAll(async () => {
    sink = await MailSink.start();
    provider = await LocalIdentityProvider.start(CALLBACK);
    app = await anApp({
      ...settingsFor(provider),
      OIDC_ALLOWED_DOMAINS: 'corp.example',
      OIDC_ROLE: 'member',
      SIGNUP: 'open',
      SIGNUP_PER_HOUR: '1000',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    first = await app.anAccount();
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    email = `p${++people}@corp.example`;
    provider.person = { sub: email, email, email_verified: true };
    sink.received.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    await provider.stop();
    await sink.close();
  });

  const send = () => app.service.app.get(PostgresMailQueue).sendDue();
  const invite = async (by = owner, to = email) => {
    const answer = await app.post('/v1/team/invites', by.liveKey).send({ email: to });
    await send();
    return {
      given: (answer.body as { token: string }).token,
      mailed: /#invite=(\S+)/.exec(sink.lastText())?.[1] ?? '',
    };
  };
  const join = async (invite_token: string, as = email) => {
    const answer = await app.post('/signup').send({ email: as, invite_token });
    expect(answer.status).toBe(201);
    return answer.body as SignupResponse & { key: { key: string } };
  };
  const isConfirmed = async (id: string) =>
    (await rowsOf(app, 'SELECT 1 FROM users WHERE id = $1 AND confirmed_at IS NOT NULL', [id])).length === 1;
  const requestLink = async (to = email) => {
    await app.post('/signin').send({ email: to });
    await app.service.app.get(SignInService).sendRequested();
    return send();
  };
  const linkMailed = async () => {
    expect(await requestLink()).toBe(1);
    return /rcpt_signin_[\w-]{43}/.exec(sink.lastText())?.[0] ?? '';
  };
  const confirm = (token: string | undefined, team_id?: string) =>
    app.post('/signin/confirm').send({ token, team_id });
  const signedIn = async (token: string | undefined) =>
    (await confirm(token)).body as SignInResponse & { key: { key: string } };
  const withProvider = () => new SignInBrowser(app, `198.51.100.${people}`).signedIn(provider);
  const membersOf = async ({ liveKey }: NewAccount) =>
    ((await app.get('/v1/team', liveKey)).body as { members: { user_id: string; email: string }[] }).members;
  const works = async (key: string) => (await app.get('/v1/me', key)).status === 200;

  it('is confirmed by the mailed link, and signs in with their key still valid', async () => {
    const { mailed } = await invite();
    const { user, key } = await join(mailed);
    expect(await isConfirmed(user.id)).toBe(true);
    const body = await signedIn(await linkMailed());
    expect(body.user.id).toBe(user.id);
    expect(await works(key.key)).toBe(true);
  });

  it('is not confirmed by the token that the creator of the invite has, nor with another address', async () => {
    const { given } = await invite();
    expect(await isConfirmed((await join(given)).user.id)).toBe(false);
    const other = `other${people}@corp.example`;
    const { mailed } = await invite(owner, other);
    expect(await isConfirmed((await join(mailed, `else${people}@corp.example`)).user.id)).toBe(false);
  });

  it('with a changed proof gets the answer of an unknown token', async () => {
    const { mailed } = await invite();
    const changed = mailed.slice(0, -2) + (mailed.endsWith('AA') ? 'BB' : 'AA');
    expectProblem(await app.post('/signup').send({ email, invite_token: changed }), 404, 'invalid_invite');
    expect((await app.post('/signup').send({ email, invite_token: mailed })).status).toBe(201);
  });

  it('who joined with the link that was passed on signs in by mail, which ends earlier keys', async () => {
    const { given } = await invite();
    const { user, key } = await join(given);
    const body = await signedIn(await linkMailed());
    const { user: owned, key: issued } = body;
    expect([owned.id, await isConfirmed(user.id)]).toEqual([user.id, true]);
    expect([await works(key.key), await works(issued.key)]).toEqual([false, true]);
  });

  it('signs in with a provider that has verified the address, and is listed once', async () => {
    const { given } = await invite(first);
    const { user } = await join(given);
    const body = await signedIn(tokenOf(await withProvider()));
    expect(body.user.id).toBe(user.id);
    expect((await membersOf(first)).filter((member) => member.email === email)).toHaveLength(1);
    expect(tokenOf(await withProvider())).toBeDefined();
    expect((await membersOf(first)).filter((member) => member.email === email)).toHaveLength(1);
  });

  it('of two teams is one user after the sign-in, and chooses the team', async () => {
    const second = await app.anAccount();
    const one = await join((await invite()).given);
    const two = await join((await invite(second)).given);
    const token = await linkMailed();
    const choice = (await confirm(token)).body as SignInResponse;
    expect([choice.key, choice.teams.map(({ id }) => id).sort()]).toEqual([
      null,
      [owner.team.id, second.team.id].sort(),
    ]);
    expect((await confirm(token, second.team.id)).status).toBe(200);
    expect(await rowsOf(app, 'SELECT id FROM users WHERE email = $1', [email])).toEqual([
      { id: one.user.id },
    ]);
    expect([await works(one.key.key), await works(two.key.key)]).toEqual([false, false]);
    expect((await membersOf(second)).map(({ user_id }) => user_id)).toContain(one.user.id);
  });

  it('does not get a user who created a team with the address: whoever did keeps a key of that team', async () => {
    const answer = await app.post('/signup').send({ email, team_name: 'Trap' });
    const { user } = answer.body as SignupResponse;
    expect(await requestLink()).toBe(0);
    const body = await signedIn(tokenOf(await withProvider()));
    expect(body.user.id).not.toBe(user.id);
    expect(body.teams.map(({ id }) => id)).toEqual([first.team.id]);
  });

  it('who is confirmed elsewhere in between does not sign in with the earlier link', async () => {
    await join((await invite()).given);
    const token = await linkMailed();
    await confirm(tokenOf(await withProvider()));
    expectProblem(await confirm(token), 404, 'invalid_sign_in_link');
  });

  it('without a role for strangers is refused by the provider until they joined', async () => {
    const closed = await anApp({ ...settingsFor(provider), ...app.shared });
    const browser = () => new SignInBrowser(closed, `198.51.101.${people}`);
    expectRefusal(await browser().signedIn(provider), 'not_a_member');
    await join((await invite()).given);
    expect(tokenOf(await browser().signedIn(provider))).toBeDefined();
    await closed.stop();
  });

  it('gets at most three first links a day, whatever users somebody makes with the address', async () => {
    let mails = 0;
    for (let n = 0; n < 5; n++) {
      await join((await invite(await app.anAccount())).given);
      mails += await requestLink(n % 2 === 0 ? email : email.toUpperCase());
    }
    expect(mails).toBe(3);
  });
});
