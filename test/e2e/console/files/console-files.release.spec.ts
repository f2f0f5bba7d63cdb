import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { resultsOf } from '../../../support/app/bulk.js';
import { hasBrowser, TestBrowser } from '../../../support/browser/browser.js';
import { verifyList } from '../../../support/browser/lists.js';
import { aWorkbook, aWorkbookOf } from '../../../support/browser/workbook.js';

let app: TestApp;
let browser: TestBrowser;
let page: Page;
let key: string;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const choose = (buffer: Buffer, name = 'people.csv') =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer });

/** Uploads the list and returns its results. */
async function verified(): Promise<unknown[]> {
  return resultsOf(app, key, await verifyList(app, page));
}

(hasBrowser ? describe : describe.skip)('a file that is given to the console', () => {
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

  it('may have a column and a name with spaces', async () => {
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

  it('may be a few pasted addresses', async () => {
    await page.getByText('Or paste addresses').click();
    await page
      .getByLabel('Addresses, separated by lines, commas or spaces')
      .fill('Jane <jane@example.com>, ghost+mailbox_not_found@example.com;\njoe@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    const found = await verified();
    expect(found).toMatchObject([
      { email: 'jane@example.com' },
      { reason: 'mailbox_not_found' },
      { email: 'joe@example.com' },
    ]);
    expect(found).toHaveLength(3);
  });

  it('L10: of a workbook, the sheet with the most addresses is chosen, and another one can be', async () => {
    const cover = [['Report'], ['Made for the board, ask info@example.com']];
    const people = [
      ['Name', 'Mail'],
      ['Jane', 'jane@example.com'],
      ['Joe', 'joe@example.com'],
    ];
    const former = [['Mail'], ['ann@example.com']];
    const numbers = [
      ['Year', 'Sum'],
      ['2029', '12'],
      ['2030', '14'],
    ];
    await choose(aWorkbookOf({ Cover: cover, People: people, Former: former, Numbers: numbers }), 'all.xlsx');
    await page.getByText('2 rows, at most 2 verifications.').waitFor();
    const sheet = page.getByLabel('Sheet');
    expect(await sheet.inputValue()).toBe('People');
    expect(await sheet.getByRole('option').allInnerTexts()).toEqual(['Cover', 'People', 'Former', 'Numbers']);
    const start = page.getByRole('button', { name: 'Continue' });
    await sheet.selectOption('Numbers');
    await page
      .getByRole('alert')
      .filter({ hasText: 'No column looks like addresses. Choose one.' })
      .waitFor();
    expect(await page.getByText('Reading the file').count()).toBe(0);
    expect(await start.isDisabled()).toBe(true);
    await page.getByLabel('Column with the addresses').selectOption('Year');
    await page.getByText('Choose one.').waitFor({ state: 'detached' });
    await sheet.selectOption('Former');
    await page.getByText('1 row, at most 1 verification.').waitFor();
    expect(await verified()).toMatchObject([{ email: 'ann@example.com' }]);
  });

  it('may have no header, also if its first address is bad', async () => {
    await choose(Buffer.from('Jane;jane@@example\nJoe;joe@example.com\nAnn;ann@example.com\n'));
    expect(await page.getByLabel('A row names the columns').isChecked()).toBe(false);
    const rows = await verified();
    expect(rows).toHaveLength(3);
    expect(rows).toMatchObject([
      { reason: 'invalid_syntax' },
      { email: 'joe@example.com' },
      { email: 'ann@example.com' },
    ]);
  });

  it('may be in Windows-1252, and shows its umlauts before the upload', async () => {
    await choose(latin1('Name;email\nJ\u00fcrgen M\u00fcller;jane@example.com\n'));
    await page.getByRole('cell', { name: 'Jürgen Müller' }).waitFor();
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
    expect(await verified()).toMatchObject([{ ref: { Name: 'Jürgen Müller' } }]);
  });

  it('may be read in another encoding by choice', async () => {
    // "Łódź" in Windows-1250.
    await choose(
      Buffer.concat([latin1('Name;email\n'), Buffer.from('a3f3649f', 'hex'), latin1(';jane@example.com\n')]),
    );
    await page.getByLabel('Encoding').selectOption('windows-1250');
    await page.getByRole('cell', { name: 'Łódź' }).waitFor();
    expect(await verified()).toMatchObject([{ ref: { Name: 'Łódź' } }]);
  });

  it('may begin with the line sep=;', async () => {
    await choose(Buffer.from('sep=;\nName;email\nJane;jane@example.com\n'));
    const rows = page.getByRole('group', { name: 'First rows' });
    await rows.getByRole('columnheader', { name: 'Name' }).waitFor();
    expect(await verified()).toMatchObject([{ email: 'jane@example.com', ref: { Name: 'Jane' } }]);
  });

  it('may have 300 columns, but not more than 16 kB beside an address, and names line and column before the upload', async () => {
    const names = ['email', 'Note', ...Array.from({ length: 298 }, (_, n) => `column ${n}`)];
    const row = (note: string) => ['jane@example.com', note, ...names.slice(2).map(() => 'some text')];
    const csv = (...notes: string[]) =>
      Buffer.from([names, ...notes.map(row)].map((cells) => cells.join(',')).join('\n'));
    await choose(csv('short', 'x'.repeat(20_000)));
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^Line 3: .* 16 kB.*“Note”/);
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await choose(csv('short', 'x'.repeat(9_000)));
    expect(await verified()).toHaveLength(2);
  });

  it.each([
    ['a column with the name of another', 'mail,mail\nx,jane@example.com\n', 1],
    ['a column without a name beside one that has its number', '2,\n7,jane@example.com\n', 1],
    ['a column without a name beside one with the name of its number', 'column_2,\nx,jane@example.com\n', 1],
    ['a column with a number as its name', '1,2\njane@example.com,x\n', 0],
    ['a column with a long name', `a,${'b'.repeat(300)}\nx,jane@example.com\n`, 1],
    ['a header of empty cells', ',\nJane,jane@example.com\n', 1],
    ['a header with an unusual delimiter', 'Name|Email\njane@example.com\n', 0],
    ['a header with a delimiter in quotes', '"a;b;c;d",email\nx,jane@example.com\n', 1],
    ['the line "sep=;" in quotes', '"sep=;"\ra;email\rx;jane@example.com\r', 1],
  ])('sends the column that is chosen: %s', async (_, text, column) => {
    await choose(Buffer.from(text));
    await page.getByRole('checkbox', { name: 'A row names the columns', checked: true }).waitFor();
    await page.getByLabel('Column with the addresses').selectOption({ index: column });
    const rows = (await verified()) as { email: string }[];
    expect(rows.map(({ email }) => email)).toEqual(['jane@example.com']);
  });

  it('may be a workbook whose first row contains other delimiters', async () => {
    await choose(
      aWorkbook([
        ['Contact', 'a;b;c\td'],
        ['jane@example.com', 'x "y"\nz'],
      ]),
      'people.xlsx',
    );
    await page.getByText('1 row, at most 1 verification.').waitFor();
    expect(await verified()).toMatchObject([{ email: 'jane@example.com', ref: { 'a;b;c\td': 'x "y"\nz' } }]);
  });

  it('has the lines of the file in messages, also behind empty ones and cells of several lines', async () => {
    const long = 'x'.repeat(20_000);
    await choose(
      Buffer.from(`sep=,\n\nemail,Note\n\njane@example.com,"a\nb"\n\n\njoe@example.com,${long}\n`),
    );
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^Line 9: /);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await choose(Buffer.from(`email,x\njane@example.com,x\njoe@example.com${',y'.repeat(1_000)}\n`));
    await page.getByText('Line 3: A row may have at most 1000 cells.').waitFor();
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  });
});
