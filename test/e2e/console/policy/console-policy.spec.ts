import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PolicyResponse } from '../../../../src/modules/verification/policy/policy.dto.js';
import { aBulkJob, workOn } from '../../../support/app/bulk.js';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { joinTeam } from '../../../support/app/joins.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  TestBrowser,
} from '../../../support/browser/browser.js';
import { setPolicy } from '../../../support/policy/policy-of.js';

const RULES = [
  { id: 'a', when: { checks: 'disposable' }, decision: 'reject' },
  {
    id: 'b',
    when: { domain_suffix: 'partner.example', estimate_below: 0.5 },
    unless: { email: 'jane@partner.example' },
    decision: 'accept',
    note: 'Contract',
  },
  { id: 'c', when: { status: ['risky', 'unknown'] }, decision: 'review' },
];

(hasBrowser ? describe : describe.skip)('the page Policy', () => {
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
  const policyOf = async (key: string) => (await app.get('/v1/policy', key)).body as PolicyResponse;
  const idsOf = async (key: string) => (await policyOf(key)).rules.map(({ id }) => id);
  const sentences = (page: Page) => page.getByRole('listitem').locator('p:first-child > bdi').allInnerTexts();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('makes a rule with an exception, shows without a press what it would change, and stores it', async () => {
    const { liveKey } = await app.anAccount();
    await aBulkJob(app, liveKey, ['jane@a.invalid', 'jane@b.invalid', 'x']);
    await workOn(app);
    const page = await open(liveKey);
    await button(page, 'Add a rule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Decision').selectOption('review');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('Choose at least one.').waitFor();
    await dialog.getByLabel('Condition').selectOption('tld');
    await dialog.getByLabel('Value').fill('invalid, test');
    await button(page, 'Add an exception').click();
    await dialog.getByLabel('Condition').nth(1).selectOption('domain');
    await dialog.getByLabel('Value').nth(1).fill('B.invalid');
    await dialog.getByLabel('Note').fill('Typing errors');
    await dialog.getByLabel('Valid until').fill('2030-01-31');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page
      .getByText('Review if the top-level domain is invalid or test, unless the domain is B.invalid.')
      .waitFor();
    expect((await policyOf(liveKey)).rules).toEqual([]);
    await page.getByText('1 of 3 stored results would change (1 Reject → Review).').waitFor();
    await page
      .getByRole('row', { name: 'a.invalid No such domain Reject Review 1 Show 1 of a.invalid' })
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await button(page, 'Save').click();
    await page.getByText('Stored. It takes effect within five seconds.').waitFor();
    expect((await policyOf(liveKey)).rules).toEqual([
      {
        id: expect.stringMatching(/^rule_/),
        when: { tld: ['invalid', 'test'] },
        unless: { domain: 'b.invalid' },
        decision: 'review',
        note: 'Typing errors',
        expires_at: '2030-02-01T00:00:00Z',
      },
    ]);
  });

  it('stores rules behind a proxy that compresses, which marks the ETag as weak', async () => {
    const { liveKey } = await app.anAccount();
    await setPolicy(app, liveKey, RULES);
    const page = await browser.page(app.url);
    await page.route('**/v1/policy', async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      await route.fulfill({ response, headers: { ...headers, etag: `W/${headers.etag}` } });
    });
    await page.goto(`${app.url}/console/policy#key=${liveKey}`);
    await choose(page, 'Actions of rule 3', 'Delete');
    await button(page, 'Save').click();
    await page.getByText('Stored. It takes effect').waitFor();
    expect(await idsOf(liveKey)).toEqual(['a', 'b']);
  });

  it('orders rules by dragging, by arrow keys and by a menu', async () => {
    const { liveKey } = await app.anAccount();
    await setPolicy(app, liveKey, RULES);
    const page = await open(liveKey);
    await button(page, 'Move rule 3').dragTo(page.getByRole('listitem').first());
    await page.getByText('The rule is number 1 of 3.').waitFor({ state: 'attached' });
    await button(page, 'Move rule 1').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('The rule is number 2 of 3.').waitFor({ state: 'attached' });
    // The focus is still on the rule.
    await page.keyboard.press('ArrowDown');
    await page.getByText('The rule is number 3 of 3.').waitFor({ state: 'attached' });
    await choose(page, 'Actions of rule 2', 'Move up');
    await button(page, 'Save').click();
    await page.getByText('Stored. It takes effect').waitFor();
    expect(await idsOf(liveKey)).toEqual(['b', 'a', 'c']);
    await choose(page, 'Actions of rule 3', 'Delete');
    await button(page, 'Discard changes').click();
    expect(await sentences(page)).toHaveLength(3);
  });

  it('says when somebody else has changed the rules, and stores over them only when asked', async () => {
    const { liveKey } = await app.anAccount();
    await setPolicy(app, liveKey, RULES);
    const page = await open(liveKey);
    await choose(page, 'Actions of rule 1', 'Delete');
    await setPolicy(app, liveKey, RULES.slice(2));
    await button(page, 'Save').click();
    await page.getByText('Somebody else has changed the rules since you began.').waitFor();
    expect(await idsOf(liveKey)).toEqual(['c']);
    await button(page, 'Store mine instead').click();
    await page.getByText('Stored. It takes effect').waitFor();
    expect(await idsOf(liveKey)).toEqual(['b', 'c']);
  });

  it('says which value of which rule is not valid', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await button(page, 'Add a rule').click();
    await page.getByRole('dialog').getByLabel('Condition').selectOption('domain_suffix');
    await page.getByRole('dialog').getByLabel('Value').fill('a.example, *.b.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    // Before it is stored: the preview has read it.
    await page.getByText('Rule 1, Domain with subdomains: “*.b.example” is not valid.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Rule 1, Domain with subdomains: “*.b.example” is not valid.').waitFor();
    await button(page, 'Discard changes').click();
  });

  it('shows members the rules as sentences, in German too, and no way to change them', async () => {
    const account = await app.anAccount();
    await setPolicy(app, account.liveKey, RULES);
    const { key } = await joinTeam(app, account);
    const page = await open(key);
    await page.getByText('Owners and admins change the rules.').waitFor();
    expect(await sentences(page)).toEqual([
      'Reject if the domain is disposable.',
      'Accept if the domain is partner.example or a subdomain of it and less than 50% of the mails arrive, unless the address is jane@partner.example.',
      'Review if the status is Risky or Unknown.',
    ]);
    expect(await page.getByRole('button', { name: /Add|Move|Actions of|Save/ }).count()).toBe(0);
    const german = await open(key, { locale: 'de-DE' });
    await german.getByText('Inhaber und Verwalter ändern die Regeln.').waitFor();
    expect(await sentences(german)).toEqual([
      'Ablehnen, wenn die Domain eine Wegwerf-Domain ist.',
      expect.stringMatching(
        /^Annehmen, wenn die Domain partner\.example oder eine Subdomain davon ist und weniger als 50\s% der Mails ankommen, außer wenn die Adresse jane@partner\.example ist\.$/,
      ),
      'Prüfen, wenn der Status Riskant oder Unbekannt ist.',
    ]);
  });
});
