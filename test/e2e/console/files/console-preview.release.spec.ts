import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../../support/app/bulk.js';
import { hasBrowser, TestBrowser } from '../../../support/browser/browser.js';
import { verifyList } from '../../../support/browser/lists.js';
import { aWorkbookOf, aWorkbookWith } from '../../../support/browser/workbook.js';

/** The first bytes of XLS, and of a workbook with a password. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

let app: TestApp;
let browser: TestBrowser;
let page: Page;
let key: string;

const choose = (name: string, content: string | Buffer) =>
  page.setInputFiles('input[type=file]', { name, mimeType: '', buffer: Buffer.from(content) });

(hasBrowser ? describe : describe.skip)('the preview of a list in the console', () => {
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

  it('L8: names files that are no table, whatever their names are', async () => {
    for (const [name, content, text] of [
      ['a.csv', '%PDF-1.7 …', 'This is a PDF.'],
      ['a.csv', Buffer.from(zipSync({ 'a.txt': new Uint8Array(4) })), 'This is an archive'],
      ['a.csv', Buffer.from('a\0b'), 'This is no text file.'],
      ['a.xls', COMPOUND, 'This is an old Excel file (XLS)'],
    ] as const) {
      await choose(name, content);
      await page.getByRole('alert').filter({ hasText: text }).waitFor();
      expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
    }
  });

  it('L9: names the password of an encrypted workbook', async () => {
    await choose('a.xlsx', COMPOUND);
    await page.getByRole('alert').filter({ hasText: 'one with a password' }).waitFor();
  });

  it('L10: begins with the sheet that has addresses, not with a cover', async () => {
    const people = [['Mail'], ['jane@example.com'], ['joe@example.com']];
    await choose('a.xlsx', aWorkbookOf({ Cover: [['Report'], ['2030']], People: people }));
    await page.getByText('2 rows, at most 2 verifications.').waitFor();
    expect(await page.getByLabel('Sheet').inputValue()).toBe('People');
    await page.getByLabel('Sheet').selectOption('Cover');
    await page.getByRole('alert').filter({ hasText: 'Choose one.' }).waitFor();
    expect(await page.getByText('Reading the file').count()).toBe(0);
  });

  it('L11: refuses a workbook by its declared size, before it is unpacked', async () => {
    const bomb = Buffer.from(
      zipSync({ 'xl/workbook.xml': new Uint8Array(4), 'xl/x.xml': new Uint8Array(4) }),
    );
    // The declared size in the directory.
    const entry = bomb.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    bomb.writeUInt32LE(500_000_001, entry + 24);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await choose('a.xlsx', bomb);
    await page.getByRole('alert').filter({ hasText: 'unpacks to more than 500 MB' }).waitFor();
    expect(workers).toEqual([]);
  });

  it('L11: reads a workbook in a worker, which gets the file and sends the sheets', async () => {
    await page.evaluate(`{
      const { postMessage } = Worker.prototype;
      window.read = [];
      Worker.prototype.postMessage = function (file) {
        window.read.push(file.name);
        this.addEventListener('message', ({ data }) => window.read.push(...data.result.map(({ name }) => name)));
        Worker.prototype.postMessage = postMessage;
        this.postMessage(file);
      };
    }`);
    const started = page.waitForEvent('worker');
    await choose('a.xlsx', aWorkbookOf({ People: [['Mail'], ['jane@example.com']], Other: [['x']] }));
    expect((await started).url()).toMatch(/\/assets\/workbook\.worker-/);
    await page.getByText('1 row, at most 1 verification.').waitFor();
    expect(await page.evaluate('window.read')).toEqual(['a.xlsx', 'People', 'Other']);
  });

  it.each([
    ['in the last column and row', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'],
    ['in a far column', '<row r="1"><c r="A1"><v>1</v></c><c r="ALM1"><v>1</v></c></row>'],
    ['of a row that no sheet has', '<row r="9999999"><c r="A9999999"><v>1</v></c></row>'],
    ['whose place is hidden by another attribute', '<row r="1"><c s=">" r=\'XFD1\'><v>1</v></c></row>'],
    ['whose place is written with a reference', '<row r="1"><c r="&#88;FD1"><v>1</v></c></row>'],
    [
      'far below a wide row',
      '<row r="1"><c r="ALL1"><v>1</v></c></row><row r="20000"><c r="A20000"><v>1</v></c></row>',
    ],
  ])('refuses a workbook with a cell %s, before it makes cells', async (_, sheet) => {
    const began = performance.now();
    await choose('a.xlsx', aWorkbookWith(sheet));
    await page
      .getByRole('alert')
      .filter({ hasText: 'more than 1,000 columns or 10 million cells' })
      .waitFor();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('reads a workbook with 1,000 columns', async () => {
    const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row r="1">${text('A1', 'Mail')}${text('ALL1', 'last')}</row><row r="2">${text('A2', 'jane@example.com')}</row>`;
    await choose('a.xlsx', aWorkbookWith(rows));
    await page.getByText('1 row, at most 1 verification.').waitFor();
  });

  it('finds the header below a title, in a workbook and a CSV', async () => {
    const rows = [
      ['Kundenliste Nord', '', ''],
      ['', '', ''],
      ['Name', 'Kontakt', 'Ort'],
      ['Jane', 'jane@example.com', 'Bonn'],
    ];
    for (const [name, file] of [
      ['a.xlsx', aWorkbookOf({ People: rows })],
      ['a.csv', 'Kundenliste Nord\n\nName;Kontakt, Mail;Ort\nJane;jane@example.com;Bonn\n'],
    ] as const) {
      await choose(name, file);
      await page.getByText('1 row, at most 1 verification.').waitFor();
      await page.getByRole('columnheader', { name: 'Kontakt' }).waitFor();
      const id = await verifyList(app, page);
      const found = await resultsOf(app, key, id);
      expect(found).toMatchObject([{ email: 'jane@example.com', ref: { Name: 'Jane', Ort: 'Bonn' } }]);
      expect(found).toHaveLength(1);
      await page.getByRole('link', { name: 'Lists', exact: true }).click();
      await page.getByText('Choose a file').waitFor();
    }
  });

  it('verifies an address of a workbook as the API does, without the name around it', async () => {
    const emails = [
      '\ufeffjane@example.com',
      'ja\ufeffne@example.com',
      "'joe@example.com",
      'Joe <joe@example.com>',
    ];
    await choose(
      'a.xlsx',
      aWorkbookOf({ People: [['Name', 'Mail'], ...emails.map((email) => ['x', email])] }),
    );
    await page.getByText('4 rows').waitFor();
    const id = await verifyList(app, page);
    const rows = await resultsOf(app, key, id);
    expect(rows).toMatchObject([
      { normalized_email: 'jane@example.com' },
      { policy: { rule: 'syntax:local_part_character' }, did_you_mean: 'jane@example.com' },
      { normalized_email: 'joe@example.com' },
      { email: 'joe@example.com', status: 'deliverable', ref: { Mail: 'Joe <joe@example.com>' } },
    ]);
  });

  it('L12: shows columns of the same name apart, and such a list is verified', async () => {
    await choose('a.csv', 'email,email\njane@example.com,x\n');
    await page.getByRole('columnheader', { name: 'email 2' }).waitFor();
    const id = await verifyList(app, page);
    const rows = await resultsOf(app, key, id);
    expect(rows).toMatchObject([{ email: 'jane@example.com', status: 'deliverable' }]);
  });

  it('L13: names the line of a quote that is not closed, and clips its cell', async () => {
    await choose('a.csv', `email,note\njane@example.com,"${'x '.repeat(50_000)}\n`);
    await page.getByText('Line 2: a quote is not closed.').waitFor();
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    const cell = await page.getByRole('cell', { name: 'x x x' }).boundingBox();
    expect(cell?.width).toBeLessThan(page.viewportSize()?.width ?? 0);
    expect(cell?.height).toBeLessThan(60);
  });

  it('L22: numbers rows as a spreadsheet does, with and without a header, also in the panel of a row', async () => {
    for (const [header, first] of [
      ['', 1],
      ['email\n', 2],
    ] as const) {
      const { body } = await sendList(app, key, `${header}jane@example.com\njoe@example.com\n`, 'text/csv');
      await workOn(app);
      await page.goto(`${app.url}/console/lists/${(body as { id: string }).id}`);
      await page
        .getByRole('row')
        .filter({ hasText: 'jane@example.com' })
        .getByText(String(first), { exact: true })
        .waitFor();
      await page.getByRole('button', { name: 'joe@example.com' }).click();
      await page.getByRole('dialog', { name: `No. ${first + 1}` }).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  it('L23: counts one row and one verification in the singular, and several in the plural', async () => {
    await choose('a.csv', 'email\njane@example.com\n');
    await page.getByText('1 row, at most 1 verification.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await choose('a.csv', 'email\njane@example.com\njane@example.com\njoe@example.com\n');
    await page.getByText('3 rows, at most 2 verifications.', { exact: true }).waitFor();
  });
});
