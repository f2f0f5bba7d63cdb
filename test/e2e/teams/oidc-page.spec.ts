import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { CLIENT, LocalIdentityProvider } from '../../support/oidc/identity-provider.js';
import { freePort } from '../../support/processes/free-port.js';

let provider: LocalIdentityProvider;
let app: TestApp;
let first: NewAccount;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('the console, with an identity provider', () => {
  beforeAll(async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    provider = await LocalIdentityProvider.start(`${url}/signin/oidc/callback`);
    app = await anApp({
      ...{ PORT: String(port), PUBLIC_URL: url },
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
      ...{ OIDC_ALLOWED_DOMAINS: 'corp.example', OIDC_ROLE: 'member' },
    });
    first = await app.anAccount();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await provider.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('signs a person in at the provider, and opens the team with a key of 12 hours', async () => {
    provider.person = { sub: 'jane', email: 'jane@corp.example', email_verified: true };
    const page = await browser.page([app.url, provider.issuer]);
    await page.goto(`${app.url}/console`);
    await page.getByRole('link', { name: 'Go to the sign-in' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the sign-in' }).click();
    await page.getByText('It can be used once and gives you a key for 12 hours').waitFor();
    expect(page.url()).toBe(`${app.url}/console`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(first.team.name).first().waitFor();
    const key = String(await page.evaluate(`sessionStorage.getItem('rcpt.key')`));
    const me = (await app.get('/v1/me', key)).body as {
      user: object;
      role: string;
      key: { expires_at: string };
    };
    expect([me.user, me.role]).toMatchObject([{ email: 'jane@corp.example' }, 'member']);
    expect(Date.parse(me.key.expires_at)).toBeGreaterThan(app.clock.now().getTime());
  });

  it('tells a person of another domain why not', async () => {
    provider.person = { sub: 'joe', email: 'joe@other.example', email_verified: true };
    const page = await browser.page([app.url, provider.issuer]);
    await page.goto(`${app.url}/signin/oidc`);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText('Addresses of your domain may not sign in here').waitFor();
    expect(page.url()).toBe(`${app.url}/console`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in another way' }).click();
    await page.getByRole('link', { name: 'Go to the sign-in' }).waitFor();
    // A link cannot show a text of somebody else.
    await page.evaluate(`location.hash = 'refused=Call%20%2B49'`);
    await page.getByText('The identity provider has not signed you in.').waitFor();
    expect(await page.getByText('Call').count()).toBe(0);
  });
});
