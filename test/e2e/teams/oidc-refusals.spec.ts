import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsersService } from '../../../src/modules/identity/teams/users/users.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { LocalIdentityProvider } from '../../support/oidc/identity-provider.js';
import {
  CALLBACK,
  expectRefusal,
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
    expectRefusal(await browser().ended(back, cookie), 'invalid_response');
    expectRefusal(await browser().ended(back, null), 'no_attempt');
  });

  it('a response without the cookie, with that of another attempt, and with a forged one', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    const sealed = cookie.slice('__Host-rcpt-oidc='.length);
    expectRefusal(await browser().ended(back, null), 'no_attempt');
    expectRefusal(await browser().ended(back, (await browser().begun()).cookie), 'invalid_response');
    const forged = `__Host-rcpt-oidc=${sealed.slice(0, -4)}AAAA`;
    for (const other of [`rcpt-oidc=${sealed}`, forged, '__Host-rcpt-oidc=x'])
      expectRefusal(await browser().ended(back, other), 'no_attempt');
  });

  it('another state, or none', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    for (const state of ['x'.repeat(43), null]) {
      const changed = new URL(back);
      if (state === null) changed.searchParams.delete('state');
      else changed.searchParams.set('state', state);
      expectRefusal(await browser().ended(changed, cookie), 'invalid_response');
    }
  });

  it('an ID token with another nonce', async () => {
    const { url, cookie } = await browser().begun();
    const changed = new URL(url);
    changed.searchParams.set('nonce', 'n'.repeat(43));
    expectRefusal(await browser().ended(await provider.visit(changed.href), cookie), 'invalid_response');
  });

  it('a code for another PKCE challenge', async () => {
    const { url } = await browser().begun();
    const victim = await browser().begun();
    const state = new URL(victim.url).searchParams.get('state') ?? '';
    const injected = new URL(await provider.visit(url));
    injected.searchParams.set('state', state);
    expectRefusal(await browser().ended(injected, victim.cookie), 'invalid_response');
  });

  it('an ID token whose content was changed', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    provider.tampered = (path, body) => (path === '/token' ? withOtherPerson(body) : body);
    const response = await browser().ended(back, cookie);
    provider.tampered = null;
    expectRefusal(response, 'invalid_response');
  });

  it('the response of another issuer, and a code of another provider', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    const named = new URL(back);
    named.searchParams.set('iss', 'https://attacker.example');
    expectRefusal(await browser().ended(named, cookie), 'invalid_response');
    const other = await LocalIdentityProvider.start(CALLBACK);
    other.person = { ...provider.person };
    const foreign = await other.visit(url.replace(provider.issuer, other.issuer));
    expectRefusal(await browser().ended(foreign, cookie), 'invalid_response');
    foreign.searchParams.set('iss', provider.issuer);
    expectRefusal(await browser().ended(foreign, cookie), 'invalid_response');
    await other.stop();
  });

  it('an attempt of eleven minutes ago', async () => {
    const { url, cookie } = await browser().begun();
    const back = await provider.visit(url);
    app.clock.advance(11 * MINUTE_MS);
    expectRefusal(await browser().ended(back, cookie), 'no_attempt');
  });

  it.each([false, undefined, 'true', 'false', 1])(
    'an address that is not verified: %j',
    async (isVerified) => {
      provider.person.email_verified = isVerified;
      expectRefusal(await browser().signedIn(provider), 'not_verified');
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
    expectRefusal(await browser().signedIn(provider), 'foreign_domain');
  });

  it('an address that is none, and takes a domain in any spelling', async () => {
    for (const email of [undefined, '', 'corp.example', 'a b@corp.example'] as const) {
      provider.person.email = email;
      expectRefusal(await browser().signedIn(provider), 'no_address');
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
    expectRefusal(await browser().signedIn(provider), 'not_a_member');
    await users.confirmedByOperator('kate@corp.example');
    // A Kelvin sign, which is a K in NFC.
    provider.person.email = '\u212Aate@corp.example';
    expectRefusal(await browser().signedIn(provider), 'no_address');
  });

  it('a person who has not given consent, and repeats nothing of the request', async () => {
    const { url, cookie } = await browser().begun();
    const state = new URL(url).searchParams.get('state') ?? '';
    const iss = encodeURIComponent(provider.issuer);
    const back = new URL(
      `${CALLBACK}?error=access_denied&error_description=%3Cscript%3Ehello&state=${state}&iss=${iss}`,
    );
    const response = await browser().ended(back, cookie);
    expectRefusal(response, 'denied');
    expect(response.text).not.toContain('hello');
  });

  it('too many attempts of one network', async () => {
    for (let sent = 0; sent < 60; sent++) await browser().get('/signin/oidc/callback?code=x');
    const response = await browser().get('/signin/oidc');
    expectRefusal(response, 'too_many');
  });
});

describe('an identity provider', () => {
  const unavailable = async (issuer: string) => {
    const service = await anApp(settingsFor({ issuer }));
    const response = await browser(service).get('/signin/oidc');
    expectRefusal(response, 'unavailable');
    expect(response.get('Set-Cookie')).toBeUndefined();
    expect(service.logged()).toContain('identity provider not available');
    await service.stop();
  };

  it('that cannot be reached is unavailable, and works when it is back', async () => {
    const gone = await LocalIdentityProvider.start(CALLBACK);
    await gone.stop();
    const service = await anApp(settingsFor(gone));
    expectRefusal(await browser(service).get('/signin/oidc'), 'unavailable');
    const back = await LocalIdentityProvider.start(CALLBACK, { port: Number(new URL(gone.issuer).port) });
    expect((await browser(service).begun()).url).toContain(gone.issuer);
    await service.stop();
    await back.stop();
  });

  it('that ends during a sign-in is unavailable', async () => {
    const other = await LocalIdentityProvider.start(CALLBACK);
    const service = await anApp(settingsFor(other));
    const { url, cookie } = await browser(service).begun();
    const back = await other.visit(url);
    await other.stop();
    expectRefusal(await browser(service).ended(back, cookie), 'unavailable');
    await service.stop();
  });

  it('that does not know the secret is unavailable and a line in the log, without the secret', async () => {
    const service = await anApp({ ...settingsFor(provider), OIDC_CLIENT_SECRET: 'another secret' });
    expectRefusal(await browser(service).signedIn(provider), 'unavailable');
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
  ])('%s is unavailable', async (_, metadata) => {
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
