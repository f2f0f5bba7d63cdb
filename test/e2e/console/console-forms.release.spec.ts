import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import {
  accessibilityViolations,
  accessibleElement,
  hasBrowser,
  TestBrowser,
} from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;
let liveKey: string;

async function open(path: string, locale = 'en-GB'): Promise<Page> {
  const page = await browser.page(app.url, { locale });
  await page.goto(`${app.url}/console${path}#key=${liveKey}`);
  return page;
}

/** The label of the field that has the focus, and what assistive technology reads with it. */
async function wrongField(page: Page): Promise<unknown[]> {
  await page.locator('[aria-invalid=true]:focus').waitFor();
  const label = await page.evaluate<string>('document.activeElement.labels[0].textContent');
  const { description, properties } = await accessibleElement(page, '[aria-invalid=true]');
  return [label, description, properties.invalid];
}

(hasBrowser ? describe : describe.skip)('the forms of the console', () => {
  beforeAll(async () => {
    app = await anApp();
    browser = await TestBrowser.start();
    ({ liveKey } = await app.anAccount());
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('make origins of names of hosts and of URLs of pages', async () => {
    const page = await open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('sign-up form');
    await page.getByLabel('Kind').selectOption('publishable');
    const origins = page.getByLabel('Origins of the pages');
    await origins.fill(
      'www.example.com\nhttps://shop.example/join?from=mail https://shop.example\nlocalhost:3000',
    );
    await page.keyboard.press('Tab');
    expect(await origins.inputValue()).toBe(
      'https://www.example.com\nhttps://shop.example\nhttp://localhost:3000',
    );
  });

  it.each([
    [
      'en-GB',
      ['Create a key', 'Name', 'Kind', 'Origins of the pages, one a line'],
      'Line 2: Enter the origin of a page, such as https://www.example.com; http is for localhost.',
    ],
    [
      'de-DE',
      ['Schlüssel anlegen', 'Name', 'Verwendung', 'Origins der Seiten, eine je Zeile'],
      'Zeile 2: Geben Sie den Ursprung einer Seite ein, etwa https://www.example.com; http nur für localhost.',
    ],
  ])('show an error at its field, in the language of the reader (%s)', async (locale, words, message) => {
    const [create = '', name = '', kind = '', origins = ''] = words;
    const page = await open('/keys', locale);
    await page.getByRole('button', { name: create }).click();
    await page.getByLabel(name, { exact: true }).fill('sign-up form');
    await page.getByLabel(kind, { exact: true }).selectOption('publishable');
    await page.getByLabel(origins).fill('https://www.example.com\nftp://files.example');
    await page.getByRole('dialog').getByRole('button', { name: create }).click();
    expect(await wrongField(page)).toEqual([origins, message, 'true']);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel(origins).fill('https://www.example.com');
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });

  it.each([
    [
      'en-GB',
      ['Create a key', 'Name', 'only this:', 'verify lists', 'Only from these networks, one a line', 'Close'],
      'Line 2: The address has bits after the prefix. Send 192.0.2.0/24, or end a single address in /32, or in /128 for IPv6.',
      ['Only: verify lists', 'Only from 2001:db8::/32, 192.0.2.0/24'],
    ],
    [
      'de-DE',
      [
        'Schlüssel anlegen',
        'Name',
        'nur dies:',
        'Listen prüfen',
        'Nur aus diesen Netzen, eines je Zeile',
        'Schließen',
      ],
      'Zeile 2: Geben Sie ein Netz ohne Bits nach dem Präfix ein, etwa 192.0.2.0/24 oder 2001:db8::/32; eine einzelne Adresse endet auf /32, bei IPv6 auf /128.',
      ['Nur: Listen prüfen', 'Nur aus 2001:db8::/32, 192.0.2.0/24'],
    ],
  ])(
    'limit a key to scopes and networks, which the table shows in words (%s)',
    async (locale, words, message, shown) => {
      const [create = '', name = '', some = '', scope = '', networks = '', close = ''] = words;
      const page = await open('/keys', locale);
      await page.getByRole('button', { name: create }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(name, { exact: true }).fill(`import ${locale}`);
      await dialog.getByLabel(some).check();
      await dialog.getByLabel(scope, { exact: true }).check();
      await dialog.getByLabel(networks).fill('2001:DB8::/32\n192.0.2.7/24');
      await dialog.getByRole('button', { name: create }).click();
      expect((await wrongField(page))[1]).toBe(message);
      expect(await accessibilityViolations(page)).toEqual([]);
      await dialog.getByLabel(networks).fill('2001:DB8::/32, 192.0.2.0/24');
      await dialog.getByRole('button', { name: create }).click();
      await dialog.getByRole('button', { name: close }).click();
      const row = page.getByRole('row').filter({ hasText: `import ${locale}` });
      for (const text of shown) await row.getByText(text).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );

  it.each([
    ['en-GB', 'At most 30 days on your plan.', 'Save'],
    ['de-DE', 'Höchstens 30 Tage in Ihrem Tarif.', 'Speichern'],
  ])('name the limit of the plan (%s)', async (locale, message, save) => {
    const page = await open('/team', locale);
    const days = page.locator('input[type=number]');
    await days.fill('366');
    // The plan has become smaller since the page was loaded.
    await page.evaluate("document.querySelector('input[type=number]').removeAttribute('max')");
    await page.getByRole('button', { name: save, exact: true }).click();
    expect((await wrongField(page))[1]).toContain(message);
  });

  it('say once what is wrong with several domains, and keep these in the field', async () => {
    const page = await open('/team?tab=blocklist');
    const domains = page.getByLabel('Domains, one a line');
    await domains.fill('good.example\nbad_domain..example\nother..example');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    expect((await wrongField(page))[1]).toMatch(/^bad_domain\.\.example, other\.\.example: [^:]+$/);
    expect(await domains.inputValue()).toBe('bad_domain..example\nother..example');
  });

  it('give the HTML of a form that waits for the verdict, with a try-out', async () => {
    const page = await open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('sign-up form');
    await page.getByLabel('Kind').selectOption('publishable');
    await page.getByLabel('Origins of the pages').fill('www.example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    const html = await page.getByLabel('HTML of a form', { exact: true }).innerText();
    for (const part of [
      `${app.url}/rcpt.js`,
      'data-rcpt-wait="1000"',
      'autocomplete="email"',
      '<label for="email">',
    ])
      expect(html).toContain(part);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address of a visitor').fill('jane@localhost.invalid');
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await dialog.getByText('The form is not sent: This address cannot receive email.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('refuse the URL of a webhook at its field', async () => {
    const page = await open('/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL').fill('https://user:password@hooks.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add an endpoint' }).click();
    expect(await wrongField(page)).toEqual([
      'URL',
      'Send a URL without user and password. The signature authenticates the sender.',
      'true',
    ]);
  });
});
