import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { surveyOf } from '../../support/browser/page-survey.js';
import { PUBLIC_URL } from '../../support/oauth/assistant.js';
import { OAuthRequests, type Tokens } from '../../support/oauth/oauth-requests.js';
import { freePort } from '../../support/processes/free-port.js';

(hasBrowser ? describe : describe.skip)('a program that asks to act for a team', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let account: NewAccount;
  let oauth: OAuthRequests;
  /** The program on this computer. */
  let program: Server;
  let redirect: string;

  beforeAll(async () => {
    const port = await freePort();
    app = await anApp({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, TRUST_PROXY: '1' });
    account = await app.anAccount();
    oauth = new OAuthRequests(app);
    program = createServer((_, response) => response.end('connected')).listen(0, '127.0.0.1');
    await once(program, 'listening');
    redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    program.closeAllConnections();
    program.close();
    await app.stop();
  });
  afterEach(async () => {
    // The program is the only other host.
    const requested = await browser.closePages();
    expect(requested.filter((url) => !url.startsWith(redirect))).toEqual([]);
  });

  const ask = () =>
    oauth.attempt(
      { redirect_uri: redirect, resource: `${app.url}/mcp` },
      { client_name: 'Assistant \u202egnp.exe', redirect_uris: [redirect] },
    );

  it('is shown before and after the sign-in, and gets what the person allows', async () => {
    const attempt = await ask();
    const page = await browser.page(app.url);
    await page.goto(oauth.urlOf(attempt).href.replace(PUBLIC_URL, app.url));
    await page.getByRole('heading', { name: 'Let a program act for your team?' }).waitFor();
    expect(await page.getByRole('main').innerText()).toContain('Assistant ␣U+202Egnp.exe');
    await page.getByText('Your answer goes to a program on this computer.').waitFor();
    await page.getByText('It has not proved who it is').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByLabel('API key').fill(account.liveKey);
    await page.keyboard.press('Enter');
    await page.getByText(account.team.name).first().waitFor();
    await page.getByText(`You answer as ${account.user.email}.`).waitFor();
    // Nothing leads away from the question, also on a phone, and the answers are in the window.
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Commands' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Team: ' }).waitFor();
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.getByRole('button', { name: 'Allow' }).click({ trial: true });
    }
    await page.getByLabel('read the usage').uncheck();
    await page.getByLabel('Mode').selectOption('test');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${redirect}?*`);
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('iss')).toBe(app.url);
    const { body } = (await oauth.exchange(attempt, answer.get('code') ?? '')) as { body: Tokens };
    expect(body.scope).toBe('verify lists');
    const { data } = (await app.get('/v1/keys', account.liveKey)).body as {
      data: { kind: string; mode: string }[];
    };
    expect(data[0]).toMatchObject({ kind: 'oauth', mode: 'test' });
    await page.goto(`${app.url}/console/keys`);
    await page.getByText('Connected program').first().waitFor();
  });

  it('stands beside Rcpt with its name and its initial, since no picture of a stranger is loaded', async () => {
    const page = await browser.page(app.url);
    await page.goto(oauth.urlOf(await ask()).href.replace(PUBLIC_URL, app.url));
    await page.getByText(/^A\s*Assistant ␣U\+202Egnp\.exe\s*→\s*Rcpt$/).waitFor();
  });

  it('is shown with zoom, forced colours and without motion, in both languages, before and after the sign-in', async () => {
    const page = await browser.page(app.url);
    await page.goto(oauth.urlOf(await ask()).href.replace(PUBLIC_URL, app.url));
    await page.getByLabel('API key').waitFor();
    expect(await surveyOf(page)).toEqual([]);
    await page.getByLabel('API key').fill(account.liveKey);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    expect(await surveyOf(page)).toEqual([]);
    await choose(page, 'Menu', 'Deutsch');
    await page.locator('html[lang=de]').waitFor();
    expect([...(await surveyOf(page)), ...(await accessibilityViolations(page))]).toEqual([]);
  });

  it('is told when the person denies it', async () => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console#key=${account.liveKey}`);
    await page.getByRole('button', { name: 'Team: ' }).waitFor();
    await page.goto(oauth.urlOf(await ask()).href.replace(PUBLIC_URL, app.url));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${redirect}?error=access_denied*`);
  });
});
