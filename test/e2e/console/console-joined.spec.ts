import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ListErasureService } from '../../../src/modules/bulk/list-erasure.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { jobOf, workOn } from '../../support/app/bulk.js';
import {
  accessibilityViolations,
  downloadOf,
  hasBrowser,
  TestBrowser,
} from '../../support/browser/browser.js';

const SEND = 'Send only the addresses; the other columns stay in this browser';
const LONG = 'ß'.repeat(10_000);
const VERIFY = { name: 'Verify the list' };

let app: TestApp;
let browser: TestBrowser;
let key: string;

async function open(): Promise<Page> {
  ({ testKey: key } = await app.anAccount());
  const page = await browser.isolatedPage(app.url);
  await page.goto(`${app.url}/console/lists#key=${key}`);
  await page.getByText('Choose a file').waitFor();
  return page;
}

/** @returns the body of the upload. */
async function send(page: Page, content: string): Promise<string> {
  await page.setInputFiles('input[type=file]', {
    name: 'people.csv',
    mimeType: '',
    buffer: Buffer.from(content),
  });
  await page.getByLabel(SEND).check();
  await page.evaluate(RECORD);
  await page.getByRole('button', VERIFY).click();
  await page.waitForURL(/\/lists\/job_/);
  await workOn(app);
  await page.getByText('Completed', { exact: true }).waitFor();
  return page.evaluate<string>('window.sent');
}

async function download(page: Page, columns = 'short', preset = 'Everything'): Promise<string> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Download' }).click();
  await dialog.getByRole('button', { name: preset }).click();
  await dialog.getByLabel('Columns').selectOption(columns);
  return downloadOf(page, () => dialog.getByRole('button', { name: 'Download' }).click());
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
      'Ulm;;no address;undeliverable;invalid_syntax',
      "Bonn;null_mx@example.com;'=1+1;undeliverable;null_mx",
      `Köln;jane@example.com;${LONG};deliverable;accepted_email`,
      '"a,b";joe@example.com;;deliverable;accepted_email',
    ];
    expect(await download(page)).toBe(`\uFEFF${joined.join('\n')}\n`);
    const own = joined.map((line) => line.replace(/;\w+;\w+$/, ''));
    expect(await download(page, 'own', 'Clean list')).toBe(
      `\uFEFF${['Ort;Mail;status', own[1], own[4], own[5]].join('\n')}\n`,
    );
  });

  it('may have no header', async () => {
    const page = await open();
    await send(page, 'Jane,jane@example.com\nJoe,joe@example.com,x\n');
    expect(await download(page)).toBe(
      '\uFEFFcolumn_1,email,column_3,status,reason\nJane,jane@example.com,,deliverable,accepted_email\nJoe,joe@example.com,x,deliverable,accepted_email\n',
    );
  });

  it('has an empty row where the service has erased the address', async () => {
    const page = await open();
    await send(page, 'name,email\nJane,jane@example.com\nJoe,joe@example.com\n');
    // All lists of all teams: other tests of this file have the address too.
    const { rows } = await app.service.app.get(ListErasureService).erase('jane@example.com');
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
    await page.goto('about:blank');
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
    await page.goto('about:blank');
    await page.goto(`${app.url}${path}#key=${key}`);
    await page.getByText('are in this browser only').waitFor();
    await page.getByRole('button', { name: 'Delete the list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the list' }).click();
    await page.waitForURL(/\/lists$/);
    expect(await page.evaluate(KEPT)).toBe(0);
    expect((await jobOf(app, key, path.slice(-30))).id).toBeUndefined();
  });
});

/** Playwright does not show the body of a request that is a Blob. */
const RECORD = `{
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    window.sent = body.text();
    send.call(this, body);
  };
}`;

/** The number of files in the storage of the browser. */
const KEPT = `new Promise((resolve) => {
  indexedDB.databases().then(([{ name }]) => {
    indexedDB.open(name).onsuccess = ({ target: { result } }) => {
      result.transaction('files').objectStore('files').count().onsuccess = ({ target }) => resolve(target.result);
    };
  });
})`;
