import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NewAccount } from '../../../../src/modules/accounts/accounts/accounts.service.js';
import type { SchedulePage } from '../../../../src/modules/lists/schedules/schedules.dto.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  TestBrowser,
} from '../../../support/browser/browser.js';
import { MailSink } from '../../../support/mail/mail-sink.js';
import { ScheduleApp, serve } from '../../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../../support/schedules/scripted-listmonk.js';

(hasBrowser ? describe : describe.skip)('the form of a schedule', () => {
  let sink: MailSink;
  let world: ScheduleApp;
  let browser: TestBrowser;
  beforeAll(async () => {
    sink = await MailSink.start();
    world = await ScheduleApp.start({ INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example' });
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await world.stop();
    await sink.close();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const open = async (account: NewAccount, options = {}): Promise<Page> => {
    const page = await browser.page(world.app.url, options);
    await page.goto(`${world.app.url}/console/schedules#key=${account.liveKey}`);
    return page;
  };
  const schedulesOf = async ({ liveKey }: NewAccount) =>
    ((await world.app.get('/v1/schedules', liveKey)).body as SchedulePage).data;
  const press = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const sees = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).waitFor();

  it('reads the source before it adds, says what came in place of a list, and lets it be added anyway', async () => {
    const account = await world.app.anAccount();
    await world.sql('UPDATE users SET confirmed_at = now()');
    const source = await world.aSource('<html></html>', 'text/html');
    const page = await open(account);
    await page.getByRole('button', { name: 'Add the first schedule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Readers');
    await page.getByLabel('URL of the file').fill(source.url);
    await press(page, 'Add a schedule');
    await sees(page, /^The answer is text\/html, not CSV or NDJSON\./);
    expect(await schedulesOf(account)).toEqual([]);
    serve(source, 'Name,Work,Other\nJane,jane@list.invalid,no\nJohn,john@list.invalid,jim@list.invalid\n');
    await press(page, 'Check the source');
    await sees(page, 'Columns: Name, Work, Other. The addresses are in “Work”.');
    await sees(page, '2 rows, 2 with an address.');
    await page.getByLabel('Column with the addresses').fill('Other');
    await page.getByText('The source can be read.').waitFor({ state: 'detached' });
    await page.getByLabel('On', { exact: true }).selectOption('Wednesday');
    await page.getByLabel(`Mail ${account.user.email} when a run fails, at most once a day`).check();
    expect(await accessibilityViolations(page)).toEqual([]);
    await press(page, 'Add a schedule');
    await sees(page, /^Reads the file 127.+ every Wednesday at /);
    const [added] = await schedulesOf(account);
    expect(added).toMatchObject({ every: 'week', weekday: 'wednesday', notify: 'en' });
    expect(added?.source).toMatchObject({ email_column: 'Other' });
    // A page in place of the file fails its run, and may be stored if somebody wants it.
    serve(source, '<html></html>', 'text/html');
    await world.run(added!, account);
    await page.reload();
    await sees(page, 'Last run failed');
    await choose(page, 'Actions for “Readers”', 'Edit');
    await page.getByLabel('It runs').selectOption('every month');
    await page.getByLabel('On day').selectOption('the last day');
    await page.getByLabel('Column with the addresses').fill('');
    await press(page, 'Save');
    await sees(page, 'The source cannot be read.');
    await press(page, 'Save anyway');
    await sees(page, /^Reads the file 127.+ on the last day of every month at /);
    const [changed] = await schedulesOf(account);
    expect(changed).toMatchObject({ every: 'month', day_of_month: 31, notify: 'en' });
    expect(changed?.source.email_column).toBeNull();
  });

  it('shows the commonest reasons of a run that asks, with both answers', async () => {
    const account = await world.app.anAccount();
    const { url } = await world.aSource();
    const schedule = await world.aSchedule(account, { kind: 'url', url });
    const counts = {
      mailbox_not_found: 320,
      invalid_domain: 80,
      no_mail_server: 12,
      null_mx: 5,
      mailbox_disabled: 3,
    };
    const reasons = Object.entries(counts).map(([reason, count]) => ({ reason, count }));
    await world.sql(
      `INSERT INTO schedule_runs (id, schedule_id, team_id, state, rows, confirmation, confirm_by, created_at)
       VALUES ('run_asks', $1, $2, 'needs_confirmation', 1000, $3, now() + interval '7 days', now())`,
      [schedule.id, account.team.id, JSON.stringify({ subscribers: 420, share: 0.42, reasons })],
    );
    const page = await open(account);
    await sees(page, /^This run would blocklist 420 subscribers in listmonk, 42% of all/);
    const shown = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem').getByRole('listitem');
    expect((await shown.allInnerTexts()).map((text) => text.split(': ')[1])).toEqual([
      '320',
      '80',
      '12',
      '5',
      '3',
    ]);
    for (const name of ['Write them', 'Discard'])
      await page.getByRole('button', { name, exact: true }).waitFor();
  });

  it('shows the lists of a listmonk with their subscribers, in German too, and reads them once', async () => {
    const account = await world.app.anAccount();
    const listmonk = await ScriptedListmonk.start();
    listmonk.people.addList({ name: 'Leser', type: 'private', optin: 'single' });
    listmonk.people.addList({ name: 'Neue', type: 'private', optin: 'single' });
    for (let n = 0; n < 3; n++) listmonk.add(`leser${n}@list.invalid`);
    listmonk.people.count();
    const page = await open(account, { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Ersten Zeitplan anlegen' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Leser');
    await page.getByLabel('Quelle').selectOption('Listen von listmonk');
    await page.getByLabel('URL von listmonk').fill(listmonk.url);
    await page.getByLabel('API-Benutzer').fill(ScriptedListmonk.credentials.username);
    await page.getByLabel('Token').fill(ScriptedListmonk.credentials.token);
    await page.getByLabel('Listen', { exact: true }).fill('1, 9');
    await press(page, 'Quelle prüfen');
    await sees(page, 'listmonk hat keine Liste mit der Nummer 9. Ändern Sie die Nummern der Listen.');
    await page.getByLabel('Listen', { exact: true }).fill('1, 2');
    await press(page, 'Quelle prüfen');
    await sees(page, 'Leser (Liste 1): 3 Abonnenten');
    await sees(page, 'Neue (Liste 2): 0 Abonnenten');
    await sees(page, '3 Zeilen, davon 3 mit einer Adresse.');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const before = listmonk.paths('GET').filter((path) => path.startsWith('/api/subscribers')).length;
    await press(page, 'Zeitplan anlegen');
    await sees(page, /^Liest jeden \S+tag um .+ die Listen 1 und 2 von listmonk|^Liest jeden Mittwoch/);
    const after = listmonk.paths('GET').filter((path) => path.startsWith('/api/subscribers')).length;
    expect(after).toBe(before);
    await listmonk.stop();
  });
});
