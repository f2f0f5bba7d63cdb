import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

const PHONE = { viewport: { width: 390, height: 844 } };
/** A window of 1280 × 720 at 400 %. */
const ZOOMED = { viewport: { width: 320, height: 225 } };

let app: TestApp;
/** The first team. */
let operator: string;
let browser: TestBrowser;

async function open(key: string, path = '', options = {}, menu = 'Menu'): Promise<Page> {
  const page = await browser.page(app.url, options);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  await page.getByRole('button', { name: menu }).waitFor();
  return page;
}

/** Of the first element that matches, once there is one. */
async function styleOf(page: Page, selector: string, name: string): Promise<string> {
  await page.locator(selector).first().waitFor({ state: 'attached' });
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`,
  );
}

/** Drops files on an element. @returns whether the browser would open them, and leave the console. */
const drop = (page: Page, selector: string, ...names: string[]) =>
  page.evaluate<boolean>(`(() => {
    const dataTransfer = new DataTransfer();
    for (const name of ${JSON.stringify(names)})
      dataTransfer.items.add(new File(['email\\njane@example.com\\n'], name, { type: 'text/csv' }));
    const target = document.querySelector(${JSON.stringify(selector)});
    const fire = (type) =>
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return fire('dragover') || fire('drop');
  })()`);

(hasBrowser ? describe : describe.skip)('the look of the console', () => {
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

  it('L19, L20: reads a file that is dropped anywhere, and says that others wait', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/lists');
    await page.getByText('Choose a file').waitFor();
    expect(await drop(page, 'header', 'one.csv')).toBe(false);
    await page.getByText('jane@example.com').waitFor();
    expect(await page.getByText('One file at a time').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await drop(page, 'header', 'one.csv', 'two.csv')).toBe(false);
    await page.getByText('One file at a time').waitFor();
  });

  it('L21: gives no estimate while no row is verified', async () => {
    const { testKey } = await app.anAccount();
    const job = await aBulkJob(app, testKey, ['jane@example.com', 'joe@example.com']);
    const page = await browser.isolatedPage(app.url);
    await page.clock.install();
    const running = { ...job, status: 'running', processed: 1, eta_seconds: 6 };
    await page.route(/\/v1\/bulk-jobs\/job_[^/]*$/, (route) => route.fulfill({ json: running }));
    await page.route(/\/events$/, (route) => route.fulfill({ status: 404, json: {} }));
    await page.goto(`${app.url}/console/lists/${job.id}#key=${testKey}`);
    const estimate = page.getByText(/about .* left/);
    await estimate.waitFor();
    await page.clock.fastForward(11_000);
    await estimate.waitFor({ state: 'detached' });
  });

  it('L18: keys and names of actions stay on one line on a phone', async () => {
    const lines = (page: Page, selector: string) =>
      page.evaluate<number[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      })`);
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/keys', PHONE);
    await page.getByRole('cell', { name: /^first test key/ }).waitFor();
    expect(await lines(page, 'td code')).toEqual([1, 1]);
    await page.goto(`${app.url}/console/team?tab=audit`);
    await page.getByRole('button', { name: 'created the account of' }).waitFor();
    expect(new Set(await lines(page, 'td button, td code'))).toEqual(new Set([1]));
  });

  it('moves dialogs and menus for less than 180 ms, and nothing for who wants no motion', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/keys');
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion });
      const seconds = async (selector: string) => {
        const isStill = (await styleOf(page, selector, 'animationName')) === 'none';
        return isStill ? 0 : Number.parseFloat(await styleOf(page, selector, 'animationDuration'));
      };
      await page.getByRole('button', { name: 'Team: ' }).click();
      const menu = await seconds('[role=menu]:popover-open');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Create a key' }).click();
      const dialog = await seconds('dialog');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      if (reducedMotion === 'reduce') expect([menu, dialog]).toEqual([0, 0]);
      else
        for (const time of [menu, dialog]) {
          expect(time).toBeGreaterThan(0.1);
          expect(time).toBeLessThan(0.18);
        }
    }
  });

  it('V4: a part that no verdict has used yet is not called ok', async () => {
    const page = await open(operator);
    const parts = ['postgres', 'dns', 'mail_servers'].map((name) => ({ name, status: 'ok', reason: null }));
    let total = 0;
    await page.route(/\/v1\/admin\/system$/, async (route) => {
      const response = await app.get('/v1/admin/system', operator);
      const body = response.body as { verdicts: object };
      await route.fulfill({ json: { ...body, parts, verdicts: { ...body.verdicts, total } } });
    });
    await page.getByRole('link', { name: 'System' }).click();
    const health = page.getByRole('region', { name: 'Health' });
    const states = async () =>
      (await health.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]);
    await health.waitFor();
    expect(await states()).toEqual(['Ok', 'Not tested yet', 'Not tested yet']);
    total = 1;
    await page.reload();
    await health.waitFor();
    expect(await states()).toEqual(['Ok', 'Ok', 'Ok']);
  });

  it('says why requests wait for a session with a mail provider', async () => {
    const page = await open(operator);
    const google = { provider: 'google', egress: 'direct', limit: 5, used: 5, waiting: 7 };
    await page.route(/\/v1\/admin\/system$/, async (route) => {
      const { body } = (await app.get('/v1/admin/system', operator)) as { body: object };
      const providers = [
        { ...google, blocked_by: 'provider', reason: 'a sentence' },
        { ...google, provider: 'yahoo', waiting: 0, blocked_by: null, reason: null },
        { ...google, provider: 'other', blocked_by: 'opening', reason: 'a sentence' },
      ];
      await route.fulfill({ json: { ...body, providers } });
    });
    await page.getByRole('link', { name: 'System' }).click();
    const table = page.getByRole('group', { name: 'Sessions with mail providers' });
    await table.waitFor();
    const reasons = await table.locator('tbody tr td:last-child').allInnerTexts();
    expect(reasons).toEqual([
      'All sessions that the provider allows are in use.',
      '–',
      'A connection is being opened for each of them: the mail server has not greeted yet.',
    ]);
    // Each row that waits leads to what its limit is.
    expect(await table.getByRole('link').count()).toBe(2);
  });

  it('V8: the error of a field is shown once', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/team?tab=disposable');
    await page.getByLabel('Domain', { exact: true }).fill('not a domain');
    await page.getByRole('button', { name: 'Add override' }).click();
    const field = page.getByLabel('Domain', { exact: true });
    await field.and(page.locator('[aria-invalid=true]')).waitFor();
    const id = (await field.getAttribute('aria-describedby'))?.split(' ').at(-1);
    const message = await page.locator(`[id="${id}"]`).innerText();
    expect(message).toMatch(/domain/i);
    expect(message).not.toContain('/domain');
    expect(await page.getByText(message, { exact: true }).count()).toBe(1);
  });

  it('V7, V10: says in words when the quota starts again, once, in the language of the page', async () => {
    const { liveKey } = await app.anAccount('free');
    for (let call = 0; call < 4; call++)
      await app
        .post('/v1/verify', liveKey)
        .send({ emails: Array.from({ length: 25 }, (_, n) => `no address ${call} ${n}`) })
        .expect(200);
    for (const [locale, field, retry, title, words] of [
      ['en-GB', 'Email address', 'Try again', 'The daily quota is exceeded', 'The quota starts again at'],
      [
        'de-DE',
        'E-Mail-Adresse',
        'Noch einmal versuchen',
        'Das Tageskontingent ist aufgebraucht',
        'Das Kontingent beginnt um',
      ],
    ] as const) {
      // The rate of the tier allows ten requests at once, and the first page sends several.
      app.clock.advance(10_000);
      const page = await browser.page(app.url, { locale });
      await page.goto(`${app.url}/console#key=${liveKey}`);
      await page.getByLabel(field).fill('jane@example.com');
      await page.keyboard.press('Enter');
      const alert = page.getByRole('alert');
      await alert.getByText(words).waitFor();
      const lines = (await alert.innerText()).split('\n').filter((line) => line !== '');
      expect(lines).toEqual([
        title,
        expect.stringMatching(new RegExp(`^${words} 00:00 UTC.*\\b\\d{1,3} (s|min|h|Std\\.)`)),
        expect.stringContaining('-'),
        retry,
      ]);
      expect(await alert.getByRole('button', { name: retry }).isDisabled()).toBe(true);
    }
  });

  it('V10: has German names of reasons and statuses on the page of a list', async () => {
    const { testKey } = await app.anAccount();
    const emails = ['mailbox_not_found@example.com', 'catch_all@example.com'];
    const job = await aBulkJob(app, testKey, emails);
    await workOn(app);
    const page = await open(testKey, `/lists/${job.id}`, { locale: 'de-DE' }, 'Menü');
    await page.getByText('Kein solches Postfach').first().waitFor();
    await page.getByText('Nimmt jede Adresse an').first().waitFor();
    const text = (await page.locator('main').innerText()).replaceAll(/\S+@example\.com/g, '');
    expect(text).not.toMatch(/mailbox_not_found|mailbox not found|catch_all|catch all|undeliverable|risky/i);
  });

  it('V23: a request that takes long says for how long, and can be canceled', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey);
    await page.route(/\/v1\/verify$/, () => undefined);
    await page.getByLabel('Email address').fill('jane@example.com');
    await page.keyboard.press('Enter');
    await page.getByText(/^[2-9] s$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'mailbox_not_found@example.com' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('V25, V27: leaves the window to the page at 400 %, and a phone at its size', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '', ZOOMED);
    expect(await styleOf(page, 'header', 'position')).toBe('static');
    expect(await styleOf(page, 'nav', 'position')).toBe('static');
    const wide = `[...document.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > 320)
      .map((element) => element.outerHTML.slice(0, 100))`;
    expect(await page.evaluate(wide)).toEqual([]);
    await page.setViewportSize(PHONE.viewport);
    expect(await styleOf(page, 'nav', 'position')).toBe('fixed');
    // Safari zooms into fields with smaller text.
    expect(Number.parseFloat(await styleOf(page, '#address', 'fontSize'))).toBeGreaterThanOrEqual(16);
  });

  it('V26: marks the page and the tab that are shown, also in forced colours', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/team', { forcedColors: 'active' });
    await page.getByRole('tab', { selected: true }).waitFor();
    const outline = (current: boolean) =>
      styleOf(page, `nav a${current ? '[aria-current=page]' : ':not([aria-current])'}`, 'outlineStyle');
    expect([await outline(true), await outline(false)]).toEqual(['solid', 'none']);
    const border = (selected: boolean) =>
      styleOf(page, `[role=tab][aria-selected=${selected}]`, 'borderBottomColor');
    expect(await border(true)).not.toBe(await border(false));
  });
});
