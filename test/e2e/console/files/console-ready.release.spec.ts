import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PostgresMailQueue } from '../../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { aBulkJob, jobOf, workOn } from '../../../support/app/bulk.js';
import { aKeyOf, joinTeam, rowsOf } from '../../../support/app/joins.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  TestBrowser,
} from '../../../support/browser/browser.js';
import { startList } from '../../../support/browser/lists.js';
import { MailSink } from '../../../support/mail/mail-sink.js';

let sink: MailSink;
let app: TestApp;
/** Without a mail server. */
let silent: TestApp;
let browser: TestBrowser;

async function open(key: string, path: string, options = {}, of = app): Promise<Page> {
  const page = await browser.page(of.url, options);
  await page.goto(`${of.url}/console${path}#key=${key}`);
  return page;
}

const preview = (page: Page) =>
  page.setInputFiles('input[type=file]', {
    name: 'customers.csv',
    mimeType: '',
    buffer: Buffer.from('email\njane@example.com\n'),
  });

(hasBrowser ? describe : describe.skip)('a list in the console', () => {
  beforeAll(async () => {
    sink = await MailSink.start();
    app = await anApp({ INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example' });
    silent = await anApp();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await silent.stop();
    await sink.close();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('is sent with the wish for a mail, which its page shows, gives up and asks for again', async () => {
    const { testKey, user } = await app.anAccount();
    const page = await open(testKey, '/lists', { locale: 'de-DE' });
    await preview(page);
    const wish = page.getByLabel(`E-Mail an ${user.email}, wenn die Liste fertig ist`);
    await wish.check();
    expect(await accessibilityViolations(page)).toEqual([]);
    const id = await startList(app, page, 'de');
    await page.getByRole('checkbox', { name: user.email, checked: true }).waitFor();
    expect(await jobOf(app, testKey, id)).toMatchObject({ notify: 'de' });
    await wish.click();
    await page.getByRole('checkbox', { name: user.email, checked: false, disabled: false }).waitFor();
    expect(await jobOf(app, testKey, id)).toMatchObject({ notify: null });
    await wish.click();
    await page.getByRole('checkbox', { name: user.email, checked: true, disabled: false }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await workOn(app);
    await app.service.app.get(PostgresMailQueue).sendDue();
    expect(sink.received.at(-1)?.to).toEqual([user.email]);
    await wish.waitFor({ state: 'detached' });
    await page.getByText(`Gesendet von ${user.email}.`).waitFor();
  });

  it('says why no mail can be asked for', async () => {
    const owner = await app.anAccount();
    const [service, member] = [await aKeyOf(app, owner, null), await joinTeam(app, owner)];
    const unconfirmed = await app.anAccount();
    await rowsOf(app, 'UPDATE users SET confirmed_at = NULL WHERE id = $1', [unconfirmed.user.id]);
    const reasons: [string, string, TestApp][] = [
      [(await silent.anAccount()).testKey, 'This installation sends no mails.', silent],
      [service, 'A service key has no address.', app],
      [unconfirmed.testKey, 'Your address is not confirmed', app],
    ];
    for (const [key, reason, of] of reasons) {
      const page = await open(key, '/lists', {}, of);
      await preview(page);
      await page.getByLabel(`Send a mail when the list is ready. ${reason}`).waitFor();
      expect(await page.getByLabel(reason).isDisabled()).toBe(true);
    }
    const { id } = await aBulkJob(app, member.key, ['no address']);
    const page = await open(owner.liveKey, `/lists/${id}`);
    await page.getByLabel('Only the person who sent the list can ask for it.').waitFor();
    expect(await page.getByLabel('Only the person who sent').isDisabled()).toBe(true);
    await page.goto(`${app.url}/console/lists`);
    await page.getByRole('cell', { name: `Sent by ${member.email}` }).waitFor();
  });

  it('is renamed in the menu of its row and of its page', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com'], { name: 'Spring' });
    const page = await open(testKey, '/lists');
    const rename = async (name: string) => {
      const dialog = page.getByRole('dialog', { name: 'Rename' });
      await dialog.getByLabel('Name of the list').fill(name);
      expect(await accessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await choose(page, 'Actions for “Spring”', 'Rename');
    await rename('Summer');
    await page.getByRole('link', { name: 'Summer' }).click();
    await page.getByRole('heading', { name: 'Summer' }).waitFor();
    await choose(page, 'More', 'Rename');
    await rename('');
    await page.getByRole('heading', { name: 'Untitled list' }).waitFor();
    expect(await jobOf(app, testKey, id)).toMatchObject({ name: null });
  });

  it('of a test key is saved as a file whose name says that it is a test', async () => {
    const { testKey, liveKey } = await app.anAccount();
    for (const [key, name] of [
      [testKey, 'Spring-verified-TEST.csv'],
      [liveKey, 'Spring-verified.csv'],
    ] as const) {
      const { id } = await aBulkJob(app, key, ['no address'], { name: 'Spring' });
      await workOn(app);
      const page = await open(key, `/lists/${id}`);
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Everything' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download', exact: true }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(name);
    }
  });
});
