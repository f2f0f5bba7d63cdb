import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob } from '../../support/app/bulk.js';
import { hasBrowser, hold, TestBrowser, unload } from '../../support/browser/browser.js';

/** What the browser and the router print of a script that could not be loaded, and of a page that is not encrypted. */
const EXPECTED =
  /Failed to fetch dynamically imported module|PageNotLoaded|Cross-Origin-Opener-Policy header has been ignored/;
const WEBHOOKS_SCRIPT = /assets\/webhooks-page-[^/]*\.js$/;

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
  afterEach(async () => {
    const faults = await browser.closePages();
    expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });

  const open = async (account: NewAccount, path = '') => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}#key=${account.liveKey}`);
    await page.getByRole('link', { name: 'Verify' }).first().waitFor();
    return page;
  };

  const sessionOf = (page: Page) => page.evaluate(`sessionStorage.getItem('rcpt.key')`);
  const verifyOne = async (page: Page, address: string) => {
    await page.getByLabel('Email address').fill(address);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: address }).waitFor();
  };

  it('stays when the script of a page cannot be loaded, and shows the page when it can', async () => {
    const account = await app.anAccount();
    const page = await browser.page(app.url);
    let isBroken = true;
    let documents = 0;
    page.on('request', (request) => (documents += Number(request.isNavigationRequest())));
    await page.route(WEBHOOKS_SCRIPT, (route) => (isBroken ? route.abort() : route.continue()));
    await page.goto(`${app.url}/console#key=${account.liveKey}`);
    const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await reloaded;
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByRole('link', { name: 'Lists' }).waitFor();
    expect(documents).toBe(2);
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(documents).toBe(3);
  });

  it('requests the account and the list beside the script that shows them', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com']);
    const page = await browser.page(app.url);
    const { arrived, release } = await hold(page, /assets\/job-page-[^/]*\.js$/);
    await Promise.all([
      arrived,
      page.waitForRequest(`${app.url}/v1/me`),
      page.waitForRequest(`${app.url}/v1/bulk-jobs/${id}`),
      page.goto(`${app.url}/console/lists/${id}#key=${testKey}`),
    ]);
    release();
    await page.getByText('0 of 1 row').waitFor();
  });

  it('shows a page of a new version after one reload', async () => {
    const account = await app.anAccount();
    const page = await browser.page(app.url, { preloads: true });
    let isBroken = true;
    await page.route(WEBHOOKS_SCRIPT, (route) => (isBroken ? route.abort() : route.continue()));
    await page.goto(`${app.url}/console#key=${account.liveKey}`);
    await page.getByLabel('Email address').waitFor();
    await page.waitForLoadState('networkidle');
    page.on('request', (request) => (isBroken &&= !request.isNavigationRequest()));
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });

  it('stays without a network when the style sheet of a page was not loaded, and recovers', async () => {
    const account = await app.anAccount();
    const page = await browser.page(app.url, { preloads: true });
    let isBroken = true;
    await page.route(/assets\/[^/]*\.css$/, (route) =>
      isBroken && !/index-/.test(route.request().url()) ? route.abort() : route.continue(),
    );
    await page.goto(`${app.url}/console#key=${account.liveKey}`);
    await page.getByLabel('Email address').waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByText('The service does not answer').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Verify' }).first().click();
    await page.getByLabel('Email address').waitFor();
    isBroken = false;
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
  });

  it('works on a page that is not encrypted, and says so', async () => {
    const account = await app.anAccount();
    const url = app.url.replace(/127\.0\.0\.1|localhost/, 'rcpt.lan.test');
    const page = await browser.isolatedPage(url);
    await page.addInitScript(
      'document.execCommand = () => { window.copied = String(getSelection()); return true; }',
    );
    await page.goto(`${url}/console/lists#key=${account.liveKey}`);
    expect(
      await page.evaluate('[isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]'),
    ).toEqual([false, 'undefined', 'undefined']);
    await page.getByText('This connection is not encrypted').waitFor();
    const buffer = Buffer.from('email\njane@example.com\n');
    await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('heading', { name: 'Check the file' }).waitFor();
    await page.goto(`${url}/console/keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('a key');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('button', { name: 'Copy: ' }).first().click();
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
    await follow();
    expect(await sessionOf(page)).toBe(own.liveKey);
    await page.getByRole('button', { name: 'Stay signed in as before' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await sessionOf(page)).toBe(own.liveKey);
    await follow();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await sessionOf(page)).toBe(other.liveKey);
  });

  it('asks too when the link is opened in a signed-in tab, and not for its own key', async () => {
    const [own, other] = [await app.anAccount(), await app.anAccount()];
    const page = await open(own);
    await unload(page);
    await page.goto(`${app.url}/console/lists#key=${own.liveKey}`);
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await unload(page);
    await page.goto(`${app.url}/console/lists#key=${other.liveKey}`);
    await page.getByRole('button', { name: 'Stay signed in as before' }).waitFor();
    expect(await sessionOf(page)).toBe(own.liveKey);
  });

  it('forgets the question when the session ends', async () => {
    const [own, other] = [await app.anAccount(), await app.anAccount()];
    const page = await open(own);
    await page.evaluate(`location.hash = '#key=${other.liveKey}'`);
    await page.getByRole('button', { name: 'Stay signed in as before' }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(own.liveKey);
    await page.keyboard.press('Enter');
    await page.getByLabel('Email address').waitFor();
  });

  it('shows nothing of the previous session after its end', async () => {
    const [own, other] = [await app.anAccount(), await app.anAccount()];
    const page = await open(own);
    await verifyOne(page, 'someone@nowhere.invalid');
    // Another tab belongs to another team, perhaps.
    const beside = await page.context().newPage();
    await beside.goto(`${app.url}/console#key=${other.liveKey}`);
    await beside.getByLabel('Email address').waitFor();
    expect(await beside.getByText('someone@nowhere.invalid').count()).toBe(0);
    await beside.close();
    await page.evaluate(`location.hash = '#key=${other.liveKey}'`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(other.team.name).waitFor();
    await page.getByLabel('Email address').waitFor();
    expect(await page.evaluate('document.body.innerHTML')).not.toContain('nowhere.invalid');
    await verifyOne(page, 'another@nowhere.invalid');
    const me = (await app.get('/v1/me', other.liveKey)).body as { key: { id: string } };
    await app.delete(`/v1/keys/${me.key.id}`, other.liveKey).expect(200);
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      'nowhere.invalid',
    );
  });

  it('keeps the session until a sign-in link is used', async () => {
    const own = await app.anAccount();
    const page = await open(own);
    await page.evaluate(`location.hash = '#sign-in=rcpt_signin_${'c'.repeat(43)}'`);
    await page.getByText(`You are signed in to “${own.team.name}”`).waitFor();
    expect(await sessionOf(page)).toBe(own.liveKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Stay signed in as before' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await sessionOf(page)).toBe(own.liveKey);
  });

  it('says to copy by hand where scripts may not', async () => {
    const account = await app.anAccount();
    const page = await browser.isolatedPage(app.url);
    await page.addInitScript(`
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    `);
    await page.goto(`${app.url}/console/keys#key=${account.liveKey}`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('a key');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('button', { name: 'Copy: ' }).first().click();
    await page.getByRole('button', { name: 'Press Ctrl+C' }).waitFor();
    expect(await page.evaluate('String(getSelection())')).toMatch(/^rcpt_(live|test)_/);
  });

  it('does not let a key in that is not valid, and tells it from a service that fails', async () => {
    const [own, other] = [await app.anAccount(), await app.anAccount()];
    const page = await open(own);
    const invalid = own.testKey.replace(/.{4}$/, 'zzzz');
    await page.evaluate(`location.hash = '#key=${invalid}'`);
    await page.getByText('The key of the link is not valid.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Stay signed in as before' }).click();
    await page.getByLabel('Email address').waitFor();

    const busy = { status: 429, json: { title: 'Too many requests', status: 429, code: 'rate_limited' } };
    await page.route(/v1\/me$/, (route) => route.fulfill(busy));
    await page.evaluate(`location.hash = '#key=${other.liveKey}'`);
    await page.getByText('Too many requests').first().waitFor();
    expect(await page.getByText('The key of the link is not valid.').count()).toBe(0);
    await page.unroute(/v1\/me$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: `Sign in to the team “${other.team.name}”?` }).waitFor();
  });

  it('says a refusal once, in the language of the reader', async () => {
    const account = await app.anAccount();
    const page = await open(account);
    await page.evaluate(`localStorage.setItem('rcpt.language', 'de')`);
    const problem = { title: 'Too many requests', detail: 'Too many requests.', code: 'rate_limited' };
    await page.route(/v1\/usage/, (route) =>
      route.fulfill({ status: 429, json: { ...problem, status: 429 } }),
    );
    await page.goto(`${app.url}/console/usage`);
    await page.getByText('Zu viele Anfragen').first().waitFor();
    expect(await page.getByText('Too many requests').count()).toBe(0);
  });
});
