import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsersService } from '../../../src/modules/teams/users.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { LocalIdentityProvider } from '../../support/oidc/identity-provider.js';
import {
  CALLBACK,
  expectPage,
  JOINING,
  settingsFor,
  SignInBrowser,
  tokenOf,
} from '../../support/oidc/sign-in-browser.js';

const MINUTE_MS = 60_000;

let provider: LocalIdentityProvider;
let app: TestApp;
let people = 0;

beforeAll(async () => {
  provider = await LocalIdentityProvider.start(CALLBACK);
  app = await anApp({ ...settingsFor(provider), ...JOINING });
  await app.anAccount();
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

describe('sign-in with OpenID Connect refuses', () => {
  it('a code that was used, with and without the cookie', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    expect((await browser().ended(back, cookie)).status).toBe(303);
    expectPage(await browser().ended(back, cookie), 400, 'was used before');
    expectPage(await browser().ended(back, null), 400, 'begun in another browser');
  });

  it('a response without the cookie, with that of another attempt, and with a forged one', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    const sealed = cookie.slice('__Host-rcpt-oidc='.length);
    expectPage(await browser().ended(back, null), 400, 'begun in another browser');
    expectPage(
      await browser().ended(back, (await browser().begun()).cookie),
      400,
      'not valid for this sign-in',
    );
    const forged = `__Host-rcpt-oidc=${sealed.slice(0, -4)}AAAA`;
    for (const other of [`rcpt-oidc=${sealed}`, forged, '__Host-rcpt-oidc=x'])
      expectPage(await browser().ended(back, other), 400, 'begun in another browser');
  });

  it('another state, or none', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    for (const state of ['x'.repeat(43), null]) {
      const changed = new URL(back);
      if (state === null) changed.searchParams.delete('state');
      else changed.searchParams.set('state', state);
      expectPage(await browser().ended(changed, cookie), 400, 'not valid for this sign-in');
    }
  });

  it('an ID token with another nonce', async () => {
    const { url, cookie } = await browser().begun();
    const changed = new URL(url);
    changed.searchParams.set('nonce', 'n'.repeat(43));
    expectPage(
      await browser().ended(await provider.visit(changed.href), cookie),
      400,
      'not valid for this sign-in',
    );
  });

  it('a code for another PKCE challenge', async () => {
    const { url } = await browser().begun();
    const victim = await browser().begun();
    const state = new URL(victim.url).searchParams.get('state') ?? '';
    const injected = new URL(await provider.visit(url));
    injected.searchParams.set('state', state);
    expectPage(await browser().ended(injected, victim.cookie), 400, 'not valid for this sign-in');
  });

  it('an ID token whose content was changed', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    provider.tampered = (path, body) => (path === '/token' ? withOtherPerson(body) : body);
    const response = await browser().ended(back, cookie);
    provider.tampered = null;
    expectPage(response, 400, 'not valid for this sign-in');
  });

  it('the response of another issuer, and a code of another provider', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    const named = new URL(back);
    named.searchParams.set('iss', 'https://attacker.example');
    expectPage(await browser().ended(named, cookie), 400, 'not valid for this sign-in');
    const other = await LocalIdentityProvider.start(CALLBACK);
    other.person = { ...provider.person };
    const foreign = await other.visit(url.replace(provider.issuer, other.issuer));
    expectPage(await browser().ended(foreign, cookie), 400, 'not valid for this sign-in');
    foreign.searchParams.set('iss', provider.issuer);
    expectPage(await browser().ended(foreign, cookie), 400, 'not valid for this sign-in');
    await other.stop();
  });

  it('an attempt of eleven minutes ago', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    app.clock.advance(11 * MINUTE_MS);
    expectPage(await browser().ended(back, cookie), 400, 'has expired');
  });

  it.each([false, undefined, 'true', 'false', 1])(
    'an address that is not verified: %j',
    async (isVerified) => {
      provider.person.email_verified = isVerified;
      expectPage(await browser().signedIn(provider), 403, 'has not verified your email address');
    },
  );

  it.each([
    'jane@other.example',
    'jane@sub.corp.example',
    'jane@corp.example.attacker.example',
    'jane@xcorp.example',
    'corp.example@attacker.example',
    '"jane@corp.example"@attacker.example',
  ])('a foreign domain: %s', async (email) => {
    provider.person.email = email;
    expectPage(await browser().signedIn(provider), 403, 'Addresses of your domain may not sign in here');
  });

  it('an address that is none, and takes a domain in any spelling', async () => {
    for (const email of [undefined, '', 'corp.example', 'a b@corp.example'] as const) {
      provider.person.email = email;
      expectPage(await browser().signedIn(provider), 403, 'has not told your email address');
    }
    for (const email of ['anna@BÜCHER.example', 'anna@xn--bcher-kva.example']) {
      provider.person.email = email;
      expect(tokenOf(await browser().signedIn(provider))).toBeDefined();
    }
  });

  it('a look-alike that the locale of the database takes for the address of a member', async () => {
    const users = app.service.app.get(UsersService);
    const ida = await users.confirmedByOperator('ida@corp.example');
    jest.spyOn(users, 'confirmedMember').mockResolvedValueOnce(ida);
    // An I with a dot.
    provider.person.email = '\u0130da@corp.example';
    expectPage(await browser().signedIn(provider), 403, 'Your address belongs to no team');
    await users.confirmedByOperator('kate@corp.example');
    // A Kelvin sign, which is a K in NFC.
    provider.person.email = '\u212Aate@corp.example';
    expectPage(await browser().signedIn(provider), 403, 'or it is not valid');
  });

  it('a person who has not given consent, and repeats nothing of the request', async () => {
    const { url, cookie } = await browser().begun();
    const state = new URL(url).searchParams.get('state') ?? '';
    const iss = encodeURIComponent(provider.issuer);
    const back = new URL(
      `${CALLBACK}?error=access_denied&error_description=%3Cscript%3Ehello&state=${state}&iss=${iss}`,
    );
    const response = await browser().ended(back, cookie);
    expectPage(response, 403, 'you have not given your consent');
    expect(response.text).not.toContain('hello');
  });

  it('too many attempts of one network', async () => {
    for (let sent = 0; sent < 60; sent++) await browser().get('/signin/oidc/callback?code=x');
    const response = await browser().get('/signin/oidc');
    expectPage(response, 429, 'Too many sign-ins');
    expect(response.get('Retry-After')).toBe('60');
  });
});

describe('an identity provider', () => {
  const unavailable = async (issuer: string) => {
    const service = await anApp(settingsFor({ issuer }));
    const response = await browser(service).get('/signin/oidc');
    expectPage(response, 503, 'The identity provider does not respond');
    expect([response.get('Retry-After'), response.get('Set-Cookie')]).toEqual(['60', undefined]);
    expect(service.logged()).toContain('identity provider not available');
    await service.stop();
  };

  it('that cannot be reached gives a page with 503, and works when it is back', async () => {
    const gone = await LocalIdentityProvider.start(CALLBACK);
    await gone.stop();
    const service = await anApp(settingsFor(gone));
    expectPage(await browser(service).get('/signin/oidc'), 503, 'The identity provider does not respond');
    const back = await LocalIdentityProvider.start(CALLBACK, { port: Number(new URL(gone.issuer).port) });
    expect((await browser(service).begun()).url).toContain(gone.issuer);
    await service.stop();
    await back.stop();
  });

  it('that ends during a sign-in gives a page with 503', async () => {
    const other = await LocalIdentityProvider.start(CALLBACK);
    const service = await anApp(settingsFor(other));
    const { url, cookie } = await browser(service).begun();
    const back = await other.visit(url);
    await other.stop();
    expectPage(await browser(service).ended(back, cookie), 503, 'The identity provider does not respond');
    await service.stop();
  });

  it('that does not know the secret gives a page with 503 and a line in the log, without the secret', async () => {
    const service = await anApp({ ...settingsFor(provider), OIDC_CLIENT_SECRET: 'another secret' });
    expectPage(await browser(service).signedIn(provider), 503, 'does not accept this service');
    expect(service.logged()).toContain('identity provider not available');
    expect(service.logged()).not.toContain('another secret');
    await service.stop();
  });

  it.each([
    ['that says it is another one', (issuer: string) => JSON.stringify({ issuer: `${issuer}/other` })],
    [
      'whose response is too large',
      (issuer: string) =>
        JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, padding: 'x'.repeat(300_000) }),
    ],
    ['whose response is no JSON', () => '<html>'],
    [
      'whose page has no TLS',
      (issuer: string) =>
        JSON.stringify({
          issuer,
          authorization_endpoint: 'http://login.example/auth',
          jwks_uri: `${issuer}/k`,
        }),
    ],
  ])('%s gives a page with 503', async (_, metadata) => {
    const server = createServer((__, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(metadata(issuer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await unavailable(issuer);
    server.closeAllConnections();
    server.close();
  });
});

/** Changes the subject of the ID token, and keeps its signature. */
function withOtherPerson(body: string): string {
  const tokens = JSON.parse(body) as { id_token: string };
  const [head = '', payload = '', signature = ''] = tokens.id_token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = JSON.stringify({ ...claims, email: 'owner1@corp.example', email_verified: true });
  return JSON.stringify({
    ...tokens,
    id_token: `${head}.${Buffer.from(changed).toString('base64url')}.${signature}`,
  });
}
