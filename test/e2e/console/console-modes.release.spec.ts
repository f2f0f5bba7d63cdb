import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob } from '../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { showPage } from '../../support/browser/page-scripts.js';

let app: TestApp;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('live and test mode in the console (V28)', () => {
  beforeAll(async () => {
    app = await anApp();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const open = async (path = ''): Promise<Page> => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}`);
    return page;
  };
  const toggle = (page: Page) => page.getByRole('switch', { name: 'Test mode' });
  const isOn = (page: Page, value: boolean) =>
    page.getByRole('switch', { name: 'Test mode', checked: value }).waitFor();

  it('are a switch, which creates the test key once and changes all tabs', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(`#key=${liveKey}`);
    const other = await open('/team');
    await isOn(other, false);
    // Chromium draws a tab behind others once a second, and a click needs two frames.
    await page.bringToFront();
    await toggle(page).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create a test key' }).click();
    await isOn(page, true);
    await isOn(other, true);
    await other.getByText('Switch test mode off').waitFor();
    for (const on of [false, true]) {
      await other.bringToFront();
      await toggle(other).click();
      await isOn(page, on);
    }
    const { data } = (await app.get('/v1/keys', liveKey)).body as { data: { name: string }[] };
    expect(data.filter(({ name }) => name === 'Test mode of the console')).toHaveLength(1);
    await page.bringToFront();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('have lists of their own, and the link of a list of the other mode leads to that mode', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com'], { name: 'Simulated' });
    const page = await open(`/lists/${id}#key=${liveKey}`);
    await page.getByRole('heading', { name: 'There is no such list' }).waitFor();
    await page.getByText('or is in test mode').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Switch to test mode' }).click();
    await page.getByRole('dialog').getByLabel('Test key').fill(testKey);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('heading', { name: 'Simulated' }).waitFor();
    await toggle(page).click();
    // Both keys are known, so that the list is found.
    await page.getByRole('heading', { name: 'This list is in test mode' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch to test mode' }).click();
    await page.getByRole('heading', { name: 'Simulated' }).waitFor();
  });

  it('have histories of their own', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const page = await open(`#key=${testKey}`);
    await page.getByLabel('Email address').fill('jane@example.com');
    await page.keyboard.press('Enter');
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('jane@example.com').waitFor();
    await toggle(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Live key').fill(liveKey);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await isOn(page, false);
    await history.waitFor({ state: 'detached' });
    await toggle(page).click();
    await history.getByText('jane@example.com').waitFor();
  });

  it('take no key of another team, of the same mode, or that is none', async () => {
    const { liveKey } = await app.anAccount();
    const stranger = await app.anAccount();
    const page = await open(`#key=${liveKey}`);
    await toggle(page).click();
    const dialog = page.getByRole('dialog');
    for (const [key, text] of [
      ['a-key', 'A key begins with rcpt_live_ or rcpt_test_'],
      [stranger.liveKey, 'A test key begins with rcpt_test_'],
      [stranger.testKey, 'belongs to the team'],
      [`rcpt_test_${'x'.repeat(38)}`, 'not valid'],
    ] as const) {
      await dialog.getByLabel('Test key').fill(key);
      await dialog.getByRole('button', { name: 'Use this key' }).click();
      await dialog.getByRole('alert').filter({ hasText: text }).waitFor();
    }
    await isOn(page, false);
  });

  it('go on with the other key when one is revoked, and end together', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const page = await open(`#key=${liveKey}`);
    await toggle(page).click();
    await page.getByRole('dialog').getByLabel('Test key').fill(testKey);
    await page.keyboard.press('Enter');
    await isOn(page, true);
    const { key } = (await app.get('/v1/me', testKey)).body as { key: { id: string } };
    expect((await app.delete(`/v1/keys/${key.id}`, liveKey)).status).toBe(200);
    app.clock.advance(5_000);
    await page.getByRole('link', { name: 'Lists' }).click();
    await isOn(page, false);
    await toggle(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create a test key' }).click();
    await isOn(page, true);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(
      await page.evaluate(`[sessionStorage.getItem('rcpt.key'), sessionStorage.getItem('rcpt.other-key')]`),
    ).toEqual([null, null]);
  });

  it('keep an address from a link for who signs in afterwards (V24)', async () => {
    const { testKey } = await app.anAccount();
    const page = await open('#email=jane@example.com');
    await page.getByLabel('API key').fill(testKey);
    await page.keyboard.press('Enter');
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('jane@example.com');
  });
});

(hasBrowser ? describe : describe.skip)('the console of a paused service', () => {
  let paused: TestApp;
  let visitor: TestBrowser;
  beforeAll(async () => {
    paused = await anApp({ PAUSED: 'true' });
    visitor = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await visitor.stop();
    await paused.stop();
  });
  afterEach(async () => {
    expect(await visitor.closePages()).toEqual([]);
  });

  it.each([
    ['en', 'The service is paused'],
    ['de', 'Der Dienst pausiert'],
  ])('says so on every page (%s)', async (locale, sentence) => {
    const { liveKey } = await paused.anAccount();
    const page = await visitor.page(paused.url, { locale });
    await page.goto(`${paused.url}/console#key=${liveKey}`);
    const band = page.getByRole('complementary').filter({ hasText: sentence });
    await band.waitFor();
    for (const [path, shown] of [
      ['/lists', 'input[type=file]'],
      ['/schedules', 'main h1'],
      ['/system', 'main h2'],
    ] as const) {
      await showPage(page, path, shown);
      await band.waitFor();
    }
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
