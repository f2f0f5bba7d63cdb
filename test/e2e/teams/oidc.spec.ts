import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SignInResponse } from '../../../src/modules/accounts/accounts/sign-in/sign-in.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { auditActionsOf } from '../../support/app/joins.js';
import { CLIENT, LocalIdentityProvider } from '../../support/oidc/identity-provider.js';
import {
  CALLBACK,
  expectRefusal,
  JOINING,
  settingsFor,
  SignInBrowser,
  tokenOf,
} from '../../support/oidc/sign-in-browser.js';

const HOUR_MS = 3_600_000;

let provider: LocalIdentityProvider;
let app: TestApp;
let first: NewAccount;
let people = 0;

beforeAll(async () => {
  provider = await LocalIdentityProvider.start(CALLBACK);
  app = await anApp({ ...settingsFor(provider), ...JOINING });
  first = await app.anAccount();
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});
beforeEach(() => {
  people++;
  provider.person = { sub: `person-${people}`, email: `p${people}@corp.example`, email_verified: true };
});

/** Each test is another client. */
const browser = (service = app) => new SignInBrowser(service, `198.51.100.${people}`);

describe('sign-in with OpenID Connect', () => {
  it('begins with PKCE, state and nonce, and keeps them in a cookie that scripts cannot read', async () => {
    const response = await browser().get('/signin/oidc');
    const { origin, searchParams: query } = new URL(response.get('Location') ?? '');
    expect([response.status, origin, response.get('Cache-Control')]).toEqual([
      ...[303, provider.issuer, 'no-store'],
    ]);
    expect(Object.fromEntries(query)).toEqual({
      client_id: CLIENT.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [cookie = ''] = response.get('Set-Cookie') ?? [];
    expect(cookie).toMatch(
      /^__Host-rcpt-oidc=[\w.-]{100,1000}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(cookie).not.toContain(query.get('state'));
  });

  it('lets a new person join the first team, with a key that ends after 12 hours', async () => {
    const response = await browser().signedIn(provider);
    expect([response.status, response.get('Set-Cookie')?.[0]]).toEqual([
      303,
      '__Host-rcpt-oidc=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
    const confirmed = await app.post('/signin/confirm').send({ token: tokenOf(response) });
    const { user, teams, key } = confirmed.body as SignInResponse;
    expect([user.email, teams]).toEqual([
      provider.person.email,
      [{ id: first.team.id, name: first.team.name, role: 'admin' }],
    ]);
    const hours = (Date.parse(key?.expires_at ?? '') - app.clock.now().getTime()) / HOUR_MS;
    expect(hours).toBeCloseTo(12, 1);
    expect((await app.get('/v1/me', key?.key ?? '')).body).toMatchObject({ role: 'admin' });
    expect(await auditActionsOf(app, first.team.id)).toEqual(
      expect.arrayContaining(['member.joined', 'account.signed_in']),
    );
  });

  it('signs in the same user again, whatever the letter case, and joins no second time', async () => {
    await browser().signedIn(provider);
    provider.person.email = provider.person.email?.toUpperCase() ?? '';
    const again = await app
      .post('/signin/confirm')
      .send({ token: tokenOf(await browser().signedIn(provider)) });
    expect((again.body as SignInResponse).user.email).toBe(`p${people}@corp.example`);
    const { members } = (await app.get('/v1/team', first.liveKey)).body as { members: { email: string }[] };
    expect(members.filter(({ email }) => email === `p${people}@corp.example`)).toHaveLength(1);
  });

  it('signs in several tabs of a new person at once', async () => {
    const attempts = await Promise.all([browser().begun(), browser().begun(), browser().begun()]);
    const returns = [];
    for (const { url, cookie } of attempts) returns.push({ url: await provider.visit(url), cookie });
    const responses = await Promise.all(returns.map(({ url, cookie }) => browser().ended(url, cookie)));
    expect(responses.map(tokenOf)).toEqual(Array(3).fill(expect.any(String)));
  });

  it('works for a suspended team too', async () => {
    const other = await anApp(settingsFor(provider));
    const { user } = await other.anAccount('suspended');
    provider.person.email = user.email;
    expect(tokenOf(await browser(other).signedIn(provider))).toBeDefined();
    await other.stop();
  });

  it('asks a known person for the team, and needs no role then', async () => {
    const other = await anApp(settingsFor(provider));
    const { user } = await other.anAccount();
    provider.person.email = user.email;
    expect(tokenOf(await browser(other).signedIn(provider))).toBeDefined();
    provider.person.email = 'stranger@team.example';
    expectRefusal(await browser(other).signedIn(provider), 'not_a_member');
    expect((await other.get('/signin')).body).toEqual({ by_mail: false, oidc: true });
    await other.stop();
  });

  it('takes an address from the ID token, if it is there', async () => {
    const other = await LocalIdentityProvider.start(CALLBACK, { inIdToken: true });
    const service = await anApp(settingsFor(other));
    const { user } = await service.anAccount();
    other.person = { sub: 'x', email: user.email, email_verified: true };
    const { url, cookie } = await browser(service).begun();
    expect(tokenOf(await browser(service).ended(await other.visit(url), cookie))).toBeDefined();
    expect(other.requested).not.toContain('/me');
    await service.stop();
    await other.stop();
  });
});

it('without an identity provider the console says so', async () => {
  const plain = await anApp({ PUBLIC_URL: 'https://plain.example' });
  for (const path of ['/signin/oidc', '/signin/oidc/callback?code=x'])
    expectRefusal(await plain.get(path).redirects(0), 'not_configured', 'https://plain.example');
  expect((await plain.get('/signin')).body).toEqual({ by_mail: false, oidc: false });
  await plain.stop();
});
