import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { PROVIDER_EVENTS } from '../../support/outcomes/provider-events.js';

const PHONE = { width: 390, height: 844 };
const NOW = '2026-11-20T12:00:00Z';
const BOUNCE = {
  email: 'ghost@example.com',
  outcome: 'bounced',
  at: '2026-11-16T10:00:00Z',
  reply: '550 5.1.1 <b>no</b> such user',
};

let app: TestApp;
/** The first team is that of the operator. */
let operator: NewAccount;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('outcomes in the console', () => {
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
    operator = await app.anAccount();
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
  const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

  it('come from providers, which are added with a URL that is shown once, and deleted', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/outcomes', { viewport: PHONE });
    const sources = page.getByRole('region', { name: 'Mail providers' });
    await sources.getByText('No provider yet').waitFor();
    // V11
    expect(await page.title()).toBe('Outcomes · Rcpt');
    await sources.getByRole('button', { name: 'Add a provider' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await dialog.getByLabel('Provider').selectOption('Resend');
    await dialog.getByLabel('Signing secret').fill('no prefix');
    await dialog.getByRole('button', { name: 'Add a provider' }).click();
    const secret = dialog.getByLabel('Signing secret');
    await secret.and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Provider').selectOption('Postmark');
    await dialog.getByText('Webhooks of the message stream').waitFor();
    const found = await accessibilityViolations(page);
    await dialog.getByLabel(/^User and password.*\(optional\)$/).fill('hook:s3cret');
    await dialog.getByRole('button', { name: 'Add a provider' }).click();
    await dialog.getByText('shown only once').waitFor();
    const url = (await dialog.getByLabel('URL for the provider', { exact: true }).textContent()) ?? '';
    found.push(...(await accessibilityViolations(page)));
    expect([found, await widthOf(page)]).toEqual([[], PHONE.width]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await sources.getByRole('cell', { name: 'Postmark', exact: true }).waitFor();
    await sources.getByRole('cell', { name: 'nothing in 30 days' }).waitFor();
    expect(await page.content()).not.toContain('rcpt_src_');

    const send = () =>
      fetch(app.url + new URL(url).pathname, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('hook:s3cret')}` },
        body: JSON.stringify(PROVIDER_EVENTS.postmark[0]),
      });
    expect(await (await send()).json()).toMatchObject({ stored: 1 });
    await page.reload();
    await sources.getByRole('cell', { name: 'Bounced', exact: true }).waitFor();
    expect(await widthOf(page)).toBe(PHONE.width);
    await sources.getByRole('button', { name: 'Delete' }).click();
    expect(await dialog.innerText()).toContain('Delete the source Postmark?');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await sources.getByText('No provider yet').waitFor();
    expect((await send()).status).toBe(404);
  });

  it('are shown as evidence of a verdict, with the reply as text', async () => {
    const { liveKey } = await app.anAccount();
    await app.post('/v1/outcomes', liveKey).send(BOUNCE).expect(200);
    const page = await open(liveKey, '');
    await page.getByLabel('Email address').fill(BOUNCE.email);
    await page.keyboard.press('Enter');
    const evidence = page.getByRole('region', { name: 'How this was found' });
    const step = evidence.getByRole('listitem').filter({ hasText: 'Your mails' });
    await step.waitFor();
    expect(await step.innerText()).toMatch(/came back on 16 Nov 2026\.\s+550 5\.1\.1 <b>no<\/b> such user/);
    expect(await step.getAttribute('data-outcome')).toBe('bad');
    await page
      .getByText('A mail to this address came back: there is no such mailbox.', { exact: true })
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('are shown in the panel of a row', async () => {
    const { liveKey } = await app.anAccount();
    await app.post('/v1/outcomes', liveKey).send(BOUNCE).expect(200);
    const job = await aBulkJob(app, liveKey, [BOUNCE.email]);
    await workOn(app);
    const page = await open(liveKey, `/lists/${job.id}`);
    await page.getByRole('button', { name: BOUNCE.email }).click();
    await page.getByRole('dialog').getByText('A mail to it came back on 16 Nov 2026.').waitFor();
  });

  it('are counted, and shown by reason and provider with their intervals', async () => {
    const { liveKey, team } = await app.anAccount();
    const page = await open(liveKey, '/outcomes', { viewport: PHONE });
    const card = page.getByRole('region', { name: 'What came in' });
    await card.getByText('Nothing came in').waitFor();
    const at = '2026-11-01T00:00:00Z';
    const outcomes = Array.from({ length: 200 }, (_, n) => ({
      ...(n < 10 ? BOUNCE : { outcome: 'delivered' }),
      email: `a${n}@example.com`,
      at,
    }));
    await app.post('/v1/outcomes', liveKey).send({ outcomes }).expect(200);
    const found = `UPDATE outcomes SET reason = 'accepted_email', provider = 'google', estimate = 0.9 WHERE team_id = $1`;
    await app.service.app.get(DataSource).query(found, [team.id]);
    await page.reload();
    await card.getByRole('row', { name: /Accepted\s+Google\s+0\s+190\s+10\s+0\s+5%/ }).waitFor();
    expect(await card.locator('dl').innerText()).toMatch(/Delivered\s+190\s+Bounced\s+10\s+Complaints\s+0/);
    const chart = card.getByRole('img', { name: 'Share that bounced, with a 90 % interval' });
    expect(await chart.innerText()).toMatch(/Accepted · Google.*0%.*10%/s);
    expect(await chart.locator('svg').count()).toBe(1);
    await card.getByText('The estimates given before 200 outcomes').waitFor();
    expect([await accessibilityViolations(page), await widthOf(page)]).toEqual([[], PHONE.width]);
    await card.getByLabel('Period').selectOption('The last 7 days');
    await card.getByText('Nothing came in').waitFor();
  });

  it('say that the share is not known where only bounces came', async () => {
    const { liveKey, team } = await app.anAccount();
    await app.post('/v1/outcomes', liveKey).send(BOUNCE).expect(200);
    const found = `UPDATE outcomes SET reason = 'accepted_email', provider = 'google' WHERE team_id = $1`;
    await app.service.app.get(DataSource).query(found, [team.id]);
    const page = await open(liveKey, '/outcomes', { viewport: PHONE });
    const card = page.getByRole('region', { name: 'What came in' });
    await card.getByRole('row', { name: /Accepted\s+Google.*not known: bounces only/ }).waitFor();
    await card.getByText('Report deliveries too').waitFor();
    expect(await card.getByRole('img').count()).toBe(0);
    expect([await accessibilityViolations(page), await widthOf(page)]).toEqual([[], PHONE.width]);
  });

  it('give an estimate, which is shown with the verdict', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '');
    await page.route(/\/v1\/verify$/, async (route) => {
      const response = await route.fetch();
      const estimate = { deliverable: 0.93, low: 0.88, high: 0.97, basis: 'domain', outcomes: 214 };
      await route.fulfill({ response, json: { ...((await response.json()) as object), estimate } });
    });
    await page.getByLabel('Email address').fill('nobody@plain.mailworld');
    await page.keyboard.press('Enter');
    await page.getByText('about 93% arrive (88% to 97%)').waitFor();
  });

  it('are explained in German, and cannot be changed with a test key', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/outcomes', { locale: 'de-DE', viewport: PHONE });
    await page.getByRole('heading', { name: 'Zustellung', level: 1 }).waitFor();
    await page.getByText('Zum Anlegen und Löschen ist ein Live-Schlüssel nötig.').waitFor();
    await page.getByText('Noch kein Versanddienst').waitFor();
    expect(await page.getByRole('button', { name: 'Versanddienst anlegen' }).count()).toBe(0);
  });

  it('have a place in the menu of a phone, also for operators and in German', async () => {
    const page = await open(operator.liveKey, '/outcomes', { locale: 'de-DE', viewport: PHONE });
    const more = page.getByRole('navigation').getByRole('button', { name: 'Mehr' });
    const isInside = async (place: Locator) => {
      const { x, y, width, height } = (await place.boundingBox())!;
      expect([x >= 0, y >= 0, x + width <= PHONE.width, y + height <= PHONE.height]).toEqual(
        Array<boolean>(4).fill(true),
      );
    };
    await isInside(more);
    await more.click();
    await page.getByRole('menuitem', { name: 'Zustellung' }).waitFor();
    await isInside(page.getByRole('menu'));
    await page.getByRole('menuitem', { name: 'System' }).click();
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });
});
