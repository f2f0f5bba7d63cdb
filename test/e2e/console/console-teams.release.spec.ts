import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AccountsService, type NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  hold,
  TestBrowser,
} from '../../support/browser/browser.js';
import { KEPT_SCOPES, sendAndKeep } from '../../support/browser/kept-files.js';
import { untilTrue } from '../../support/browser/until-true.js';

const PHONE = { width: 390, height: 844 };

let app: TestApp;
let browser: TestBrowser;
let accounts = 0;

/** Of a team with a name of its own. */
function anAccount(): Promise<NewAccount> {
  const name = ['Acme', 'Globex'][accounts++ % 2]!;
  return app.service.app.get(AccountsService).create(`user${accounts}@team.example`, name, 'unlimited');
}

(hasBrowser ? describe : describe.skip)('a session of the console with several teams', () => {
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

  const open = async (path = ''): Promise<Page> => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}`);
    return page;
  };
  /** In front: Chromium draws a tab behind others once a second, and a wait or a click needs a frame. */
  const isOpen = async (page: Page, { team }: NewAccount) => {
    await page.bringToFront();
    await page.getByRole('button', { name: `Team: ${team.name}`, exact: true }).waitFor();
  };
  const add = async (page: Page, key: string) => {
    await page.bringToFront();
    await choose(page, 'Team: ', 'Add a team');
    await page.getByRole('dialog').getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
  };
  const verify = async (page: Page, address: string) => {
    await page.bringToFront();
    await page.getByLabel('Email address').fill(address);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: address }).waitFor();
  };
  const stored = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  const countLists = async ({ testKey }: NewAccount) =>
    ((await app.get('/v1/bulk-jobs', testKey)).body as { data: unknown[] }).data.length;

  it('lists its teams, marks the open one, and switches in all tabs', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.liveKey}`);
    const beside = await open('/team');
    await isOpen(beside, one);
    await add(page, two.liveKey);
    for (const tab of [page, beside]) await isOpen(tab, two);
    await beside.getByRole('heading', { name: two.team.name, level: 1 }).waitFor();
    const late = await open('/lists');
    await isOpen(late, two);
    await late.getByRole('button', { name: 'Team: ' }).click();
    const teams = late.getByRole('menu').getByRole('menuitemradio');
    await teams.nth(1).waitFor();
    expect(await late.getByRole('menuitemradio', { checked: true }).allInnerTexts()).toEqual([two.team.name]);
    expect(await late.getByRole('menuitemradio', { checked: false }).allInnerTexts()).toEqual([
      one.team.name,
    ]);
    for (const viewport of [PHONE, { width: 1_280, height: 800 }]) {
      await late.setViewportSize(viewport);
      expect(await accessibilityViolations(late)).toEqual([]);
    }
    await late.getByRole('menuitemradio', { name: one.team.name }).click();
    for (const tab of [page, beside, late]) await isOpen(tab, one);
  });

  it('tells two teams with one name apart', async () => {
    const named = (email: string) =>
      app.service.app.get(AccountsService).create(email, 'My team', 'unlimited');
    const [one, two] = [await named('one@same.example'), await named('two@same.example')];
    const page = await open(`#key=${one.liveKey}`);
    await isOpen(page, one);
    await add(page, two.liveKey);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Team: ' }).click();
    for (const { team } of [one, two])
      await page.getByRole('menuitemradio', { name: `My team (…${team.id.slice(-4)})` }).waitFor();
  });

  it('shows nothing of one team in another, and each has its own history and mode', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.testKey}`);
    await verify(page, 'first@example.com');
    await page.getByLabel('Email address').fill('draft-of-the-first@example.com');
    await add(page, two.liveKey);
    await isOpen(page, two);
    await page.getByRole('switch', { name: 'Test mode', checked: false }).waitFor();
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('');
    expect(await page.evaluate<string>('document.body.innerHTML')).not.toContain('first@example.com');
    await verify(page, 'second@nowhere.invalid');
    await choose(page, 'Team: ', one.team.name);
    await page.getByRole('switch', { name: 'Test mode', checked: true }).waitFor();
    await page.getByRole('button', { name: 'first@example.com' }).waitFor();
    expect(await page.evaluate<string>('document.body.innerHTML')).not.toContain('nowhere.invalid');
  });

  it('leaves the list of a team when another opens, also in the other tabs', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const { id } = await aBulkJob(app, one.testKey, ['jane@example.com'], { name: 'Customers of the first' });
    const page = await open(`#key=${one.testKey}`);
    const list = await open(`/lists/${id}`);
    await list.getByRole('heading', { name: 'Customers of the first' }).waitFor();
    await add(page, two.testKey);
    await list.bringToFront();
    await list.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await isOpen(list, two);
    await list.getByText('No lists yet').waitFor();
    expect(await list.evaluate<string>('document.body.innerHTML')).not.toContain('Customers of the first');
  });

  it('sends a list to the team that it was chosen in, and reports it there only', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`/lists#key=${one.testKey}`);
    const { arrived, release } = await hold(page, /\/v1\/verify\/bulk/);
    const buffer = Buffer.from('email\njane@example.com\n');
    await page.setInputFiles('input[type=file]', { name: 'first.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await arrived;
    await add(page, two.testKey);
    await isOpen(page, two);
    const sent = page.waitForResponse(/\/v1\/verify\/bulk/);
    const looked = page.waitForResponse(/\/v1\/bulk-jobs\/job_/);
    release();
    expect((await sent).status()).toBe(202);
    expect((await looked).status()).toBe(404);
    expect(await page.getByText('first is ready').count()).toBe(0);
    expect([await countLists(one), await countLists(two)]).toEqual([1, 0]);
    await choose(page, 'Team: ', one.team.name);
    await page
      .getByRole('link', { name: /^first/ })
      .first()
      .waitFor();
  });

  it('sends a list whose columns stay in the browser to the team that it was chosen in', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`/lists#key=${one.testKey}`);
    await sendAndKeep(page);
    await page.getByRole('heading', { name: 'What the list contains' }).waitFor();
    await page.getByRole('link', { name: 'All lists' }).click();
    await page.getByText('Choose a file').waitFor();
    // Before it stores another file, the console looks for the lists of those that it keeps.
    const { arrived, release } = await hold(page, /\/v1\/bulk-jobs\/job_/);
    await sendAndKeep(page);
    await arrived;
    await add(page, two.testKey);
    await isOpen(page, two);
    const sent = page.waitForResponse(/\/v1\/verify\/bulk/);
    release();
    expect((await sent).status()).toBe(202);
    expect([await countLists(one), await countLists(two)]).toEqual([2, 0]);
    expect(await page.evaluate(`${KEPT_SCOPES}.then((scopes) => scopes.length)`)).toBe(2);
  });

  it('verifies unknown rows again in the team of their list', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const { id } = await aBulkJob(app, one.testKey, ['timeout@example.com']);
    await workOn(app);
    const page = await open(`/lists/${id}#key=${one.testKey}`);
    const { arrived, release } = await hold(page, /\/results\?status=unknown$/);
    await page.getByRole('button', { name: 'Verify 1 unknown again' }).click();
    await arrived;
    await add(page, two.testKey);
    await isOpen(page, two);
    const sent = page.waitForResponse(/\/v1\/verify\/bulk/);
    release();
    expect((await sent).status()).toBe(202);
    expect([await countLists(one), await countLists(two)]).toEqual([2, 0]);
  });

  it('takes no key of the open team, or that is not valid', async () => {
    const [one] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.liveKey}`);
    await choose(page, 'Team: ', 'Add a team');
    const dialog = page.getByRole('dialog');
    expect(await accessibilityViolations(page)).toEqual([]);
    for (const [key, text] of [
      ['a-key', 'A key begins with'],
      [one.testKey, 'is open already'],
      [`rcpt_live_${'x'.repeat(38)}`, 'not valid'],
    ] as const) {
      await dialog.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').filter({ hasText: text }).waitFor();
    }
    expect(await page.evaluate(`sessionStorage.getItem('rcpt.key')`)).toBe(one.liveKey);
  });

  it('signs out of one team in all tabs, forgets what is its own, and asks which one to open', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.testKey}`);
    const beside = await open('/lists');
    await verify(page, 'first@example.com');
    await add(page, two.testKey);
    await isOpen(page, two);
    await verify(page, 'second@example.com');
    // Both have the same mode.
    expect(await page.getByRole('button', { name: 'first@example.com' }).count()).toBe(0);
    await choose(page, 'Team: ', `Sign out of “${two.team.name}”`);
    for (const tab of [page, beside]) {
      await tab.bringToFront();
      await tab.getByRole('button', { name: one.team.name }).waitFor();
      await tab.getByLabel('API key').waitFor();
      expect(await stored(tab)).not.toContain(two.testKey);
      expect(await stored(tab)).not.toContain('second@example.com');
    }
    await page.bringToFront();
    await page.setViewportSize(PHONE);
    expect(await accessibilityViolations(page)).toEqual([]);
    await beside.bringToFront();
    await beside.getByRole('button', { name: one.team.name }).click();
    for (const tab of [page, beside]) await isOpen(tab, one);
    await page.getByRole('button', { name: 'first@example.com' }).waitFor();
  });

  it('deletes the files that the browser keeps for the team that ends, and no others', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`/lists#key=${one.testKey}`);
    await sendAndKeep(page);
    await page.getByRole('heading', { name: 'What the list contains' }).waitFor();
    await add(page, two.testKey);
    await isOpen(page, two);
    await page.getByRole('link', { name: 'Lists' }).click();
    await sendAndKeep(page);
    await page.getByRole('heading', { name: 'What the list contains' }).waitFor();
    const both = [`${one.team.id} test`, `${two.team.id} test`].sort();
    expect(await page.evaluate(KEPT_SCOPES)).toEqual(both);
    await choose(page, 'Team: ', `Sign out of “${two.team.name}”`);
    await page.getByLabel('API key').waitFor();
    await untilTrue(page, `${KEPT_SCOPES}.then((left) => left.join() === '${one.team.id} test')`);
  });

  it('ends in all teams and tabs at once', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.liveKey}`);
    const beside = await open('/lists');
    await add(page, two.liveKey);
    await isOpen(beside, two);
    await choose(beside, 'Menu', 'Sign out of all teams');
    for (const tab of [page, beside]) {
      await tab.bringToFront();
      await tab.getByLabel('API key').waitFor();
      expect(await tab.getByRole('button', { name: one.team.name }).count()).toBe(0);
      for (const key of [one.liveKey, two.liveKey]) expect(await stored(tab)).not.toContain(key);
    }
  });

  it('goes on with no other team by itself when a key is revoked', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.liveKey}`);
    await add(page, two.liveKey);
    await isOpen(page, two);
    const { key } = (await app.get('/v1/me', two.liveKey)).body as { key: { id: string } };
    await app.delete(`/v1/keys/${key.id}`, two.liveKey).expect(200);
    app.clock.advance(5_000);
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByLabel('API key').waitFor();
    await page.getByRole('button', { name: one.team.name, exact: true }).click();
    await isOpen(page, one);
  });

  it('asks before the team of a link is added, and keeps the others then', async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    const page = await open(`#key=${one.liveKey}`);
    await isOpen(page, one);
    await page.evaluate(`location.hash = '#key=${two.liveKey}'`);
    await page.getByRole('heading', { name: `Sign in to the team “${two.team.name}”?` }).waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('rcpt.key')`)).toBe(one.liveKey);
    await page.getByRole('button', { name: 'Add this team and keep the others' }).click();
    await isOpen(page, two);
    await choose(page, 'Team: ', one.team.name);
    await isOpen(page, one);
  });
});
