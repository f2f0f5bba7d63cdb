import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BulkJobResponse } from '../../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { aHeldJob, previewOn, sendList, workOn } from '../../../support/app/bulk.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  TestBrowser,
} from '../../../support/browser/browser.js';
import { aWorkbookWith } from '../../../support/browser/workbook.js';
import { uploadList, verifyList } from '../../../support/browser/lists.js';

const FILE =
  'Name;First;Second\nJane;jane@example.com;jane@home.invalid\nJoe;joe@example.com;joe@home.invalid\n';

(hasBrowser ? describe : describe.skip)('lists that wait for a start', () => {
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

  const open = async (key: string, options = {}): Promise<Page> => {
    const page = await browser.page(app.url, options);
    await page.goto(`${app.url}/console/lists#key=${key}`);
    return page;
  };
  const listsOf = async (key: string) =>
    ((await app.get('/v1/bulk-jobs', key)).body as { data: BulkJobResponse[] }).data;
  const drop = (page: Page) =>
    page.setInputFiles('input[type=file]', { name: 'people.csv', mimeType: '', buffer: Buffer.from(FILE) });

  it('D5: are read in another way with the file and the choices of before, and replaced', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey);
    await drop(page);
    await page.getByLabel('Verify each mailbox once').check();
    await page.getByLabel('Name of the list').fill('People');
    const first = await uploadList(page);
    await previewOn(app);
    await page.getByRole('button', { name: 'Change how the file is read' }).click();
    await page.getByLabel('Column with the addresses').waitFor();
    expect(await page.getByLabel('Verify each mailbox once').isChecked()).toBe(true);
    expect(await page.getByLabel('Name of the list').inputValue()).toBe('People');
    await page.getByLabel('Column with the addresses').selectOption('2');
    const second = await uploadList(page);
    expect(second).not.toBe(first);
    const [only, ...others] = await listsOf(testKey);
    expect([only?.id, only?.unique_by, others]).toEqual([second, 'canonical', []]);
    expect(only?.format?.column).toBe('Second');
    // Another tab does not have the file.
    await page.reload();
    await page.getByRole('button', { name: 'Delete it' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change how the file is read' }).count()).toBe(0);
  });

  it('D11: name a row of the results by the line of the file, as the warnings do', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey);
    const rows = ['jane@example.com', '', 'jane', '', '"A', 'B";joe@example.com', ';ann@example.com'];
    const text = ['People 2026', '', 'Note;Mail', ...rows.map((row) => (/^j/.test(row) ? `;${row}` : row))];
    const file = { name: 'people.csv', mimeType: '', buffer: Buffer.from(text.join('\n')) };
    await page.setInputFiles('input[type=file]', file);
    const id = await uploadList(page);
    await previewOn(app);
    await page.getByText('Line 6:').waitFor();
    await app.post(`/v1/bulk-jobs/${id}/start`, testKey).expect(200);
    await workOn(app);
    const table = page.getByRole('group', { name: 'Results' });
    await table.getByText('ann@example.com').waitFor();
    expect(await table.locator('tbody td:first-child').allTextContents()).toEqual(['4', '6', '8', '10']);
  });

  it('D11: name a row of a workbook by its row in the sheet', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey);
    const cells = { A2: 'People 2026', A4: 'Mail', A5: 'jane@example.com', A9: 'ann@example.com' };
    const rows = Object.entries(cells).map(
      ([at, text]) => `<row r="${at.slice(1)}"><c r="${at}" t="inlineStr"><is><t>${text}</t></is></c></row>`,
    );
    const buffer = aWorkbookWith(rows.join(''));
    await page.setInputFiles('input[type=file]', { name: 'people.xlsx', mimeType: '', buffer });
    await verifyList(app, page);
    const table = page.getByRole('group', { name: 'Results' });
    await table.getByText('ann@example.com').waitFor();
    const shown = await table.locator('tbody tr').allInnerTexts();
    expect(shown.map((text) => /^(?:No\.)?\s*(\d+)/.exec(text)?.[1])).toEqual(['5', '6', '7', '8', '9']);
  });

  it('D11: say the number of a row in the list if its line is not known', async () => {
    const { testKey } = await app.anAccount();
    const addresses = Array.from({ length: 105 }, (_, n) => `a${n}@example.com`);
    const { body } = await sendList(app, testKey, ['Mail', ...addresses].join('\n\n'), 'text/csv');
    await workOn(app);
    const page = await open(testKey);
    await page.goto(`${app.url}/console/lists/${(body as BulkJobResponse).id}?q=a104`);
    await page.getByRole('group', { name: 'Results' }).getByText('row 105', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'a104@example.com' }).click();
    await page.getByRole('dialog', { name: 'row 105' }).waitFor();
  });

  it('D6, D16: are told before an upload from the eighth on, stop it at ten, and are one group', async () => {
    const { testKey } = await app.anAccount();
    for (let n = 0; n < 8; n++) await aHeldJob(app, testKey, [`jane${n}@example.com`], { name: `List ${n}` });
    const page = await open(testKey);
    await page.getByText('8 of at most 10 lists wait for their start.').waitFor();
    await page.getByText('8 lists wait for their start', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'List 7' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show them' }).click();
    await page.getByRole('link', { name: 'List 7' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    for (let n = 8; n < 10; n++)
      await aHeldJob(app, testKey, [`jane${n}@example.com`], { name: `List ${n}` });
    await page.reload();
    await page.getByText('10 lists wait for their start, as many as may.').waitFor();
    await drop(page);
    await page.getByLabel('Column with the addresses').selectOption('1');
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Show them' }).click();
    // One way to delete: without a question, as on the page of the list.
    await choose(page, 'Actions for “List 3”', 'Delete it');
    await page.getByText('9 of at most 10 lists wait for their start.').waitFor();
    expect(await next.isEnabled()).toBe(true);
    // It can be undone, and is gone when the offer ends.
    await page.getByText('“List 3” was deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('10 lists wait for their start, as many as may.').first().waitFor();
    await choose(page, 'Actions for “List 3”', 'Delete it');
    await page.getByText('“List 3” was deleted.').waitFor();
    const names = async () => (await listsOf(testKey)).map(({ name }) => name);
    expect(await names()).toContain('List 3');
    const isDeleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('link', { name: 'Verify' }).click();
    expect((await isDeleted).status()).toBe(204);
    expect(await names()).not.toContain('List 3');
  });
});
