import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { jobOf, resultsOf } from '../../../support/app/bulk.js';
import { hasBrowser, TestBrowser } from '../../../support/browser/browser.js';
import { verifyList } from '../../../support/browser/lists.js';
import { aTypedWorkbook, aWorkbookOf, hidingSheet } from '../../../support/browser/workbook.js';

let app: TestApp;
let browser: TestBrowser;
let page: Page;
let key: string;

const choose = (name: string, content: string | Buffer) =>
  page.setInputFiles('input[type=file]', { name, mimeType: '', buffer: Buffer.from(content) });
const cells = async () =>
  Promise.all(
    (await page.getByRole('group', { name: 'First rows' }).getByRole('row').all()).map((row) =>
      row.getByRole('cell').allInnerTexts(),
    ),
  );
const headOf = () =>
  page.getByRole('group', { name: 'First rows' }).getByRole('columnheader').allInnerTexts();

/** Uploads the list and returns its results. */
async function verified(): Promise<{ email: string; ref: unknown; status: string | null }[]> {
  return resultsOf(app, key, await verifyList(app, page));
}

const idOf = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';

(hasBrowser ? describe : describe.skip)('how the console reads a file', () => {
  beforeAll(async () => {
    app = await anApp();
    browser = await TestBrowser.start();
    ({ testKey: key } = await app.anAccount());
    page = await browser.page(app.url);
    await page.goto(`${app.url}/console#key=${key}`);
  }, 60_000);
  afterAll(async () => {
    expect(await browser.closePages()).toEqual([]);
    await browser.stop();
    await app.stop();
  });
  // All tests use one page: opening Lists again shows an empty form.
  beforeEach(async () => {
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByText('Choose a file').waitFor();
  });
  afterEach(async () => {
    await page.getByRole('link', { name: 'Verify' }).first().click();
    await page.getByLabel('Email address').waitFor();
    expect(browser.faults.splice(0)).toEqual([]);
  });

  it('promises what a list with empty cells and duplicates costs, and says what becomes of them', async () => {
    const rows = ['ann@example.com', '', 'ANN@example.com', ' ', 'ben@example.com'];
    await choose('a.csv', ['Name,email', ...rows.map((email, n) => `${n},${email}`)].join('\n'));
    await page.getByText('5 rows, at most 2 verifications.').waitFor();
    await page.getByText('2 rows have no address: they stay in the list, and cost nothing.').waitFor();
    await page.getByText('1 address occurs again, and is verified once.').waitFor();
    const results = await verified();
    expect(results.map(({ status }) => status)).toEqual([
      'deliverable',
      null,
      'deliverable',
      null,
      'deliverable',
    ]);
    expect(await jobOf(app, key, idOf())).toMatchObject({ total: 5, empty: 2, unique: 2, duplicates: 1 });
    await page.getByText('5 of 5 rows. 2 rows without an address. 1 duplicate.').waitFor();
    await page.getByRole('row').filter({ hasText: 'nothing to verify' }).first().waitFor();
    await page.getByRole('img', { name: 'By status' }).getByText('100%').waitFor();
  });

  it.each([false, true])(
    'uses the address in a cell with a name, and says how many (other columns kept: %s)',
    async (keeps) => {
      const people = [
        'Bruno Dünnwald <bruno@example.com>',
        'mailto:ann@example.com',
        'a@example.com ::: b@example.com',
        'cem@example.com',
      ];
      await choose('a.csv', ['id;Mail', ...people.map((cell, n) => `${n};${cell}`)].join('\n'));
      await page.getByText('2 cells are written like Name <address>: only the address is used.').waitFor();
      await page.getByText('1 cell has several addresses: the first one is used.').waitFor();
      await page.getByText('4 rows, at most 4 verifications.').waitFor();
      if (keeps) await page.getByLabel('Send only the addresses').check();
      const results = await verified();
      expect(results.map(({ email, status }) => [email, status])).toEqual(
        ['bruno', 'ann', 'a', 'cem'].map((name) => [`${name}@example.com`, 'deliverable']),
      );
      if (!keeps) expect(results[0]?.ref).toEqual({ id: '0', Mail: people[0] });
    },
  );

  it('takes a text file as one address a line, with commas and names', async () => {
    const lines = [
      'Bruno Dünnwald <bruno@example.com>',
      'name@gmx,de',
      '"Doe, Jane" <jane@example.com>',
      'ann@example.com',
    ];
    await choose('a.txt', lines.join('\r\n'));
    await page.getByText('4 rows, at most 4 verifications.').waitFor();
    expect(await headOf()).toHaveLength(1);
    const results = await verified();
    expect(results.map(({ email }) => email)).toEqual([
      'bruno@example.com',
      'name@gmx,de',
      'jane@example.com',
      'ann@example.com',
    ]);
  });

  it('takes names with commas where addresses are pasted, as mail programs copy them', async () => {
    await page.getByText('Or paste addresses').click();
    await page
      .getByLabel('Addresses, separated by lines, commas or spaces')
      .fill(
        '"Tannhof, Bruno" <bruno@example.com>; ann@example.com, Doe, Jane <mailto:jane@example.com>\nmailto:cem@example.com "x@y',
      );
    await page.getByRole('button', { name: 'Continue' }).click();
    const results = await verified();
    expect(results.map(({ email }) => email)).toEqual([
      'bruno@example.com',
      'ann@example.com',
      'jane@example.com',
      'cem@example.com',
      '"x@y',
    ]);
  });

  it('takes the name off an address in the field of Verify', async () => {
    await page.getByRole('link', { name: 'Verify' }).first().click();
    await page.getByLabel('Email address').fill('Jane Doe <jane@example.com>');
    await page.getByLabel('Email address').press('Enter');
    await page.getByText('Deliverable').first().waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('jane@example.com');
  });

  it.each([
    ['a.csv', 'Kunden Nord\n\nStand;heute\nName;Kontakt\nJane;jane@example.com\n'],
    [
      'a.xlsx',
      aWorkbookOf({
        A: [
          ['Kunden Nord', ''],
          ['', ''],
          ['Stand', 'heute'],
          ['Name', 'Kontakt'],
          ['Jane', 'jane@example.com'],
        ],
      }),
    ],
  ])('lets the row with the names of the columns be chosen by its number: %s', async (name, file) => {
    await choose(name, file);
    const row = page.getByLabel('Column names are in row');
    await row.fill('4');
    await page.getByRole('columnheader', { name: 'Kontakt' }).waitFor();
    expect(await row.inputValue()).toBe('4');
    await page.getByText('1 row, at most 1 verification.').waitFor();
    await row.fill('90');
    await page.getByRole('alert').filter({ hasText: 'The file has no rows.' }).waitFor();
    await row.fill('4');
    await page.getByText('1 row, at most 1 verification.').waitFor();
    expect(await verified()).toMatchObject([{ email: 'jane@example.com', ref: { Name: 'Jane' } }]);
  });

  it('shows each column with addresses, and another one can be chosen', async () => {
    const list =
      'Name,E-mail 1 - Value,E-mail 2 - Value\nA,a@example.com,\nB,b@example.com,c@example.com\nD,,d@example.com\n';
    await choose('google.csv', list);
    await page.getByText('Addresses are also in: E-mail 2 - Value.').waitFor();
    const select = page.getByLabel('Column with the addresses');
    expect(await select.getByRole('option').allInnerTexts()).toEqual([
      'Name',
      'E-mail 1 - Value · 2 addresses in the first rows',
      'E-mail 2 - Value · 2 addresses in the first rows',
    ]);
    await select.selectOption({ index: 2 });
    await page.getByText('Addresses are also in: E-mail 1 - Value.').waitFor();
    expect((await verified()).map(({ email }) => email)).toEqual(['', 'c@example.com', 'd@example.com']);
  });

  it.each([
    ['a.vcf', 'BEGIN:VCARD\nVERSION:3.0\nEMAIL:a@example.com\nEND:VCARD\n', 'These are contacts as a vCard.'],
    ['a.json', '[{"email": "a@example.com"}]', 'This is JSON'],
    ['a.csv', '{"emails":["a@example.com"]}', 'This is JSON'],
  ])('says what to do with %s', async (name, text, sentence) => {
    await choose(name, text);
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  });

  it('says that a list is open when another file is dropped', async () => {
    await choose('a.csv', 'email\na@example.com\n');
    await page.getByText('1 row, at most').waitFor();
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['email\\nb@example.com'], 'b.csv'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await page.getByRole('status').filter({ hasText: 'This list is open' }).waitFor();
  });

  it('reads dates, numbers and truth values of a workbook as they are, and no hidden sheet', async () => {
    const at = (iso: string) => new Date(iso);
    const file = await aTypedWorkbook(
      ['Mail', 'Born', 'Paid', 'Sum', 'Member', 'ZIP'],
      [
        ['a@example.com', at('2021-08-21T00:00:00Z'), at('2026-09-01T15:15:00Z'), 5125.09, true, '01067'],
        ['b@example.com', at('1999-12-31T00:00:00Z'), at('2026-09-01T15:14:59.999Z'), 49.5, false, '53113'],
      ],
    );
    await choose('a.xlsx', file);
    await page.getByText('2 rows, at most').waitFor();
    expect((await cells()).slice(1)).toEqual([
      ['a@example.com', '2021-08-21', '2026-09-01 15:15:00', '5125.09', 'TRUE', '01067'],
      ['b@example.com', '1999-12-31', '2026-09-01 15:15:00', '49.5', 'FALSE', '53113'],
    ]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const sheets = {
      People: [['Mail'], ['jane@example.com']],
      _hidden: [['Mail'], ['x@example.com'], ['y@example.com']],
      More: [['x']],
    };
    await choose('b.xlsx', hidingSheet(aWorkbookOf(sheets), '_hidden'));
    await page.getByText('1 row, at most 1 verification.').waitFor();
    expect(await page.getByLabel('Sheet').getByRole('option').allInnerTexts()).toEqual(['People', 'More']);
  });
});
