import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { aTeam } from '../../support/app/a-team.js';

const PHONE = { width: 390, height: 844 };

let app: TestApp;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('what a team has done, in the console', () => {
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

  const open = async (key: string, path: string): Promise<Page> => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}#key=${key}`);
    return page;
  };

  it('finds a failed request by the id that an error has shown', async () => {
    const { liveKey } = await app.anAccount();
    for (const id of ['r-first', 'r-second'])
      await app.get('/v1/blocklist?limit=0', liveKey).set('X-Request-Id', id);
    await app.get('/v1/keys/key_00000000000000000000000000', liveKey);
    const page = await open(liveKey, '/requests');
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    await page.getByLabel('Request id', { exact: true }).fill('r-first');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().innerText()).toMatch(
      /GET \/v1\/blocklist\s+400 invalid_request\s+first live key$/,
    );
    await page.getByRole('button', { name: 'GET /v1/blocklist' }).click();
    const panel = page.getByRole('dialog', { name: 'Failed request' });
    expect(await panel.getByLabel('Request id', { exact: true }).innerText()).toBe('r-first');
    expect(await panel.getByRole('link').getAttribute('href')).toBe(`${app.url}/docs/errors#invalid_request`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    expect(await page.getByLabel('Request id', { exact: true }).inputValue()).toBe('r-first');
    await page.getByLabel('Request id', { exact: true }).fill('');
    await page.getByRole('button', { name: 'invalid_request' }).first().click();
    await rows.filter({ hasText: 'not_found' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show all errors' }).click();
    await rows.filter({ hasText: 'not_found' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('shows who changed what, filters it, and is saved as CSV', async () => {
    const { liveKey, user } = await app.anAccount();
    await app.post('/v1/blocklist', liveKey).send({ domain: 'blocked.example' });
    await app.request('patch', '/v1/team', liveKey).send({ retention_days: 7 });
    const page = await open(liveKey, '/team?tab=audit');
    const rows = page.locator('tbody tr');
    const changed = rows.filter({ hasText: 'changed the settings of the team' });
    await changed.getByText('→ 7').waitFor();
    expect(await changed.innerText()).toContain(user.email);
    const all = await rows.count();
    expect(all).toBeGreaterThan(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(all + 1);
    await changed.getByRole('button', { name: 'changed the settings' }).click();
    await rows.filter({ hasText: 'created the key' }).first().waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    // The filter is in the address.
    expect(page.url()).toContain('action=team.updated');
    await page.reload();
    await changed.waitFor();
    expect(await page.getByLabel('Action', { exact: true }).inputValue()).toBe('team.updated');
    await page.goBack();
    await rows.filter({ hasText: 'created the key first live key' }).waitFor();
    await page.goForward();
    await page.getByLabel('To').fill('2020-01-01');
    await page.getByText('No entries').waitFor();
    await page.getByLabel('To').fill('');
    await changed.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });

  it('has names and links, and every action by its subject', async () => {
    const { liveKey } = await app.anAccount();
    const form = { name: 'CRM import' };
    await app.post('/v1/keys', liveKey).send(form).expect(201);
    const hook = await app.post('/v1/webhooks', liveKey).send({ url: 'https://example.com/hook' });
    const page = await open(liveKey, '/team?tab=audit');
    await page.getByRole('row').filter({ hasText: 'created the key CRM import' }).waitFor();
    const link = page.getByRole('link', { name: 'https://example.com/hook' });
    expect(await link.getAttribute('href')).toBe(`/console/webhooks/${(hook.body as { id: string }).id}`);
    const action = page.getByLabel('Action', { exact: true });
    const requested: string[] = [];
    page.on('request', (request) => request.url().includes('/v1/audit') && requested.push(request.url()));
    await action.selectOption({ label: 'added the webhook' });
    await page.locator('tbody tr:only-child').waitFor();
    expect(requested).toHaveLength(1);
    const attributes = (selector: string, name: string) =>
      page.evaluate<(string | null)[]>(
        `[...document.querySelectorAll('select ${selector}')].map((each) => each.getAttribute('${name}'))`,
      );
    expect(await attributes('optgroup', 'label')).toContain('Members and invites');
    const options = await attributes('option', 'value');
    const documented = await readFile('docs/api.md', 'utf8');
    const actions = [
      ...documented.matchAll(
        /`((?:account|user|team|billing|member|invite|key|bulk|source|blocklist|disposable)\.[a-z_]+)`/g,
      ),
    ].map(([, name]) => name);
    expect(actions.filter((name) => !options.includes(name ?? null))).toEqual([]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('row').filter({ hasText: 'created the key CRM import' }).waitFor();
  });

  it('is not shown to members', async () => {
    const { member } = await aTeam(app);
    const page = await open(member, '/team');
    await page.getByRole('tab', { name: 'Blocklist' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0);
  });
});
