import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

const PHONE = { width: 390, height: 844 };

let app: TestApp;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('the page of keys', () => {
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

  const open = async (key: string, path = '/keys'): Promise<Page> => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}#key=${key}`);
    return page;
  };
  const created = async (by: string, body: object) =>
    (await app.post('/v1/keys', by).send(body).expect(201)).body as { id: string; last4: string };

  it('tells keys of the same name apart by owner, date, mode and last use, and names them before the end', async () => {
    const { owner, member } = await aTeam(app);
    const emailOf = async (key: string) =>
      ((await app.get('/v1/me', key)).body as { user: { email: string } }).user.email;
    const [ofOwner, ofMember] = [await emailOf(owner), await emailOf(member)];
    const own = await created(owner, { name: 'import' });
    const other = await created(member, { name: 'import', mode: 'test' });
    await created(owner, { name: 'batch', service: true });
    const page = await open(owner);
    const rows = page.getByRole('row').filter({ hasText: 'import' });
    await rows.nth(1).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(
      expect.arrayContaining(['Owner', 'Created', 'Last used']),
    );
    expect(await rows.filter({ hasText: ofOwner }).filter({ hasText: 'Test' }).count()).toBe(0);
    await rows.filter({ hasText: ofMember }).getByText('Test', { exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: 'batch' }).getByText('the team').waitFor();
    // The key of the session has just been used.
    await page
      .getByRole('row')
      .filter({ hasText: 'this session' })
      .getByText('now', { exact: true })
      .last()
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await rows.filter({ hasText: ofMember }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByText(`Revoke “import” (rcpt_test_…${other.last4}, ${ofMember})?`).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await rows.filter({ hasText: ofOwner }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('CRM import');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('row').filter({ hasText: 'CRM import' }).getByText(own.last4).waitFor();
    await page.setViewportSize(PHONE);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });

  it('opens the dialog for a new key by its address, which the first steps lead to', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/keys?new=publishable');
    const kind = page.getByRole('dialog').getByLabel('Kind');
    await kind.waitFor();
    expect(await kind.inputValue()).toBe('publishable');
    await page.keyboard.press('Escape');
    await page.waitForURL(`${app.url}/console/keys`);
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByRole('link', { name: 'Create an API key' }).click();
    expect(await kind.inputValue()).toBe('secret');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(page, 'Menu', 'Sign out');
  });
});
