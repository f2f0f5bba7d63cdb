import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;

async function open(key: string, path: string): Promise<Page> {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  return page;
}

(hasBrowser ? describe : describe.skip)('the results of a list in the console', () => {
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

  it('L16: the service searches while a person types, with the filters; an empty field shows all rows', async () => {
    const { testKey } = await app.anAccount();
    const names = ['jane', 'joe+null_mx', 'jane+null_mx'];
    const { id } = await aBulkJob(app, testKey, [
      ...names.map((name) => `${name}@example.com`),
      '100%@a.example',
    ]);
    await workOn(app);
    const page = await browser.isolatedPage(app.url);
    await page.goto(`${app.url}/console/lists/${id}?status=undeliverable#key=${testKey}`);
    const rows = page.getByRole('group', { name: 'Results' }).getByRole('row');
    await rows.nth(2).waitFor();
    const searches: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (!pathname.endsWith('/results')) return;
      // The export has a type of its own.
      searches.push(request.headers().accept ?? searchParams.get('q'));
    });
    const field = page.getByLabel('Search addresses');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await field.fill('J');
    await page.clock.runFor(249);
    await field.fill('JANE+');
    await page.clock.runFor(249);
    expect(searches).toEqual([]);
    await page.clock.resume();
    await page.getByRole('button', { name: 'joe+null_mx' }).waitFor({ state: 'detached' });
    expect(searches).toEqual(['JANE+']);
    expect(await rows.count()).toBe(2);
    await field.fill('nobody');
    await page.getByRole('status').filter({ hasText: 'No rows match.' }).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await field.fill('');
    await page.getByRole('button', { name: 'joe+null_mx' }).waitFor();
    expect(await rows.count()).toBe(5);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('the outcome of a list by domain and provider is counted once it is opened, in a table with bars', async () => {
    const { testKey } = await app.anAccount();
    const emails = ['a@big.example', 'b@big.example', 'c+null_mx@big.example', 'a@small.example', 'nothing'];
    const { id } = await aBulkJob(app, testKey, emails);
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/breakdown')) requests.push(new URL(request.url()).search);
    });
    await page.getByRole('button', { name: 'a@big.example' }).waitFor();
    expect(requests).toEqual([]);
    await page.getByText('By domain and provider').click();
    const table = page.getByRole('group', { name: 'By domain and provider' }).getByRole('table');
    const rows = async () =>
      (await table.getByRole('row').allInnerTexts()).map((text) =>
        text.split(/\s*\t\s*/).map((cell) => cell.trim()),
      );
    await table.getByRole('rowheader', { name: 'big.example' }).waitFor();
    expect(await rows()).toEqual([
      ['Domain', 'Rows', 'Deliverable', 'Risky', 'Unknown', 'Undeliverable'],
      ['big.example', '3', '2', '0', '0', '1'],
      ['No domain', '1', '0', '0', '0', '1'],
      ['small.example', '1', '1', '0', '0', '0'],
    ]);
    expect(await table.locator('svg').count()).toBe(3);
    expect(await accessibilityViolations(page)).toEqual([]);
    await table.getByRole('button', { name: 'small.example' }).click();
    await page.waitForURL(/q=%40small\.example/);
    const search = page.getByLabel('Search addresses');
    await page
      .getByRole('group', { name: 'Results' })
      .getByText('a@big.example')
      .waitFor({ state: 'detached' });
    expect(await search.inputValue()).toBe('@small.example');
    await page.goBack();
    await page.getByRole('group', { name: 'Results' }).getByText('a@big.example').waitFor();
    await page.getByLabel('Group by').selectOption('Provider');
    await table.getByRole('rowheader', { name: 'Not known' }).waitFor();
    expect(await search.inputValue()).toBe('');
    expect(requests).toEqual(['?by=domain', '?by=provider']);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('L25: columns keep their width between pages, and between rows that wait and results', async () => {
    const { testKey } = await app.anAccount();
    const short = Array.from({ length: 25 }, (_, n) => `u${n}@a.example`);
    const long = `${'a-long-local-part-'.repeat(3)}@${'a-long-label.'.repeat(9)}example`;
    const { id } = await aBulkJob(app, testKey, [...short, long, 'mailbox_not_found@b.example']);
    const page = await open(testKey, `/lists/${id}`);
    const heads = `document.querySelectorAll('[role=group][aria-label=Results] th')`;
    const widths = () =>
      page.evaluate<number[]>(`[...${heads}].map((head) => head.getBoundingClientRect().width)`);
    await page.getByRole('cell', { name: 'waiting' }).first().waitFor();
    const first = await widths();
    expect(first).toHaveLength(5);
    await workOn(app);
    await page.getByRole('button', { name: 'u0@a.example' }).waitFor();
    expect(await widths()).toEqual(first);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'mailbox_not_found@b.example' }).waitFor();
    expect(await widths()).toEqual(first);
  });

  it('L26: leaving while a search, the state of a list or a download arrives is no error', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com']);
    const { id: ended } = await aBulkJob(app, testKey, ['joe@example.com']);
    await workOn(app);
    const { id: waiting } = await aBulkJob(app, testKey, ['jim@example.com']);
    for (const job of [id, waiting]) {
      const page = await open(testKey, `/lists/${job}`);
      await page.getByRole('cell', { name: '@example.com' }).waitFor();
      const held = page.waitForRequest('**/results?*q=nobody*');
      // Until the page leaves.
      await page.route('**/results?*q=nobody*', () => undefined);
      await page.getByLabel('Search addresses').fill('nobody');
      const canceled = page.waitForEvent('requestfailed', (request) => request.url().includes('q=nobody'));
      await held;
      await page.getByRole('link', { name: 'All lists' }).click();
      await canceled;
      await page.getByText('Choose a file').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    const page = await open(testKey, `/lists/${ended}`);
    await page.route('**/results?*', (route) =>
      route.request().headers().accept === 'text/csv' ? undefined : route.continue(),
    );
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const sent = page.waitForRequest('**/results?*bom=true*');
    await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
    await sent;
    const canceled = page.waitForEvent('requestfailed', (request) => request.url().includes('bom=true'));
    await page.keyboard.press('Escape');
    await canceled;
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
