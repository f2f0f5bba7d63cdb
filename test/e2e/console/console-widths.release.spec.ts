import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { aPublishableKey } from '../../support/app/publishable.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

/** Windows between a phone and a screen: a tablet, half a screen, a browser with a side bar, 125 %. */
const WIDTHS = [737, 768, 820, 961, 1024, 1100, 1180, 1280];
const LONG_NAME =
  'Newsletter of the northern region, spring and summer, all customers with an order since 2019';

let app: TestApp;
let operator: string;
let browser: TestBrowser;

async function open(key: string, path: string, options = {}): Promise<Page> {
  const page = await browser.page(app.url, options);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  return page;
}

const widthOf = async (page: Page, text: string) =>
  (await page.locator('td').filter({ hasText: text }).first().boundingBox())?.width ?? 0;

/** By how much the page is wider than its window, in pixels. */
const overflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The lines of the texts that match. */
const linesOf = (page: Page, selector: string) =>
  page.evaluate<number[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  })`);

(hasBrowser ? describe : describe.skip)('the console at every width', () => {
  beforeAll(async () => {
    app = await anApp();
    operator = (await app.anAccount()).liveKey;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('shrinks the name of a list and the address of a row last', async () => {
    const { testKey } = await app.anAccount();
    const job = await aBulkJob(app, testKey, ['valid@example.com'], { name: LONG_NAME });
    await workOn(app);
    const page = await open(testKey, '/lists');
    await page.getByRole('link', { name: LONG_NAME }).waitFor();
    const names: number[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      names.push(await widthOf(page, LONG_NAME));
    }
    expect(Math.min(...names)).toBeGreaterThan(200);
    await page.goto(`${app.url}/console/lists/${job.id}`);
    await page.getByRole('button', { name: 'valid@example.com' }).waitFor();
    const addresses: number[] = [];
    for (const width of [...WIDTHS, 390]) {
      await page.setViewportSize({ width, height: 800 });
      addresses.push(await widthOf(page, 'valid@example.com'));
      expect(await linesOf(page, 'td button')).toEqual([1]);
    }
    expect(Math.min(...addresses)).toBeGreaterThan(200);
  });

  it('shows the rows of a table as cards with the heads of its columns on a phone', async () => {
    const page = await open(operator, '/keys', { viewport: { width: 390, height: 844 } });
    const row = page.getByRole('row').nth(1);
    await row.waitFor();
    expect(await page.getByRole('columnheader').count()).toBeGreaterThan(2);
    const head = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('tbody td:nth-child(2)'), '::before').content",
    );
    expect(head).not.toBe('none');
    expect(await overflow(page)).toBe(0);
  });

  it('shows keys as cards below 1180 px, and above it times and keys on one line', async () => {
    await aPublishableKey(app, operator, {
      allowed_origins: ['https://www.example.com', 'https://registration.customers.example.com'],
    });
    await app.post('/v1/keys', operator).send({ name: 'nightly import of all customers', mode: 'live' });
    const page = await open(operator, '/keys');
    const actions = page.getByRole('button', { name: 'Actions: sign-up form' });
    for (const width of [320, 768, 1024, 1179]) {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('[data-cards]').waitFor();
      const { x, width: own } = (await actions.boundingBox())!;
      expect(x + own).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator('[data-cards]').waitFor({ state: 'detached' });
    const lines = await page.evaluate<
      number[]
    >(`[...document.querySelectorAll('td code, td time')].map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    })`);
    expect(new Set(lines)).toEqual(new Set([1]));
    // The exact time, and the whole key where it is copied.
    expect(await page.locator('td time').first().getAttribute('title')).toMatch(/\d{4}.*:\d\d/);
    await page.getByRole('button', { name: 'Copy: sign-up form' }).waitFor();
  });

  it('gives the panel of a row the whole width of a phone', async () => {
    const { testKey } = await app.anAccount();
    const job = await aBulkJob(app, testKey, ['valid@example.com']);
    await workOn(app);
    const page = await open(testKey, `/lists/${job.id}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'valid@example.com' }).click();
    await page.getByRole('dialog').waitFor();
    expect((await page.getByRole('dialog').boundingBox())!.width).toBe(390);
  });

  it('says on every page, and beside each result, that test mode simulates', async () => {
    const { testKey, liveKey } = await app.anAccount();
    const job = await aBulkJob(app, testKey, ['valid@example.com']);
    await workOn(app);
    const page = await open(testKey, `/lists/${job.id}`);
    const band = page.getByRole('complementary', { name: 'Test mode' }).filter({ hasText: 'simulated' });
    await band.waitFor();
    await page.getByText('Simulated', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'valid@example.com' }).waitFor();
    await page.getByRole('link', { name: 'Verify' }).click();
    await band.waitFor();
    await page.getByLabel('Email address').fill('valid@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Simulated', { exact: true }).waitFor();
    const live = await open(liveKey, '');
    await live.getByRole('link', { name: 'Verify' }).waitFor();
    expect(await live.getByText('results are simulated').count()).toBe(0);
  });

  it('paints a frame before the script is there', async () => {
    const page = await browser.isolatedPage(app.url);
    await page.route(/\.js$/, () => undefined);
    await page.goto(`${app.url}/console`, { waitUntil: 'commit' });
    await page.locator('.shell').filter({ hasText: 'Rcpt' }).waitFor();
  });
});
