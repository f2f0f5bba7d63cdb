import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { previewOn } from '../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

const LIST = 'name;email\nA;no address\nB;jane@plain.invalid\nC;jane@plain.invalid\n';

(hasBrowser ? describe : describe.skip)('a held list in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
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

  const held = async (key: string, button: string, options = {}): Promise<Page> => {
    const page = await browser.page(app.url, options);
    await page.goto(`${app.url}/console/lists#key=${key}`);
    await page.setInputFiles('input[type=file]', {
      name: 'people.csv',
      mimeType: '',
      buffer: Buffer.from(LIST),
    });
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(/\/lists\/job_/);
    return page;
  };
  const reserved = async (key: string) =>
    ((await app.get('/v1/usage', key)).body as { quota: { reserved: number } }).quota.reserved;

  it('shows what it contains and costs before it is started', async () => {
    const { liveKey } = await app.anAccount('starter');
    const page = await held(liveKey, 'Look at it first');
    await page.getByText('The list is being read.').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    await previewOn(app);
    await page.getByRole('row', { name: 'Costs at most 2 verifications' }).waitFor();
    await page.getByRole('row', { name: 'Duplicates 1' }).waitFor();
    await page.getByText('Line 2: 1 row has a text that is no address').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await reserved(liveKey)).toBe(0);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
    expect(await reserved(liveKey)).toBe(2);
  });

  it('is discarded, in German too', async () => {
    const { liveKey } = await app.anAccount('starter');
    const page = await held(liveKey, 'Erst ansehen', { locale: 'de-DE' });
    await previewOn(app);
    await page.getByText('Zeile 2: An der Stelle der Adresse steht ein anderer Text.').waitFor();
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await page.waitForURL(/\/lists$/);
    expect(((await app.get('/v1/bulk-jobs', liveKey)).body as { data: unknown[] }).data).toEqual([]);
  });
});
