import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../../src/modules/accounts/accounts/accounts.service.js';
import { aBulkJob, aHeldJob, previewOn, workOn } from '../../../support/app/bulk.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  TestBrowser,
} from '../../../support/browser/browser.js';
import { CONSOLE_PAGES, pathOf } from '../../../support/browser/console-pages.js';
import { surveyOf } from '../../../support/browser/page-survey.js';
import { ScheduleApp } from '../../../support/schedules/schedule-app.js';

const PAGES = [
  ...Object.values(CONSOLE_PAGES),
  '/team?tab=settings',
  '/team?tab=disposable',
  // What is not there.
  '/lists/job_00000000000000000000000000',
  '/schedules/sch_00000000000000000000000000',
  '/webhooks/whk_00000000000000000000000000',
  '/nothing',
];

let world: ScheduleApp;
let account: NewAccount;
let browser: TestBrowser;
let ids: Record<string, string>;

(hasBrowser ? describe : describe.skip)('every page of the console', () => {
  beforeAll(async () => {
    world = await ScheduleApp.start();
    const { app } = world;
    account = await app.anAccount();
    const key = account.liveKey;
    const emails = ['not an address', 'jane@list.invalid', 'admin@list.invalid', 'jane@list.invalid'];
    const list = await aBulkJob(app, key, emails, { name: 'Newsletter' });
    await workOn(app);
    const held = await aHeldJob(app, key, emails, { name: 'Fair' });
    await previewOn(app);
    const source = await world.aSource();
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url });
    await world.run(schedule, account);
    const webhook = (await app.post('/v1/webhooks', key).send({ url: source.url })).body as { id: string };
    await app.post(`/v1/webhooks/${webhook.id}/test`, key).expect(202);
    await app.get('/v1/verify?email=', key).expect(400);
    ids = { list: list.id, held: held.id, schedule: schedule.id, webhook: webhook.id };
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await world.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it.each(PAGES)(
    'has its order and its parts with zoom, forced colours and without motion, in both languages: %s',
    async (path) => {
      const page = await browser.page(world.app.url);
      await page.goto(`${world.app.url}/console${pathOf(path, ids)}#key=${account.liveKey}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.locator('main [class*=skeleton]').first().waitFor({ state: 'detached' });
      expect(await surveyOf(page)).toEqual([]);
      await choose(page, 'Menu', 'Deutsch');
      await page.locator('html[lang=de]').waitFor();
      expect([...(await surveyOf(page)), ...(await accessibilityViolations(page))]).toEqual([]);
    },
    60_000,
  );

  it('has its order and its parts for who is not signed in', async () => {
    const page = await browser.page(world.app.url);
    await page.goto(`${world.app.url}/console`);
    await page.getByLabel('API key').waitFor();
    expect([...(await surveyOf(page)), ...(await accessibilityViolations(page))]).toEqual([]);
  });
});
