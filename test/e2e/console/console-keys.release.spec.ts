import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

const PHONE = { width: 390, height: 844 };

let app: TestApp;
let browser: TestBrowser;
let key: string;
let id: string;

async function open(path = `/lists/${id}`): Promise<Page> {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  return page;
}

/** The text of what has the focus, or the name of a field. */
const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.textContent || document.activeElement.labels?.[0]?.textContent || document.activeElement.ariaLabel',
  );

(hasBrowser ? describe : describe.skip)('the keys of the lists', () => {
  beforeAll(async () => {
    app = await anApp();
    browser = await TestBrowser.start();
    ({ testKey: key } = await app.anAccount());
    const names = ['ann', 'bob+null_mx', 'cid'];
    ({ id } = await aBulkJob(
      app,
      key,
      names.map((name) => `${name}@example.com`),
      { name: 'Customers' },
    ));
    await workOn(app);
    await aBulkJob(app, key, ['jane@example.com'], { name: 'Öffentliche Liste' });
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('j and k move the focus through the rows, Enter opens the panel, in which they go on', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'ann@example.com' }).waitFor();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('ann@example.com');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('bob+null_mx@example.com');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('ann@example.com');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByRole('region', { name: 'Deliverable' }).waitFor();
    await page.keyboard.press('j');
    await panel.getByRole('region', { name: 'Undeliverable' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('dialog', { name: 'No. 3' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('dialog', { name: 'No. 2' }).waitFor();
    await page.keyboard.press('Escape');
    // The browser first gives the focus to the row that was opened.
    await page.locator(':focus').filter({ hasText: 'bob+null_mx@example.com' }).waitFor();
  });

  it('/ leads to the search, where all keys are characters, as in every field', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'ann@example.com' }).waitFor();
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('Search addresses');
    await page.keyboard.type('j/k?');
    expect(await page.getByLabel('Search addresses').inputValue()).toBe('j/k?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all rows' }).click();
    await page.getByRole('button', { name: 'ann@example.com' }).waitFor();
    await page.getByLabel('Status', { exact: true }).focus();
    await page.keyboard.press('j');
    expect(await focused(page)).toMatch(/^All/);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Download results');
  });

  it('? shows the keys, which can be switched off for those whose device sends single characters', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'ann@example.com' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.getByText('Next row').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByLabel('Use these keys').uncheck();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('button', { name: 'ann@example.com' }).waitFor();
    for (const key of ['j', '/', '?']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.getByRole('button', { name: 'ann@example.com' }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('dialog', { name: 'No. 2' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await dialog.getByLabel('Use these keys').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('ann@example.com');
  });

  it('lists are searched by name, and / and j lead to them', async () => {
    const page = await open('/lists');
    const rows = page.getByRole('group', { name: 'Your lists' }).getByRole('link');
    await rows.nth(1).waitFor();
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('Search lists');
    await page.keyboard.type('öFFENT');
    await rows.filter({ hasText: 'Customers' }).waitFor({ state: 'detached' });
    expect(await rows.allInnerTexts()).toEqual(['Öffentliche Liste']);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Search lists').fill('nothing');
    await page.getByRole('status').filter({ hasText: 'No list has “nothing” in its name' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all lists' }).click();
    await rows.nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Customers');
    await page.setViewportSize(PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(id));
  });
});
