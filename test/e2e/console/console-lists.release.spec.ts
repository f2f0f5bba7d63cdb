import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, sendList, workOn } from '../../support/app/bulk.js';
import {
  accessibilityViolations,
  downloadOf,
  hasBrowser,
  hold,
  TestBrowser,
} from '../../support/browser/browser.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';

const plain = mailboxes('jane', 'joe');
const SCENES = [
  {
    domain: 'shy.mailworld',
    story: 'puts everybody off, always',
    servers: [{ ...plain, rcpt: () => '450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/' }],
    expect: {},
  },
  { domain: 'plain.mailworld', story: 'answers', servers: [plain], expect: {} },
];
const PHONE = { viewport: { width: 390, height: 844 } };

let world: MailWorld;
let app: TestApp;
let browser: TestBrowser;

async function open(key: string, path: string, options = {}): Promise<Page> {
  const page = await browser.page(app.url, options);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  return page;
}

const choose = (page: Page, name: string, text: string | Buffer) =>
  page.setInputFiles('input[type=file]', { name, mimeType: '', buffer: Buffer.from(text) });

(hasBrowser ? describe : describe.skip)('the lists of the console', () => {
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: SCENES });
    app = await anApp(world.env);
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await world.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('L1: a list that waits says for what and until when, and is finished with what is known', async () => {
    const { liveKey } = await app.anAccount();
    const { id } = await aBulkJob(app, liveKey, ['jane@shy.mailworld', 'jane@plain.mailworld']);
    await workOn(app);
    const page = await open(liveKey, `/lists/${id}`);
    await page.getByText('1 row waits for its mail server').waitFor();
    const note = await page.getByText('These servers ask unknown senders').innerText();
    expect(note).toMatch(/verified again at \d+:\d\d.*ends at \d+:\d\d.* at the latest/s);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Finish now with the results so far' }).click();
    await page.getByText('Completed', { exact: true }).waitFor();
    expect(await page.getByText('2 of 2 rows').count()).toBe(1);
  });

  it('L2: a canceled list names the rows that were not verified, and goes on with them', async () => {
    const { testKey } = await app.anAccount();
    const list = 'email,city\njane@example.com,Bonn\n';
    const { id } = (await sendList(app, testKey, list, 'text/csv')).body as { id: string };
    await app.post(`/v1/bulk-jobs/${id}/cancel`, testKey);
    const page = await open(testKey, `/lists/${id}`);
    await page.getByRole('cell', { name: 'not verified' }).waitFor();
    await page.getByRole('button', { name: 'Verify the remaining 1' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await workOn(app);
    await page.getByRole('button', { name: 'jane@example.com' }).click();
    expect(await page.getByRole('dialog').innerText()).toMatch(/city\s+Bonn/);
  });

  it('L3: results are a workbook or a CSV for Excel, with chosen columns, and a clean list', async () => {
    const { testKey } = await app.anAccount();
    const list = 'Name,Mail\nKöln,jane@example.com\nUlm,mailbox_not_found@example.com\n';
    const { id } = (await sendList(app, testKey, list, 'text/csv')).body as { id: string };
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`);
    const dialog = page.getByRole('dialog');
    const save = () => dialog.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await dialog.getByRole('button', { name: 'Clean list' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await downloadOf(page, save)).toBe('\uFEFFName,Mail\nKöln,jane@example.com\n');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await dialog.getByRole('button', { name: 'Everything' }).click();
    await dialog.getByLabel('Columns').selectOption('pair');
    await dialog.getByLabel('File').selectOption('xlsx');
    const [file] = await Promise.all([page.waitForEvent('download'), save()]);
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
    expect(await readSheet(await readFile(await file.path()))).toEqual([
      ['email', 'status'],
      ['jane@example.com', 'deliverable'],
      ['mailbox_not_found@example.com', 'undeliverable'],
    ]);
  });

  it('the time that is left is that of the rows that do not wait for their mail servers', async () => {
    const { testKey } = await app.anAccount();
    const { body } = await sendList(app, testKey, 'email\njane@example.com\njoe@example.com\n', 'text/csv');
    const job = body as { id: string };
    const running = { ...job, status: 'running', total: 5_000, processed: 4_924, eta_seconds: 2 };
    let deferred = 76;
    const page = await open(testKey, '/lists');
    await page.route(`**/v1/bulk-jobs/${job.id}/events`, (route) => route.abort());
    await page.route(`**/v1/bulk-jobs/${job.id}`, (route) =>
      route.fulfill({ json: { ...running, deferred } }),
    );
    await page.getByRole('link', { name: 'Untitled list' }).click();
    await page.getByText('for the rows that do not wait').waitFor();
    deferred = 0;
    await page.getByText(/^about .* left/).waitFor();
    await workOn(app);
  });

  it('the browser says that a list is ready, on another page too', async () => {
    const { testKey } = await app.anAccount();
    const { body } = await sendList(app, testKey, 'email\njane@example.com\n', 'text/csv', {
      query: '?name=News',
    });
    const page = await open(testKey, `/lists/${(body as { id: string }).id}`);
    await page.evaluate(`{
      window.said = [];
      window.Notification = class {
        static permission = 'default';
        static async requestPermission() { return (window.Notification.permission = 'granted'); }
        constructor(text) { window.said.push(text); }
      };
    }`);
    await page.getByRole('button', { name: 'Tell me when it is ready' }).click();
    await page.getByText('This browser tells you when the list is ready').waitFor();
    await page.getByRole('link', { name: 'Verify' }).first().click();
    await workOn(app);
    await page.getByRole('status').getByText('The list “News” is ready.').waitFor();
    expect(await page.evaluate('window.said')).toEqual(['The list “News” is ready.']);
  });

  it('L4: an upload that ends on another page leaves the person there, with a link', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/lists');
    await choose(page, 'people.csv', 'email\njane@example.com\n');
    await page.getByText('1 row, at most 1 verification.').waitFor();
    const { release } = await hold(page, /\/v1\/verify\/bulk/);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.waitForURL(/\/team/);
    release();
    await page
      .getByRole('link', { name: 'The list “people” is uploaded and waits for its start.' })
      .waitFor();
    expect(page.url()).toMatch(/\/team/);
    await page.getByRole('link', { name: 'The list “people” is uploaded and waits for its start.' }).click();
    await page.waitForURL(/\/lists\/job_/);
    await page
      .getByRole('link', { name: 'The list “people” is uploaded and waits for its start.' })
      .waitFor({ state: 'detached' });
  });

  it('L6: more rows than the tier may have are refused before a file is sent', async () => {
    const starter = await app.anAccount('starter');
    const page = await open(starter.liveKey, '/lists');
    const rows = Array.from({ length: 1_001 }, () => 'jane@example.com');
    await choose(page, 'people.csv', ['email', ...rows].join('\n'));
    await page.getByText('may have at most 1,000 rows').waitFor();
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  });

  it('L15: filters are combined', async () => {
    const { testKey } = await app.anAccount();
    const emails = ['jane', 'mailbox_not_found', 'null_mx'].map((name) => `${name}@example.com`);
    const { id } = await aBulkJob(app, testKey, emails);
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`);
    const table = page.getByRole('group', { name: 'Results' });
    await page.getByLabel('Status', { exact: true }).selectOption('undeliverable');
    await page.getByLabel('Reason', { exact: true }).selectOption('null_mx');
    await page.waitForURL(/status=undeliverable&reason=null_mx/);
    await table.getByText('null_mx@example.com').waitFor();
    await table.getByText('mailbox_not_found@example.com').waitFor({ state: 'detached' });
    expect(await table.getByRole('row').count()).toBe(2);
    await page.getByLabel('Status', { exact: true }).selectOption('deliverable');
    await page.waitForURL((url) => url.search === '?status=deliverable');
    await table.getByText('jane@example.com').waitFor();
  });

  it('L14, L17: the next page begins at its first row, and the panel of a row with its verdict', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(
      app,
      testKey,
      Array.from({ length: 30 }, (_, n) => `u${n}@example.com`),
    );
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`);
    await page.getByText('1–25 of 30', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'u25@example.com' }).waitFor();
    await page.getByText('26–30 of 30', { exact: true }).waitFor();
    await page.locator(':focus').locator('table').waitFor();
    const first = await page.getByRole('button', { name: 'u25@example.com' }).boundingBox();
    expect(first?.y).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'u25@example.com' }).click();
    const panel = page.getByRole('dialog', { name: 'No. 26' });
    await panel.waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('No. 26 · u25@example.com');
    const box = await panel.getByRole('region', { name: 'Deliverable' }).boundingBox();
    expect(box?.y).toBeLessThan(200);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('dialog', { name: 'No. 27' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('L18, L24: rows are readable at 390 px, and a hidden control character is shown', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane.doe@example.com', '\u202egpj.exe@example.com']);
    await workOn(app);
    const page = await open(testKey, `/lists/${id}`, PHONE);
    const row = page.getByRole('row').filter({ hasText: 'jane.doe' });
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeLessThan(110);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.getByText('␣U+202E').count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('several lists are selected and deleted together, after a question', async () => {
    const { testKey } = await app.anAccount();
    for (const name of ['one', 'two', 'three']) await aBulkJob(app, testKey, ['no address'], { name });
    await workOn(app);
    const page = await open(testKey, '/lists');
    await page.getByLabel('Select “one”').check();
    await page.getByLabel('Select “three”').check();
    await page.getByText('2 lists are selected').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete 2 lists' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 lists' }).click();
    await page.getByRole('link', { name: 'one', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'three', exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: 'two', exact: true }).count()).toBe(1);
    expect(await page.getByText('are selected').count()).toBe(0);
  });

  it('a list that has ended shows its outcome in a bar', async () => {
    const { testKey } = await app.anAccount();
    await aBulkJob(app, testKey, ['jane@example.com', 'null_mx@example.com']);
    await workOn(app);
    const page = await open(testKey, '/lists');
    await page.getByRole('img', { name: 'Outcome: Deliverable 50%, Undeliverable 50%' }).waitFor();
  });
});
