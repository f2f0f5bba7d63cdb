import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { SchedulePage, ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import { joinTeam } from '../../support/app/joins.js';
import { accessibilityViolations, choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { ScheduleApp, serve } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import { answering } from '../../support/webhooks/webhook-receiver.js';

const LIST = 'email\none@list.invalid\ntwo@list.invalid\n';

(hasBrowser ? describe : describe.skip)('the page Schedules', () => {
  let world: ScheduleApp;
  let browser: TestBrowser;
  beforeAll(async () => {
    world = await ScheduleApp.start();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await world.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const open = async (key: string, options = {}, path = ''): Promise<Page> => {
    const page = await browser.page(world.app.url, options);
    await page.goto(`${world.app.url}/console/schedules${path}#key=${key}`);
    return page;
  };
  const schedulesOf = async (key: string) =>
    ((await world.app.get('/v1/schedules', key)).body as SchedulePage).data;
  const scheduleOf = async (key: string, id: string) =>
    (await world.app.get(`/v1/schedules/${id}`, key)).body as ScheduleResponse;
  const secretOf = async (id: string) =>
    (await world.sql<{ secret: string }>('SELECT secret FROM schedules WHERE id = $1', [id]))[0]?.secret;
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const submit = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const sees = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).waitFor();
  /** Without violations, and inside its window at 320 px. */
  const looksRight = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.setViewportSize({ width: 1280, height: 720 });
  };

  it('leads from an empty page to the first schedule, of a file, and shows what its runs have found', async () => {
    const account = await world.app.anAccount();
    const source = await world.aSource(LIST);
    const page = await open(account.liveKey, { timezoneId: 'Asia/Kolkata' });
    await button(page, 'Add the first schedule').click();
    await page.getByLabel('Name', { exact: true }).fill('Newsletter');
    await page.getByLabel('URL of the file').fill(source.url);
    await page.getByLabel('Headers of the request').fill('Authorization: Bearer value\nX-Team');
    await page.getByLabel('It runs').selectOption('every day');
    await page
      .getByLabel('At', { exact: true })
      .selectOption('20:00 UTC (01:30 in your time zone, on the next day)');
    await submit(page, 'Add a schedule');
    await sees(page, 'Line 2: write a name, a colon and a value.');
    expect(await page.evaluate('document.activeElement.name')).toBe('headers');
    await page.getByLabel('Headers of the request').fill('Authorization: Bearer value');
    await looksRight(page);
    await submit(page, 'Add a schedule');
    await sees(
      page,
      /^Reads the file 127.+ every day at 20:00 UTC \(01:30 .+\), and verifies addresses that/,
    );
    await sees(page, /^Next run: .+ 01:30\.$/);
    await button(page, 'Run now: Newsletter').click();
    await sees(page, 'The source is read next, or now.');
    await world.work();
    await sees(page, '2 rows: 0 unchanged, 2 addresses verified (2 new).');
    expect(source.received[0]?.headers.authorization).toBe('Bearer value');
    serve(source, `${LIST}three@list.invalid\n`);
    await world.sql(
      `UPDATE schedule_members SET verified_at = verified_at - interval '40 days', status = 'risky'`,
    );
    await button(page, 'Run now: Newsletter').click();
    await sees(page, 'The source is read next, or now.');
    await world.work();
    await sees(page, '3 rows: 0 unchanged, 3 addresses verified (1 new, 2 with an old result).');
    await sees(page, 'Changed status: 2 now “Undeliverable”.');
    await looksRight(page);
    // Its page, its runs, and the list of one, which leads back.
    await page.getByRole('link', { name: 'Newsletter' }).click();
    await page.getByRole('row', { name: '2 addresses verified (2 new)' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Newsletter', level: 1 }).waitFor();
    await page.getByText('From the schedule Newsletter').getByRole('link').click();
    await sees(page, /Headers of the request: Authorization$/);
    expect(await page.content()).not.toContain('Bearer value');
    await looksRight(page);
    await page.goBack();
    const [{ id }] = (await schedulesOf(account.liveKey)) as [ScheduleResponse];
    await world.app.delete(`/v1/schedules/${id}`, account.liveKey).expect(204);
    await page.reload();
    await sees(page, 'From a schedule that was deleted.');
  });

  it('keeps the token of listmonk unless one is entered, and sends what has changed', async () => {
    const account = await world.app.anAccount();
    const listmonk = await ScriptedListmonk.start();
    for (const name of ['One', 'Two', 'Three', 'Four'])
      listmonk.people.addList({ name, type: 'private', optin: 'single' });
    const page = await open(account.liveKey);
    await button(page, 'Add a schedule').click();
    await page.getByLabel('Name', { exact: true }).fill('Readers');
    await page.getByLabel('Source').selectOption('Lists of listmonk');
    await page.getByLabel('URL of listmonk').fill(listmonk.url);
    await page.getByLabel('API user').fill(ScriptedListmonk.credentials.username);
    await page.getByLabel('Token').fill(ScriptedListmonk.credentials.token);
    await page.getByLabel('Lists', { exact: true }).fill('one');
    await page.getByLabel(/^Subscribers whose address is undeliverable are blocklisted/).check();
    await sees(page, 'Nobody is ever deleted, and a subscriber with a new address is left alone.');
    await submit(page, 'Add a schedule');
    await sees(page, 'Enter whole numbers, separated by commas.');
    await page.getByLabel('Lists', { exact: true }).fill('1, 4');
    await submit(page, 'Add a schedule');
    await sees(page, /^Reads lists 1 and 4 of listmonk at 127.+ every .+day at 03:00 UTC, and verifies/);
    await sees(
      page,
      /Undeliverable subscribers are blocklisted in listmonk, which ends all .+\. Nobody is deleted\.$/,
    );
    const [before] = await schedulesOf(account.liveKey);
    const secret = await secretOf(before!.id);
    listmonk.add('gone@list.invalid');
    const moved = listmonk.add('moved@list.invalid');
    await button(page, 'Run now: Readers').click();
    await sees(page, 'The source is read next, or now.');
    await world.advance();
    moved.email = 'other@list.invalid';
    await world.work();
    await sees(page, /^1 subscriber was not changed in listmonk: gone, with another address, refused/);
    expect(listmonk.subscribers.get(1)?.status).toBe('blocklisted');
    await choose(page, 'Actions for “Readers”', 'Edit');
    expect(await page.getByLabel('Token').inputValue()).toBe('');
    await sees(page, 'A token is stored. Leave this empty to keep it.');
    await page.getByLabel('Lists', { exact: true }).fill('4');
    await page.getByLabel('Verify again after').fill('90');
    await looksRight(page);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await submit(page, 'Save');
    expect(Object.keys((await sent).postDataJSON() as object)).toEqual(['max_age_days', 'source']);
    await sees(page, /^Reads list 4 of listmonk at .+ more than 90 days ago\./);
    expect(await secretOf(before!.id)).toBe(secret);
    // Another host gets no stored secret.
    await choose(page, 'Actions for “Readers”', 'Edit');
    await page.getByLabel('URL of listmonk').fill('https://other.example');
    await sees(page, 'The stored token is not sent to another host. Enter it again.');
    await page.getByLabel('Token').fill('other');
    await page.getByLabel('URL of listmonk').fill('https://other.example:22');
    await submit(page, 'Save');
    await sees(page, 'Send a URL with port 80, 443, or one from 1024 to 65535.');
    await page.getByLabel('URL of listmonk').fill('https://other.example');
    await submit(page, 'Save');
    await submit(page, 'Save anyway');
    await sees(page, /^Reads list 4 of listmonk at other\.example/);
    expect(await secretOf(before!.id)).not.toBe(secret);
    await listmonk.stop();
  });

  it.each([
    ['Write them', 'en', 60],
    ['Verwerfen', 'de', 0],
  ])('shows what a run would blocklist, and takes the answer “%s”', async (answer, locale, expected) => {
    const account = await world.app.anAccount();
    const listmonk = await ScriptedListmonk.start();
    for (let n = 0; n < 60; n++) listmonk.add(`gone${n}@list.invalid`);
    const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
    const schedule = await world.aSchedule(account, listmonk.source(), action);
    await world.run(schedule, account);
    const page = await open(account.liveKey, { locale }, `/${schedule.id}`);
    const [says, means, state] =
      locale === 'en'
        ? [
            /^This run would blocklist 60 subscribers in listmonk, 100% of all/,
            /^listmonk ends all/,
            'Completed',
          ]
        : [/^Dieser Lauf würde 60 Abonnenten in listmonk sperren/, /^listmonk beendet alle/, 'Verworfen'];
    await sees(page, says);
    await sees(page, means);
    await looksRight(page);
    await button(page, answer).click();
    if (expected > 0) await submit(page, answer);
    await page.getByText(says).waitFor({ state: 'detached' });
    await world.work();
    await sees(page, state);
    const blocked = [...listmonk.subscribers.values()].filter(({ status }) => status === 'blocklisted');
    expect(blocked).toHaveLength(expected);
    await listmonk.stop();
  });

  it('says why it was disabled after three failures and what to do, and enables it again', async () => {
    const account = await world.app.anAccount();
    const source = await world.aSource();
    source.behave = answering(403);
    const schedule = await world.aSchedule(account, {
      kind: 'url',
      url: source.url,
      headers: { 'X-Key': 'a' },
    });
    for (let n = 0; n < 3; n++) await world.run(schedule, account);
    const page = await open(account.liveKey);
    await sees(page, 'Disabled, because three runs in a row have failed.');
    await sees(page, /^The source answered 401 or 403\. .+ Correct that, then enable it again\.$/);
    await looksRight(page);
    await choose(page, 'Actions for “Newsletter”', 'Edit');
    await sees(page, 'Stored: X-Key. The values are not shown.');
    await page.getByLabel('Replace the stored headers').check();
    await page.getByLabel('Headers of the request').fill('X-Key: b');
    serve(source, LIST);
    await submit(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, 'Enable: Newsletter').click();
    await sees(page, /^Next run: /);
    await button(page, 'Run now: Newsletter').click();
    await sees(page, 'The source is read next, or now.');
    await world.work();
    await sees(page, '2 rows: 0 unchanged, 2 addresses verified (2 new).');
    expect(source.received.at(-1)?.headers['x-key']).toBe('b');
    await choose(page, 'Actions for “Newsletter”', 'Disable');
    await sees(page, 'It runs only when you start it.');
    await button(page, 'Undo').click();
    await sees(page, /^Next run: /);
    expect(await scheduleOf(account.liveKey, schedule.id)).toMatchObject({ enabled: true });
  });

  it('shows runs page by page, those that failed with what to do, in German too, and asks before it deletes', async () => {
    const account = await world.app.anAccount();
    const source = await world.aSource('<html></html>', 'text/html');
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url }, { every: 'month' });
    await world.run(schedule, account);
    await world.sql(
      `INSERT INTO schedule_runs (id, schedule_id, team_id, state, created_at, finished_at)
       SELECT 'run_old' || n, $1, $2, 'completed', now() - n * interval '1 day', now() FROM generate_series(1, 30) n`,
      [schedule.id, account.team.id],
    );
    const page = await open(account.liveKey, { locale: 'de-DE' }, `/${schedule.id}`);
    await sees(
      page,
      /^Die Antwort ist text\/html, nicht CSV oder NDJSON\. Prüfen Sie, ob die URL zur Datei führt/,
    );
    await sees(
      page,
      /^Liest am (\d+\.|letzten Tag) jedes Monats .*um 03:00 UTC die Datei 127.+ geprüft wurden\./,
    );
    const rows = page.getByRole('row');
    expect(await rows.count()).toBe(26);
    await looksRight(page);
    await button(page, 'Nächste Seite →').click();
    await page.locator('tbody tr:first-child:nth-last-child(6)').waitFor();
    await choose(page, 'Aktionen für „Newsletter“', 'Löschen');
    await sees(
      page,
      /^„Newsletter“ mit allen Angaben über seine Läufe löschen\? Die Listen der Läufe bleiben/,
    );
    await button(page, 'Zeitplan löschen').click();
    await sees(page, 'Noch keine Zeitpläne');
    expect(await schedulesOf(account.liveKey)).toEqual([]);
    await looksRight(page);
    await button(page, 'Ersten Zeitplan anlegen').click();
    await page.getByLabel('Name', { exact: true }).fill('Leser');
    await page.getByLabel('URL der Datei').fill('https://example.com:22/leser.csv');
    await submit(page, 'Zeitplan anlegen');
    await sees(page, /^Diese URL liest der Dienst nicht: https, ein Name im öffentlichen Internet, Port 80/);
    expect(await page.evaluate('document.activeElement.name')).toBe('url');
    await looksRight(page);
  });

  it('lets members manage schedules, shows test keys what there is, and says which tier has none', async () => {
    const account = await world.app.anAccount();
    const schedule = await world.aSchedule(account, { kind: 'url', url: 'https://example.com/list.csv' });
    const { key } = await joinTeam(world.app, account);
    const member = await browser.page(world.app.url);
    await member.goto(`${world.app.url}/console#key=${key}`);
    await member.getByRole('button', { name: 'Commands' }).click();
    await member.getByRole('option', { name: 'Schedules' }).click();
    await button(member, 'Run now: Newsletter').click();
    await sees(member, 'The source is read next, or now.');
    const test = await open(account.testKey);
    await sees(test, 'A live key is needed to add, change and run schedules.');
    await test.getByRole('link', { name: 'Newsletter' }).waitFor();
    expect(await test.getByRole('button', { name: /schedule|Run|Actions for/ }).count()).toBe(0);
    const free = await world.app.anAccount('free');
    await world.sql('UPDATE schedules SET team_id = $1 WHERE id = $2', [free.team.id, schedule.id]);
    const page = await open(free.liveKey);
    await sees(page, 'The tier “free” has no schedules');
    await button(page, 'Actions for “Newsletter”').waitFor();
    expect(await page.getByRole('button', { name: /schedule|Run/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'See the plan' }).click();
    await sees(page, 'No schedules');
  });
});
