import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { aHeldJob, jobOf, previewOn, workOn } from '../../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../../support/browser/browser.js';
import { uploadList } from '../../../support/browser/lists.js';

const LIST = 'name;email\nA;no address\nB;jane@plain.invalid\nC;jane@plain.invalid\n';
const PHONE = { viewport: { width: 320, height: 640 } };

(hasBrowser ? describe : describe.skip)('a list in the console, before it is started', () => {
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

  const open = async (key: string, path = '/lists', options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await browser.page(app.url, options);
    await page.goto(`${app.url}/console${path}#key=${key}`);
    return page;
  };
  const choose = (page: Page, list: string) =>
    page.setInputFiles('input[type=file]', { name: 'people.csv', mimeType: '', buffer: Buffer.from(list) });
  const reserved = async (key: string) =>
    ((await app.get('/v1/usage', key)).body as { quota: { reserved: number } }).quota.reserved;
  const overflow = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  /** Waits for a line of the preview. */
  const line = (page: Page, name: string, value: string) =>
    page
      .getByRole('term')
      .filter({ hasText: name })
      .locator('+ dd')
      .getByText(value, { exact: true })
      .waitFor();
  /** As an installation with a payment provider. */
  const sellLists = (page: Page) =>
    page.route('**/v1/billing/plans', (route) =>
      route.fulfill({ json: { data: [{ tier: 'starter', features: ['bulk'] }] } }),
    );
  /** A held list with its preview. */
  const held = async (key: string, emails: readonly string[]): Promise<string> => {
    const { id } = await aHeldJob(app, key, emails);
    await previewOn(app);
    return id;
  };

  it('shows what it contains and costs, and is started by the keyboard with the most it costs on the button', async () => {
    const { liveKey } = await app.anAccount('starter');
    const page = await open(liveKey);
    await choose(page, LIST);
    await page.getByText('3 rows, at most 2 verifications.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await uploadList(page);
    await page.getByText('The list is being read.').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    await previewOn(app);
    await line(page, 'Costs at most', '2 verifications');
    await page.getByText('3 rows = 1 address + 1 again + 1 text that is no address').waitFor();
    await page.getByText('Line 2: 1 row has a text that is no address').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await reserved(liveKey)).toBe(0);
    await page.getByRole('link', { name: 'All lists' }).click();
    await page.getByText('Not started').waitFor();
    await page.getByRole('link', { name: 'Start or delete it' }).click();
    await page.getByRole('button', { name: 'Start: at most 2 verifications' }).press('Enter');
    await page.getByText('Waiting', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(await reserved(liveKey)).toBe(2);
    // The table has not kept what it showed before.
    await page.getByRole('link', { name: 'All lists' }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
  });

  it('waits for a decision in the table of lists once its page was left, and is deleted, in German at 320 px', async () => {
    const { liveKey } = await app.anAccount('starter');
    const page = await open(liveKey, '/lists', { locale: 'de-DE', ...PHONE });
    await choose(page, LIST);
    await page.getByText('3 Zeilen, höchstens 2 Prüfungen.').waitFor();
    expect(await overflow(page)).toBe(0);
    await uploadList(page, 'de');
    await previewOn(app);
    await page.getByText('Zeile 2: An der Stelle der Adresse steht ein anderer Text.').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole('link', { name: 'Alle Listen' }).click();
    const row = page.getByRole('row').filter({ hasText: 'people' });
    await row.getByText('Nicht gestartet').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await row.getByRole('link', { name: 'Starten oder löschen' }).click();
    await page.getByRole('button', { name: 'Starten: höchstens 2 Prüfungen' }).waitFor();
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.waitForURL(/\/lists$/);
    await page.getByText('„people“ wurde gelöscht.').waitFor();
    await row.waitFor({ state: 'detached' });
    const isDeleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('link', { name: 'Prüfen' }).click();
    await isDeleted;
    expect(((await app.get('/v1/bulk-jobs', liveKey)).body as { data: unknown[] }).data).toEqual([]);
  });

  it.each([
    ['en-GB', PHONE, 'The tier “free” has no lists', 'Available from the tier “starter”.', 'See the plan'],
    [
      'de-DE',
      {},
      'Der Tarif „free“ hat keine Listen',
      'Um sie zu starten, braucht das Team einen Tarif mit Listen.',
      'Zum Tarif',
    ],
  ])(
    'is looked at by a tier without lists, which is led to the plans: %s',
    async (locale, size, title, text, link) => {
      const { liveKey } = await app.anAccount('free');
      const page = await open(liveKey, '/lists', { locale, ...size });
      if (locale === 'en-GB') {
        await sellLists(page);
        await page.reload();
      }
      const plans = async () => {
        await page.getByText(title, { exact: true }).waitFor();
        await page.getByText(text).waitFor();
        expect(await page.getByRole('link', { name: link }).getAttribute('href')).toBe('/console/usage');
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
      };
      await plans();
      await choose(page, LIST);
      await uploadList(page, locale === 'de-DE' ? 'de' : 'en');
      await previewOn(app);
      await page.getByText(locale === 'de-DE' ? '1 noch einmal' : '1 again').waitFor();
      await plans();
      expect(await page.getByRole('button', { name: /^Start/ }).count()).toBe(0);
    },
  );

  it('is not offered to a suspended team', async () => {
    const page = await open((await app.anAccount('suspended')).liveKey);
    await page.getByText('The tier “suspended” has no lists').waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });

  it('counts mailboxes if each is verified once, and is verified so, also again', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey);
    await choose(page, 'email\ntimeout@gmail.com\nt.imeout+news@gmail.com\n');
    await page.getByLabel('Verify each mailbox once').check();
    const id = await uploadList(page);
    await previewOn(app);
    await page.getByText('2 rows = 1 mailbox + 1 again').waitFor();
    await line(page, 'Costs at most', '0 verifications (a test key is charged nothing)');
    await page.getByRole('button', { name: 'Start: costs nothing' }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
    expect(await jobOf(app, testKey, id)).toMatchObject({ unique_by: 'canonical', unique: 1 });
    await workOn(app);
    await page.getByRole('button', { name: 'Verify 2 unknown again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    const again = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await jobOf(app, testKey, again)).toMatchObject({ unique_by: 'canonical', unique: 1 });
  });

  it('stays held when its start is refused, and says why at the button in German', async () => {
    const { liveKey } = await app.anAccount('starter');
    const emails = Array.from({ length: 600 }, (_, n) => `u${n}@plain.invalid`);
    const [first, second] = [await held(liveKey, emails), await held(liveKey, emails)];
    await app.post(`/v1/bulk-jobs/${first}/start`, liveKey).expect(200);
    const page = await open(liveKey, `/lists/${second}`, { locale: 'de-DE', ...PHONE });
    const button = page.getByRole('button', { name: /^Starten: höchstens/ });
    const refusal = async (sentence: string) => {
      await button.click();
      await page.getByRole('alert').getByText(sentence).waitFor();
    };
    await refusal('Prüfung für jede der 600 Adressen, und heute sind 400 übrig.');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    for (const [status, code, sentence] of [
      [404, 'not_found', 'nicht innerhalb von 24 Stunden gestartet.'],
      [503, 'queue_full', 'Die Liste bleibt hier: Starten Sie sie später.'],
      [413, 'bulk_too_large', 'höchstens 1.000 Zeilen haben.'],
      [402, 'upgrade_required', 'Der Tarif „free“ hat keine Listen.'],
    ] as const) {
      const json = {
        code,
        title: 'English',
        detail: 'In English.',
        limit: 1_000,
        tier: 'free',
        feature: 'bulk',
      };
      await page.route('**/start', (route) => route.fulfill({ status, json }), { times: 1 });
      await refusal(sentence);
      expect(await page.getByText('In English.').count()).toBe(0);
    }
    expect(await jobOf(app, liveKey, second)).toMatchObject({ status: 'held' });
  });

  it('is not uploaded beside ten others that wait, and says so in German', async () => {
    const { testKey } = await app.anAccount();
    for (let n = 0; n < 9; n++) await aHeldJob(app, testKey, ['jane@example.com']);
    const page = await open(testKey, '/lists', { locale: 'de-DE' });
    await choose(page, LIST);
    // Somebody else uploads the tenth after the page was loaded.
    await page.getByText('9 von höchstens 10 Listen').waitFor();
    await aHeldJob(app, testKey, ['jane@example.com']);
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page
      .getByRole('alert')
      .getByText('Es dürfen höchstens 10 Listen auf ihren Start warten.')
      .waitFor();
  });

  it('that was started in another tab is started once', async () => {
    const { liveKey } = await app.anAccount('starter');
    const id = await held(liveKey, ['jane@plain.invalid']);
    const page = await open(liveKey, `/lists/${id}`);
    const button = page.getByRole('button', { name: 'Start: at most 1 verification', exact: true });
    await button.waitFor();
    await app.post(`/v1/bulk-jobs/${id}/start`, liveKey).expect(200);
    await button.click();
    await page.getByText('Waiting', { exact: true }).waitFor();
    expect(await reserved(liveKey)).toBe(1);
  });
});
