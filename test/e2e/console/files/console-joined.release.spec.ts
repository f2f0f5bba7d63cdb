import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { ListErasureService } from '../../../../src/modules/lists/bulk/jobs/list-erasure.service.js';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { jobOf, workOn } from '../../../support/app/bulk.js';
import {
  accessibilityViolations,
  downloadOf,
  hasBrowser,
  TestBrowser,
  unload,
} from '../../../support/browser/browser.js';
import { countKeptFiles, recordUpload, uploaded } from '../../../support/browser/kept-files.js';
import { verifyList } from '../../../support/browser/lists.js';
import { aWorkbookOf } from '../../../support/browser/workbook.js';

const SEND = 'Send only the addresses; the other columns stay in this browser';
const LONG = 'ß'.repeat(10_000);

let app: TestApp;
let browser: TestBrowser;
let key: string;

async function open(from?: Page): Promise<Page> {
  ({ testKey: key } = await app.anAccount());
  const page = from ?? (await browser.page(app.url));
  await page.goto(`${app.url}/console/lists#key=${key}`);
  await page.getByText('Choose a file').waitFor();
  return page;
}

const give = (page: Page, content: string | Buffer, name = 'people.csv') =>
  page.setInputFiles('input[type=file]', { name, mimeType: '', buffer: Buffer.from(content) });

/** Sends the addresses of the file that was given. */
async function verify(page: Page): Promise<void> {
  await page.getByLabel(SEND).check();
  await verifyList(app, page);
  await page.getByText('Completed', { exact: true }).waitFor();
}

/** @returns the body of the upload. */
async function send(page: Page, content: string): Promise<string> {
  await give(page, content);
  await recordUpload(page);
  await verify(page);
  return uploaded(page);
}

/** Opens the dialog and chooses. @returns what saves the file. */
async function choose(page: Page, columns: string, preset: string, kind: string) {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await dialog.getByRole('button', { name: preset }).click();
  await dialog.getByLabel('Columns').selectOption(columns);
  await dialog.getByLabel('File').selectOption(kind);
  return () => dialog.getByRole('button', { name: 'Download', exact: true }).click();
}

const download = async (page: Page, columns = 'short', preset = 'Everything'): Promise<string> =>
  downloadOf(page, await choose(page, columns, preset, 'csv'));

/** The rows of the workbook. */
async function downloadWorkbook(page: Page, columns = 'short', preset = 'Everything'): Promise<unknown> {
  const save = await choose(page, columns, preset, 'xlsx');
  const [file] = await Promise.all([page.waitForEvent('download'), save()]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  return readSheet(await readFile(await file.path()));
}

async function deleteList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete the list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the list' }).click();
  await page.waitForURL(/\/lists$/);
}

const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

(hasBrowser ? describe : describe.skip)('a list whose other columns stay in the browser', () => {
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

  it('is sent as addresses and refs, and downloaded with its columns in the rows that they had', async () => {
    const page = await open();
    const rows = [
      'Köln;jane@example.com;"a ""quoted"" word"',
      '',
      'Ulm;;no address',
      'Bonn;null_mx@example.com;=1+1',
      `Köln;jane@example.com;${LONG}`,
      'a,b;joe@example.com',
    ];
    const body = await send(page, ['Ort;Mail;status', ...rows, ''].join('\r\n'));
    const sent = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { email: string; ref: string });
    expect(sent.map(({ email, ref }) => [email, ref.replace(/^console-[0-9a-f]{32}-/, '')])).toEqual([
      ['jane@example.com', '2'],
      ['', '4'],
      ['null_mx@example.com', '5'],
      ['jane@example.com', '6'],
      ['joe@example.com', '7'],
    ]);
    expect(Object.keys(Object.assign({}, ...sent) as object)).toEqual(['email', 'ref']);
    await page.getByRole('cell', { name: '5', exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const joined = [
      'Ort;Mail;input_status;status;reason',
      'Köln;jane@example.com;"a ""quoted"" word";deliverable;accepted_email',
      'Ulm;;no address;;',
      "Bonn;null_mx@example.com;'=1+1;undeliverable;null_mx",
      `Köln;jane@example.com;${LONG};deliverable;accepted_email`,
      '"a,b";joe@example.com;;deliverable;accepted_email',
    ];
    expect(await download(page)).toBe(`\uFEFF${joined.join('\n')}\n`);
    const own = joined.map((line) => line.replace(/;\w+;\w+$/, ''));
    expect(await download(page, 'own', 'Clean list')).toBe(
      `\uFEFF${['Ort;Mail;status', own[1], own[5]].join('\n')}\n`,
    );
  });

  it('is downloaded as a workbook with its columns as texts, also without rows of some statuses', async () => {
    const page = await open();
    const text = '=1+1 <b>&amp;</b> _x0041_ 🙂';
    const rows = [`0123;jane@example.com;"${text}"`, '1;catch_all@example.com;x', '2;null_mx@example.com;y'];
    await send(page, ['No;Mail;status', ...rows].join('\n'));
    const joined = [
      ['No', 'Mail', 'input_status', 'status', 'reason'],
      ['0123', 'jane@example.com', text, 'deliverable', 'accepted_email'],
      ['1', 'catch_all@example.com', 'x', 'risky', 'catch_all'],
      ['2', 'null_mx@example.com', 'y', 'undeliverable', 'null_mx'],
    ];
    expect(await downloadWorkbook(page)).toEqual(joined);
    expect(await downloadWorkbook(page, 'short', 'All but undeliverable')).toEqual(joined.slice(0, 3));
    const [header, first] = (await downloadWorkbook(page, 'all')) as unknown[][];
    expect(first?.[header?.indexOf('score') ?? -1]).toBe(95);
    expect(first?.[header?.indexOf('disposable') ?? -1]).toBe(false);
    expect(await downloadWorkbook(page, 'pair')).toEqual([
      ['email', 'status'],
      ...joined.slice(1).map((row) => [row[1], row[3]]),
    ]);
  });

  it('may have no header', async () => {
    const page = await open();
    await send(page, 'Jane,jane@example.com\nJoe,joe@example.com,x\n');
    expect(await download(page)).toBe(
      '\uFEFFcolumn_1,email,column_3,status,reason\nJane,jane@example.com,,deliverable,accepted_email\nJoe,joe@example.com,x,deliverable,accepted_email\n',
    );
  });

  it('shows its columns beside the verdict of a row, also of the next one', async () => {
    const page = await open();
    await send(page, 'Name;Mail;Note\nJane;jane@example.com;"a; b"\n\nJoe;joe@example.com\n');
    await page.getByRole('button', { name: 'jane@example.com' }).click();
    const own = page.getByRole('dialog').getByRole('region', { name: 'Your columns' });
    await own.getByText('a; b').waitFor();
    expect(await own.locator('dl').innerText()).toMatch(/^Name\s+Jane\s+Note\s+a; b$/);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('dialog', { name: 'No. 4' }).waitFor();
    expect(await own.locator('dl').innerText()).toMatch(/^Name\s+Joe\s+Note\s*$/);
    const other = await browser.isolatedPage(app.url);
    await other.goto(`${app.url}/console/lists/${idOf(page)}#key=${key}`);
    await other.getByText('are not in this browser').waitFor();
    await other.getByRole('button', { name: 'jane@example.com' }).click();
    await other.getByRole('dialog').getByRole('region', { name: 'Deliverable' }).waitFor();
    expect(await other.getByText('Your columns').count()).toBe(0);
    expect(await other.getByText(/console-[0-9a-f]{32}/).count()).toBe(0);
  });

  it('may be the sheet of a workbook that a person has chosen', async () => {
    const page = await open();
    const people = [['Mail', 'Name'], ...['a', 'b'].map((name) => [`${name}@example.com`, name])];
    const former = [
      ['Name', 'Mail'],
      ['Köln, "x"', 'ann@example.com'],
    ];
    await give(page, aWorkbookOf({ People: people, Former: former }), 'people.xlsx');
    await page.getByLabel('Sheet').selectOption('Former');
    await page.getByText('1 row, at most 1 verification.').waitFor();
    await verify(page);
    expect(await downloadWorkbook(page)).toEqual([
      ['Name', 'Mail', 'status', 'reason'],
      ['Köln, "x"', 'ann@example.com', 'deliverable', 'accepted_email'],
    ]);
  });

  it('keeps its columns when its unknown rows are verified again, also once the first list is deleted', async () => {
    const page = await open();
    const unknown = 'joe+greylisted@example.com';
    await send(page, `name,email\nJane,jane@example.com\nJoe,${unknown}\n`);
    const first = idOf(page);
    await page.getByRole('button', { name: 'Verify 1 unknown again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(first));
    await workOn(app);
    await page.getByText('Completed', { exact: true }).waitFor();
    await page.getByText('are in this browser only').waitFor();
    const again = page.url();
    await page.goto(`${app.url}/console/lists/${first}`);
    await deleteList(page);
    await page.goto(again);
    await page.getByText('are in this browser only').waitFor();
    expect(await download(page)).toBe(`\uFEFFname,email,status,reason\nJoe,${unknown},unknown,greylisted\n`);
    await deleteList(page);
    expect(await countKeptFiles(page)).toBe(0);
  });

  it('is not sent while the storage of the browser is full, and says so', async () => {
    const page = await open(await browser.isolatedPage(app.url));
    const storage = await page.context().newCDPSession(page);
    const { origin } = new URL(app.url);
    await storage.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 100_000 });
    await give(page, `name,email\n${'x'.repeat(200_000)},jane@example.com\n`);
    await page.getByLabel(SEND).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'This browser cannot store the other columns.' })
      .waitFor();
    expect((await app.get('/v1/bulk-jobs', key)).body).toMatchObject({ data: [] });
    await storage.send('Storage.overrideQuotaForOrigin', { origin });
    await verify(page);
    expect(await countKeptFiles(page)).toBe(1);
  });

  it('has an empty row where the service has erased the address', async () => {
    const page = await open();
    await send(page, 'name,email\nJane,jane@example.com\nJoe,joe@example.com\n');
    // All lists of all teams: other tests of this file have the address too.
    const { rows } = await app.service.app.get(ListErasureService).eraseAddress('jane@example.com');
    expect(rows).toBeGreaterThan(0);
    expect(await download(page, 'own')).toBe('\uFEFFname,email\n,\nJoe,joe@example.com\n');
  });

  it('says in another browser that its columns are not there, also after a sign-out', async () => {
    const page = await open();
    await send(page, 'name,email\nJane,jane@example.com\n');
    await page.getByText('are in this browser only').waitFor();
    const path = `/console/lists/${idOf(page)}#key=${key}`;
    const other = await browser.isolatedPage(app.url);
    await other.goto(app.url + path);
    await other.getByText('are not in this browser').waitFor();
    expect(await download(other)).toMatch(
      /^\uFEFFindex,email,ref,status,reason\n0,jane@example.com,console-/,
    );
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await unload(page);
    await page.goto(app.url + path);
    await page.getByText('are not in this browser').waitFor();
  });

  it('keeps its columns when a key is no longer valid, and loses them with its last job', async () => {
    const page = await open();
    await send(page, 'name,email\nJane,jane@example.com\n');
    const path = `/console/lists/${idOf(page)}`;
    await page.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, json: { code: 'invalid_credential', title: 'gone' } }),
    );
    await page.reload();
    await page.getByLabel('API key').waitFor();
    await page.unroute('**/v1/**');
    await unload(page);
    await page.goto(`${app.url}${path}#key=${key}`);
    await page.getByText('are in this browser only').waitFor();
    await deleteList(page);
    expect(await countKeptFiles(page)).toBe(0);
    expect((await jobOf(app, key, path.slice(-30))).id).toBeUndefined();
  });
});
