import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('the frame of the console', () => {
  beforeAll(async () => {
    app = await anApp();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(() => browser.closePages());

  const open = async (account: NewAccount, path = '') => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}#key=${account.liveKey}`);
    await page.getByRole('link', { name: 'Verify' }).first().waitFor();
    return page;
  };

  it('stays when the script of a page cannot be loaded, and shows the page when it can', async () => {
    const account = await app.anAccount();
    const page = await browser.page(app.url);
    let isBroken = true;
    await page.route(/assets\/webhooks-page-[^/]*\.js$/, (route) =>
      isBroken ? route.abort() : route.continue(),
    );
    await page.goto(`${app.url}/console#key=${account.liveKey}`);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByRole('link', { name: 'Lists' }).waitFor();
    isBroken = false;
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });

  it('works on a page that is not encrypted, and says so', async () => {
    const account = await app.anAccount();
    const page = await browser.page(app.url);
    // As on a host of the local network: no secure context.
    await page.addInitScript(`
      Object.defineProperty(window, 'isSecureContext', { value: false });
      Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
      document.execCommand = () => { window.copied = String(getSelection()); return true; };
    `);
    await page.goto(`${app.url}/console/lists#key=${account.liveKey}`);
    await page.getByText('This connection is not encrypted').waitFor();
    const buffer = Buffer.from('email\njane@example.com\n');
    await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('heading', { name: 'Check the file' }).waitFor();
    await page.goto(`${app.url}/console/team?tab=keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('a key');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('window.copied')).toMatch(/^rcpt_(live|test)_/);
  });

  it('asks before the key of a link replaces the session of a tab', async () => {
    const [own, other] = [await app.anAccount(), await app.anAccount()];
    const page = await open(own);
    const follow = async () => {
      await page.evaluate(`location.hash = '#key=${other.liveKey}'`);
      await page.getByRole('heading', { name: `Sign in to the team “${other.team.name}”?` }).waitFor();
      expect(page.url()).not.toContain(other.liveKey);
    };
    const session = () => page.evaluate(`sessionStorage.getItem('rcpt.key')`);
    await follow();
    expect(await session()).toBe(own.liveKey);
    await page.getByRole('button', { name: 'Stay signed in as before' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await session()).toBe(own.liveKey);
    await follow();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await session()).toBe(other.liveKey);
  });

  it('does not let a key in that is not valid', async () => {
    const own = await app.anAccount();
    const page = await open(own);
    const invalid = own.testKey.replace(/.{4}$/, 'zzzz');
    await page.evaluate(`location.hash = '#key=${invalid}'`);
    await page.getByText('The key of the link is not valid.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Stay signed in as before' }).click();
    await page.getByLabel('Email address').waitFor();
  });

  it('has a page for invites that reads the token from the fragment, and shows nothing else of it', async () => {
    const token = `rcpt_invite_${'a1_-'.repeat(11).slice(0, 43)}`;
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/accept-invite#token=${token}`);
    await page.getByText(`"invite_token":"${token}"`).waitFor();
    for (const bad of [
      '',
      '#token=',
      '#token=<img src=x onerror=alert(1)>',
      `#token=${token}'; rm`,
      `#token=${token}%0A`,
    ]) {
      await page.goto('about:blank');
      await page.goto(`${app.url}/accept-invite${bad}`);
      await page.getByText('This link is incomplete').waitFor();
      expect(await page.getByText('invite_token').isVisible()).toBe(false);
    }
    await page.goto(`${app.url}/signup/confirm#token=rcpt_signup_${'b'.repeat(43)}`);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    expect(await page.locator('input[name=token]').inputValue()).toBe(`rcpt_signup_${'b'.repeat(43)}`);
  });
});
