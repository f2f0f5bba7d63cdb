import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app/app.js';
import { aBulkJob } from '../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';

let hooks: WebhookApp;
let app: TestApp;
let browser: TestBrowser;

async function open(key: string, path = ''): Promise<Page> {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  await page.getByRole('button', { name: 'Commands' }).waitFor();
  return page;
}

/** Opens the menu by its keys, and types. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type(text);
}

const chosen = (page: Page, name: string) => page.getByRole('option', { name, exact: true, selected: true });

(hasBrowser ? describe : describe.skip)('the command menu', () => {
  beforeAll(async () => {
    hooks = await WebhookApp.start();
    app = hooks.app;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await hooks.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('opens a page by the keyboard alone, also out of a field, and is loaded only then', async () => {
    const { liveKey } = await app.anAccount();
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console#key=${liveKey}`);
    await page.getByLabel('Email address').focus();
    const before = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    expect(before.some((name) => name.includes('command-menu'))).toBe(false);
    await find(page, 'usa');
    await chosen(page, 'Usage').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('moves through what was found with the arrow keys, and says which option is chosen', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await find(page, 'theme');
    await page.getByText('Nothing has this name.').waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill('appearance');
    await chosen(page, 'Appearance: Light').waitFor();
    await page.keyboard.press('ArrowDown');
    await chosen(page, 'Appearance: Dark').waitFor();
    const active = await page.getByRole('dialog').getByRole('combobox').getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).innerText()).toBe('Appearance: Dark');
    await page.keyboard.press('ArrowDown');
    await chosen(page, 'Appearance: Light').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('finds a list and a webhook by name', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['a@example.com'], { name: 'Spring customers' });
    await aBulkJob(app, testKey, ['b@example.com'], { name: 'Autumn customers' });
    const body = {
      url: (await hooks.aReceiver()).url,
      description: 'Orders',
      events: ['bulk_job.completed'],
    };
    const webhook = (await app.post('/v1/webhooks', testKey).send(body)).body as { id: string };
    const page = await open(testKey);
    await find(page, 'spring');
    await chosen(page, 'Spring customers').waitFor();
    await page.getByRole('option', { name: 'Autumn customers' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/lists/${id}`);
    await find(page, 'orders');
    await chosen(page, `Orders (${body.url})`).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/webhooks/${webhook.id}`);
  });

  it('D9: begins with lists and actions, and opens the forms of what is new', async () => {
    const { liveKey } = await app.anAccount();
    await aBulkJob(app, liveKey, ['a@example.com'], { name: 'Spring customers' });
    const page = await open(liveKey);
    await find(page, '');
    await chosen(page, 'Spring customers').waitFor();
    const labels = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[role=listbox] [role=group]')].map(({ ariaLabel }) => ariaLabel)",
    );
    expect(labels).toEqual(['Lists', 'Actions', 'Pages']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const [text, action, form] of [
      ['invite', 'Invite somebody', 'Invite somebody'],
      ['policy rule', 'Add a policy rule', 'New rule'],
      ['add schedule', 'Add a schedule', 'Add a schedule'],
      ['add webhook', 'Add a webhook', 'Add an endpoint'],
    ] as const) {
      await find(page, text);
      await page.getByRole('option', { name: action, exact: true }).click();
      await page.getByRole('dialog', { name: form }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(page.url()).not.toContain('new=');
    }
    // A page is found by what is on it, and a key by its name.
    await find(page, 'invite');
    await page.getByRole('option', { name: 'Team', exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill('first test');
    await page.getByRole('option', { name: /^first test key/ }).waitFor();
  });

  it('verifies an address that is typed into it', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/keys');
    await find(page, 'mailbox_not_found@example.com');
    await chosen(page, 'Verify mailbox_not_found@example.com').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Undeliverable' }).waitFor();
  });

  it('opens the dialog for a new key, switches the mode, and signs out', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await find(page, 'create a key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
    await page.keyboard.press('Escape');
    await find(page, 'test mode');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByRole('complementary', { name: 'Test mode' }).waitFor();
    await find(page, 'live mode');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Test mode' }).waitFor({ state: 'detached' });
    await find(page, 'sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).first().waitFor();
  });

  it('is among the keys that are shown, and is switched off with them', async () => {
    const { testKey } = await app.anAccount();
    await aBulkJob(app, testKey, ['a@example.com']);
    const page = await open(testKey, '/lists');
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await page.getByRole('dialog').getByText('Ctrl K').waitFor();
    await page.getByLabel('Use these keys').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Commands' }).click();
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    expect(await page.getByText('Ctrl K').count()).toBe(0);
  });
});
