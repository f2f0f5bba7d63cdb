import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, sendList, workOn } from '../../support/app/bulk.js';
import { untilTrue } from '../../support/browser/until-true.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

(hasBrowser ? describe : describe.skip)('the console, in its details,', () => {
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

  const open = async (key: string, path: string, options = {}): Promise<Page> => {
    const page = await browser.page(app.url, options);
    await page.goto(`${app.url}/console${path}#key=${key}`);
    return page;
  };

  // First, because its account is that of the operator.
  it('D1: leads the operator from a list that is under way to the reasons why connections are waited for', async () => {
    const operator = await app.anAccount();
    const { id } = await aBulkJob(app, operator.liveKey, ['joe@example.com']);
    const page = await open(operator.liveKey, `/lists/${id}`);
    await page.getByRole('link', { name: 'Which connections rows wait for, and why' }).click();
    await page.locator('h2:focus').filter({ hasText: 'Sessions with mail providers' }).waitFor();
    const other = await app.anAccount();
    const { id: theirs } = await aBulkJob(app, other.liveKey, ['joe@example.com']);
    const member = await open(other.liveKey, `/lists/${theirs}`);
    await member.getByText('0 of 1 rows').first().waitFor();
    expect(await member.getByRole('link', { name: 'Which connections' }).count()).toBe(0);
  });

  it('W2: puts no English sentence below a German title, and keeps it for who opens it', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/webhooks/whk_01kaj3wzj4e0t9x7n2v8q5r6sm', { locale: 'de-DE' });
    const note = page.getByRole('alert').filter({ hasText: 'Nicht gefunden' });
    await note.waitFor();
    const english = note.locator('[lang=en]');
    expect(await english.isVisible()).toBe(false);
    await note.getByText('Einzelheiten vom Dienst (englisch)').click();
    await english.waitFor();
  });

  it('W3: says how long the tier keeps results, and sends nothing that is longer', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/team?tab=settings', { locale: 'de-DE' });
    const field = page.getByLabel('So viele Tage werden Ergebnisse aufbewahrt');
    await page.getByText('0 bis 30 Tage in Ihrem Tarif.').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));
    await field.fill('99999');
    await page.getByRole('button', { name: 'Speichern' }).click();
    expect(await page.locator('input:invalid').count()).toBe(1);
    await field.fill('7');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert').waitFor();
    expect(sent).toHaveLength(1);
  });

  it.each([true, false])(
    'W4: loads other pages in advance only where data are not saved (%s)',
    async (saves) => {
      const { testKey } = await app.anAccount();
      const page = await browser.isolatedPage(app.url);
      await page.addInitScript(
        `Object.defineProperty(navigator, 'connection', { value: { saveData: ${saves} } })`,
      );
      await page.goto(`${app.url}/console#key=${testKey}`);
      await page.getByLabel('Email address').waitFor();
      const loaded = () =>
        page.evaluate<string>("performance.getEntriesByType('resource').map(({ name }) => name).join(' ')");
      // As idle as it was when the console looked, and longer.
      for (let n = 0; n < 20; n++) await page.evaluate('new Promise((done) => requestIdleCallback(done))');
      if (saves) expect(await loaded()).not.toMatch(/system-page|lists-page|command-menu/);
      else
        await untilTrue(
          page,
          "performance.getEntriesByType('resource').some(({ name }) => name.includes('system-page'))",
        );
    },
  );

  it('D11: numbers rows as the file does, whose names of columns stand in its third line', async () => {
    const { testKey } = await app.anAccount();
    const csv = 'Customers\n\nName,Email\nJane,jane@example.com\nJoe,joe@example.com\n';
    const sent = await sendList(app, testKey, csv, 'text/csv');
    const { id } = sent.body as { id: string };
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`);
    await page.getByRole('row', { name: /^4 jane@example.com/ }).waitFor();
    await page.getByRole('button', { name: 'joe@example.com' }).click();
    await page.getByRole('dialog', { name: 'No. 5' }).waitFor();
  });

  it('D15: offers the clean list first, and what was chosen last from then on', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com', 'null_mx@example.com']);
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`);
    const dialog = page.getByRole('dialog');
    const isChosen = (name: RegExp) => dialog.getByRole('button', { name, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await isChosen(/^Clean list/);
    await dialog.getByRole('button', { name: /^Everything/ }).click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download', exact: true }).click();
    await download;
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await isChosen(/^Everything/);
  });

  it('D17: calls the card of a domain otherwise than the step', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/');
    await page.getByLabel('Email address').fill('jane@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('About example.com', { exact: true }).waitFor();
    expect(await page.getByText('Domain and DNS').count()).toBe(1);
  });
});
