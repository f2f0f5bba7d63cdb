import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;

async function open(): Promise<Page> {
  const { testKey } = await app.anAccount();
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console#key=${testKey}`);
  await page.getByLabel('Email address').waitFor();
  return page;
}

async function ask(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.locator('section[data-status]').filter({ hasText: email }).waitFor();
}

(hasBrowser ? describe : describe.skip)('the page that verifies', () => {
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

  it('shows the response of the API beside the request', async () => {
    const page = await open();
    await ask(page, 'catch_all@example.com');
    await page.getByRole('tab', { name: 'Response' }).click();
    const response = await page.getByRole('tabpanel').locator('pre').innerText();
    expect(JSON.parse(response)).toMatchObject({ email: 'catch_all@example.com', reason: 'catch_all' });
  });

  it('copies the address of the verdict', async () => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ask(page, 'jane@example.com');
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('jane@example.com');
  });

  it('offers a list when several addresses are pasted, and shows them in its preview', async () => {
    const page = await open();
    await page.getByLabel('Email address').focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', 'Jane <jane@example.com>, john@example.com; ida@example.com');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
    await page.getByText('You pasted 3 addresses.').waitFor();
    await page.getByRole('button', { name: 'Verify them as a list' }).click();
    for (const email of ['jane@example.com', 'john@example.com', 'ida@example.com'])
      await page.getByRole('cell', { name: email, exact: true }).waitFor();
  });

  it('shows another verdict no longer when a link fills the field', async () => {
    const page = await open();
    await ask(page, 'jane@example.com');
    await page.evaluate("location.hash = '#email=john@example.com'");
    await page.locator('section[data-status]').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Email address').inputValue()).toBe('john@example.com');
  });
});
