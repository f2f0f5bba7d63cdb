import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PolicyResponse } from '../../../../src/modules/verification/policy/policy.dto.js';
import { aBulkJob, workOn } from '../../../support/app/bulk.js';
import { anApp, type TestApp } from '../../../support/app/app.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  TestBrowser,
} from '../../../support/browser/browser.js';
import { setPolicy } from '../../../support/policy/policy-of.js';

(hasBrowser ? describe : describe.skip)('the form of a rule and its preview', () => {
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
    await page.goto(`${app.url}/console/policy#key=${key}`);
    return page;
  };
  const rulesOf = async (key: string) => ((await app.get('/v1/policy', key)).body as PolicyResponse).rules;
  const sentences = (page: Page) => page.getByRole('listitem').locator('p:first-child > bdi').allInnerTexts();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('never shows the figures of earlier rules as those of the rules of now', async () => {
    const { liveKey } = await app.anAccount();
    await aBulkJob(app, liveKey, ['jane@a.invalid', 'jane@b.invalid', 'joe@b.invalid', 'x']);
    await workOn(app);
    const rule = (id: string, domain: string) => ({ id, when: { domain }, decision: 'review' });
    await setPolicy(app, liveKey, [rule('a', 'a.invalid'), rule('b', 'b.invalid')]);
    const page = await open(liveKey);
    let answer = () => undefined as void;
    await page.route('**/v1/policy/preview', async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    const asked = () => page.waitForRequest('**/v1/policy/preview');
    const remove = async () => {
      const request = asked();
      await choose(page, 'Actions of rule 1', 'Delete');
      await request;
    };
    await remove();
    await page.getByText('Counting what changes…').waitFor();
    answer();
    await page.getByText('1 of 4 stored results would change (1 Review → Reject).').waitFor();
    await remove();
    await page.getByText('Counting what changes…').waitFor();
    expect(await page.getByText('1 of 4').count()).toBe(0);
    await page.locator('[aria-busy=true]').waitFor();
    answer();
    await page.getByText('3 of 4 stored results would change (3 Review → Reject).').waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    await button(page, 'Discard changes').click();
  });

  it('leads from a change to its rows, in a tab of its own', async () => {
    const { liveKey } = await app.anAccount();
    await aBulkJob(app, liveKey, ['jane@a.invalid', 'jane@b.invalid']);
    await workOn(app);
    const page = await open(liveKey);
    await button(page, 'Review if the domain accepts every address.').waitFor();
    await button(page, 'Add a rule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Condition').selectOption('domain');
    await dialog.getByLabel('Value').fill('b.invalid');
    await dialog.getByLabel('Decision').selectOption('accept');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const popup = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Show 1 of b.invalid' }).click();
    const rows = await popup;
    await rows.getByRole('button', { name: 'jane@b.invalid' }).waitFor();
    expect(await rows.getByRole('button', { name: 'jane@a.invalid' }).count()).toBe(0);
    await rows.close();
    await button(page, 'Discard changes').click();
  });

  it('says whether one or all properties must be true, and makes a rule for each of which one is enough', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await button(page, 'Add a rule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('disposable').check();
    await dialog.getByLabel('no-reply').check();
    await dialog.getByText('2 rules, of which one is enough:').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const all = 'Reject if the domain is disposable and it is a no-reply address.';
    await dialog.getByLabel('How many must be true').selectOption('all');
    await dialog.getByText(all).waitFor();
    await dialog.getByLabel('How many must be true').selectOption('any');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await button(page, 'Save').click();
    await page.getByText('Stored. It takes effect').waitFor();
    expect((await rulesOf(liveKey)).map(({ when }) => when)).toEqual([
      { checks: 'disposable' },
      { checks: 'no_reply' },
    ]);
    await choose(page, 'Actions of rule 1', 'Edit');
    // A rule that is there has its properties together.
    expect(await dialog.getByLabel('How many must be true').inputValue()).toBe('all');
    await dialog.getByLabel('role').check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    expect(await sentences(page)).toEqual([
      'Reject if the domain is disposable and the address belongs to a role.',
      'Reject if it is a no-reply address.',
    ]);
    await button(page, 'Discard changes').click();
  });

  it('groups reasons by status, filters them, and quotes them in the sentence, in German too', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, { locale: 'de-DE' });
    await button(page, 'Regel hinzufügen').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Bedingung', { exact: true }).selectOption('reason');
    await dialog.getByRole('group', { name: 'Riskant' }).getByLabel('Nimmt jede Adresse an').waitFor();
    const boxes = dialog.getByRole('checkbox');
    expect(await boxes.count()).toBeGreaterThan(20);
    await dialog.getByLabel('Filtern').fill('nimmt jede');
    expect(await boxes.count()).toBe(1);
    await boxes.check();
    await dialog.getByText('Ablehnen, wenn der Grund „Nimmt jede Adresse an“ ist.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    page.once('dialog', (question) => void question.accept());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('offers rules that most teams want where there are none', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await button(page, 'Reject if the domain is disposable.').click();
    await button(page, 'Save').click();
    await page.getByText('Stored. It takes effect').waitFor();
    expect(await rulesOf(liveKey)).toMatchObject([{ when: { checks: 'disposable' }, decision: 'reject' }]);
  });

  it('asks before Escape forgets what was entered, and not where nothing was', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await button(page, 'Add a rule').click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Add a rule').click();
    await dialog.getByLabel('Note').fill('Contract');
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void (questions.length === 1 ? question.dismiss() : question.accept());
    });
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Note').waitFor();
    expect(questions).toEqual(['The rule is not applied. Close it, and forget what you entered?']);
    expect(await dialog.getByLabel('Note').inputValue()).toBe('Contract');
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});
