import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;

const EMAILS = Array.from({ length: 30 }, (_, n) => `person${n}@example.com`);

async function open(key: string, path: string, options = {}): Promise<Page> {
  const page = await browser.page(app.url, options);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  return page;
}

async function aList(): Promise<{ key: string; path: string }> {
  const { testKey } = await app.anAccount();
  const { id } = await aBulkJob(app, testKey, EMAILS);
  await workOn(app);
  return { key: testKey, path: `/lists/${id}` };
}

const row = (page: Page, email: string) => page.getByRole('button', { name: email, exact: true });

(hasBrowser ? describe : describe.skip)('the history of the console', () => {
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

  it('keeps the page of results over a reload, and leads back to the page before', async () => {
    const { key, path } = await aList();
    const page = await open(key, path);
    await row(page, 'person0@example.com').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await row(page, 'person29@example.com').waitFor();
    await page.reload();
    await row(page, 'person29@example.com').waitFor();
    await page.goBack();
    await row(page, 'person0@example.com').waitFor();
    await page.goForward();
    await row(page, 'person29@example.com').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await row(page, 'person0@example.com').waitFor();
  });

  it('keeps what was searched for over a reload', async () => {
    const { key, path } = await aList();
    const page = await open(key, path);
    await page.getByLabel('Search addresses').fill('person7@');
    await row(page, 'person0@example.com').waitFor({ state: 'detached' });
    await page.waitForURL(/q=person7/);
    await page.reload();
    await row(page, 'person7@example.com').waitFor();
    expect(await page.getByLabel('Search addresses').inputValue()).toBe('person7@');
    expect(await row(page, 'person0@example.com').count()).toBe(0);
  });

  it('closes the panel of a row with Back, also after other rows, and opens it from a link', async () => {
    const { key, path } = await aList();
    const page = await open(key, path, { viewport: { width: 390, height: 844 } });
    await row(page, 'person1@example.com').click();
    await page.getByRole('dialog', { name: 'No. 2 · person1@example.com' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('dialog', { name: 'No. 3 · person2@example.com' }).waitFor();
    const link = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toContain(path);
    await page.goto(link);
    await page.getByRole('dialog', { name: 'No. 3 · person2@example.com' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toContain(path);
  });

  it('says of what was sent that it is not repeated when the service is back', async () => {
    const { testKey } = await app.anAccount();
    const page = await browser.isolatedPage(app.url);
    await page.addInitScript(`sessionStorage.setItem('rcpt.key', ${JSON.stringify(testKey)})`);
    await page.goto(`${app.url}/console/keys`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByLabel('Email address').fill('jane@example.com');
    await page.route(/\/(v1|livez)/, (route) => route.abort());
    await page.keyboard.press('Enter');
    await page.getByText(/did not answer, so it is not certain/).waitFor();
    expect(await page.getByText('This page tries again').count()).toBe(1);
    await page.unroute(/\/(v1|livez)/);
    await page.getByText('This page tries again').waitFor({ state: 'detached' });
    await page.getByText(/did not answer, so it is not certain/).waitFor();
  });
});
