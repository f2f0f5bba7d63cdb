import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { sendList, workOn } from '../../../support/app/bulk.js';
import { downloadOf, hasBrowser, TestBrowser } from '../../../support/browser/browser.js';
import { verifyList } from '../../../support/browser/lists.js';
import { aTypedWorkbook } from '../../../support/browser/workbook.js';

let app: TestApp;
let browser: TestBrowser;

const LIST = `no,email
0,b+deliverable@example.com
1,x+mailbox_not_found@example.com
2,a+catch_all@example.com
3,b+deliverable@example.com
4,
5,c+deliverable@example.com
`;

async function open(): Promise<Page> {
  const { testKey } = await app.anAccount();
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console/lists#key=${testKey}`);
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  return page;
}

/** The page of a list that was sent to the service, and is completed. */
async function openSent(name = 'a', locale?: string): Promise<Page> {
  const { testKey } = await app.anAccount();
  const { body } = await sendList(app, testKey, LIST, 'text/csv', { query: `?name=${name}` });
  await workOn(app);
  const page = await browser.page(app.url, locale === undefined ? {} : { locale });
  await page.goto(`${app.url}/console/lists/${(body as { id: string }).id}#key=${testKey}`);
  return page;
}

async function verify(page: Page, name: string, content: string | Buffer, keeps: boolean): Promise<void> {
  await page.setInputFiles('input[type=file]', { name, mimeType: '', buffer: Buffer.from(content) });
  if (keeps) await page.getByLabel('Send only the addresses').check();
  await verifyList(app, page);
  await page.getByText('Completed', { exact: true }).waitFor();
}

const dialogOf = (page: Page) => page.getByRole('dialog');
const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  return dialogOf(page);
};
const save = (page: Page) => () =>
  dialogOf(page).getByRole('button', { name: 'Download', exact: true }).click();
async function sheetOf(page: Page): Promise<unknown[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), save(page)()]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  return readSheet(await readFile(await file.path()));
}

(hasBrowser ? describe : describe.skip)('a download of results in the console', () => {
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

  it.each([false, true])(
    'has several statuses in the order of the list, as CSV and as a workbook (other columns kept: %s)',
    async (keeps) => {
      const page = keeps ? await open() : await openSent();
      if (keeps) await verify(page, 'a.csv', LIST, keeps);
      let dialog = await openDialog(page);
      await dialog.getByRole('button', { name: 'All but undeliverable (4)' }).click();
      await dialog.getByLabel('Columns').selectOption('own');
      await dialog.getByLabel('File').selectOption('csv');
      const csv = await downloadOf(page, save(page));
      expect(
        csv
          .replace('\uFEFF', '')
          .trim()
          .split('\n')
          .map((line) => line[0]),
      ).toEqual(['n', '0', '2', '3', '5']);
      dialog = await openDialog(page);
      await dialog.getByLabel('File').selectOption('xlsx');
      expect((await sheetOf(page)).map(([no]) => no)).toEqual(['no', '0', '2', '3', '5']);
    },
  );

  it('has each address once in the clean list, and the last choice is remembered', async () => {
    const page = await openSent();
    let dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Everything (6)' }).waitFor();
    await dialog.getByRole('button', { name: 'Clean list (at most 3)' }).click();
    expect(await dialog.getByLabel('Each address once').isChecked()).toBe(true);
    const csv = await downloadOf(page, save(page));
    expect(csv).toBe('\uFEFFno,email\n0,b+deliverable@example.com\n5,c+deliverable@example.com\n');
    await page.reload();
    dialog = await openDialog(page);
    const clean = dialog.getByRole('button', { name: 'Clean list' });
    expect(await clean.getAttribute('aria-pressed')).toBe('true');
    expect(await dialog.getByLabel('Columns').inputValue()).toBe('own');
    await dialog.getByLabel('Each address once').uncheck();
    expect(await clean.getAttribute('aria-pressed')).toBe('false');
  });

  it.each([false, true])(
    'is a workbook with the cells of the workbook that was sent (other columns kept: %s)',
    async (keeps) => {
      const born = new Date('2021-08-21T00:00:00Z');
      const paid = new Date('2026-09-01T15:15:00Z');
      const row = ['jane@example.com', born, paid, 5125.09, true, '01067'];
      const page = await open();
      await verify(
        page,
        'a.xlsx',
        await aTypedWorkbook(['Mail', 'Born', 'Paid', 'Sum', 'Member', 'ZIP'], [row]),
        keeps,
      );
      const dialog = await openDialog(page);
      expect(await dialog.getByLabel('File').inputValue()).toBe('xlsx');
      await dialog.getByLabel('Columns').selectOption('short');
      expect(await sheetOf(page)).toEqual([
        ['Mail', 'Born', 'Paid', 'Sum', 'Member', 'ZIP', 'status', 'reason'],
        [...row, 'deliverable', 'accepted_email'],
      ]);
    },
  );

  it.each([
    ['en-US', ','],
    ['fr-FR', ';'],
  ])('is a CSV that Excel divides where the reader lives: %s', async (locale, delimiter) => {
    const page = await openSent('a', locale);
    const dialog = await openDialog(page);
    await dialog.getByLabel('Columns').selectOption('own');
    await dialog.getByLabel('File').selectOption('csv');
    expect(await downloadOf(page, save(page))).toContain(`\uFEFFno${delimiter}email\n0${delimiter}b+`);
  });

  it('begins in the menu of a list, whose row opens it', async () => {
    const page = await openSent('newsletter');
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'newsletter' });
    await row.getByText('60% deliverable').waitFor();
    await row.getByRole('button', { name: 'Actions for “newsletter”' }).click();
    await page.getByRole('menuitem', { name: 'Download clean list' }).click();
    await dialogOf(page).getByLabel('File').selectOption('csv');
    expect(await downloadOf(page, save(page))).toMatch(/^\uFEFFno,email\n0,b.*\n5,c.*\n$/);
    expect(new URL(page.url()).pathname).toMatch(/\/lists$/);
    await row.getByText('60% deliverable').click();
    await page.waitForURL(/\/lists\/job_/);
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await row.getByRole('button', { name: 'Actions for “newsletter”' }).click();
    await page.getByRole('menuitem', { name: 'Delete the list' }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete the list' }).click();
    await row.waitFor({ state: 'detached' });
  });
});
