import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, workOn } from '../../support/app/bulk.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;
let page: Page;
let key: string;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const choose = (buffer: Buffer, name = 'people.csv') =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer });

/** Uploads the list and returns its results. */
async function verified(): Promise<unknown[]> {
  await page.getByRole('button', { name: 'Verify the list' }).click();
  await page.waitForURL(/\/lists\/job_/);
  await workOn(app);
  return resultsOf(app, key, new URL(page.url()).pathname.split('/').at(-1) ?? '');
}

(hasBrowser ? describe : describe.skip)('a file that is given to the console', () => {
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

  const open = async () => {
    ({ testKey: key } = await app.anAccount());
    page = await browser.page(app.url);
    await page.goto(`${app.url}/console/lists#key=${key}`);
    await page.getByText('Choose a file').waitFor();
  };

  it('may have a column and a name with spaces', async () => {
    await open();
    await choose(
      Buffer.from('Name,Work Email\nJane,jane@example.com\nX,ghost+mailbox_not_found@example.com\n'),
      'my list of customers.csv',
    );
    expect(await verified()).toMatchObject([
      { email: 'jane@example.com', ref: { Name: 'Jane' }, status: 'deliverable' },
      { reason: 'mailbox_not_found' },
    ]);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('my list of customers');
  });

  it('may have no header, also if its first address is bad', async () => {
    await open();
    await choose(Buffer.from('Jane;jane@@example\nJoe;joe@example.com\nAnn;ann@example.com\n'));
    expect(await page.getByLabel('The first row names the columns').isChecked()).toBe(false);
    const rows = await verified();
    expect(rows).toHaveLength(3);
    expect(rows).toMatchObject([
      { reason: 'invalid_syntax' },
      { email: 'joe@example.com' },
      { email: 'ann@example.com' },
    ]);
  });

  it('may be in Windows-1252, and shows its umlauts before the upload', async () => {
    await open();
    await choose(latin1('Name;email\nJ\u00fcrgen M\u00fcller;jane@example.com\n'));
    await page.getByRole('cell', { name: 'Jürgen Müller' }).waitFor();
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
    expect(await verified()).toMatchObject([{ ref: { Name: 'Jürgen Müller' } }]);
  });

  it('may be read in another encoding by choice', async () => {
    await open();
    // "Łódź" in Windows-1250.
    await choose(
      Buffer.concat([latin1('Name;email\n'), Buffer.from('a3f3649f', 'hex'), latin1(';jane@example.com\n')]),
    );
    await page.getByLabel('Encoding').selectOption('windows-1250');
    await page.getByRole('cell', { name: 'Łódź' }).waitFor();
    expect(await verified()).toMatchObject([{ ref: { Name: 'Łódź' } }]);
  });

  it('may begin with the line sep=;', async () => {
    await open();
    await choose(Buffer.from('sep=;\nName;email\nJane;jane@example.com\n'));
    await page.getByRole('columnheader', { name: 'Name' }).waitFor();
    expect(await verified()).toMatchObject([{ email: 'jane@example.com', ref: { Name: 'Jane' } }]);
  });

  it('may have 300 columns, but not more than 16 kB beside an address, and names line and column before the upload', async () => {
    await open();
    const names = ['email', 'Note', ...Array.from({ length: 298 }, (_, n) => `column ${n}`)];
    const row = (note: string) => ['jane@example.com', note, ...names.slice(2).map(() => 'some text')];
    const csv = (...notes: string[]) =>
      Buffer.from([names, ...notes.map(row)].map((cells) => cells.join(',')).join('\n'));
    await choose(csv('short', 'x'.repeat(20_000)));
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^Line 3: .* 16 kB.*“Note”/);
    expect(await page.getByRole('button', { name: 'Verify the list' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await choose(csv('short', 'x'.repeat(9_000)));
    expect(await verified()).toHaveLength(2);
  });
});
