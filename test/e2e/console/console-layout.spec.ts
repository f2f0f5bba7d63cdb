import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';
import { answering } from '../../support/webhooks/webhook-receiver.js';

let hooks: WebhookApp;
let app: TestApp;
let browser: TestBrowser;

async function open(key: string, path = ''): Promise<Page> {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  return page;
}

(hasBrowser ? describe : describe.skip)('the layout of the console', () => {
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

  it('V17: filters the deliveries of a webhook by their status', async () => {
    const account = await app.anAccount();
    const receiver = await hooks.aReceiver();
    const hook = await hooks.aWebhook(account.liveKey, receiver.url);
    receiver.behave = answering(204);
    await hooks.aTest(hook, account);
    await hooks.send();
    await hooks.aTest(hook, account);
    const page = await open(account.liveKey, `/webhooks/${hook.id}`);
    const filter = page.getByRole('group', { name: 'Filter by status' });
    const [pending, succeeded] = ['Pending', 'Succeeded'].map((name) => page.getByRole('cell', { name }));
    await pending!.waitFor();
    await succeeded!.waitFor();
    await filter.getByRole('button', { name: 'Succeeded' }).click();
    await pending!.waitFor({ state: 'detached' });
    expect(await succeeded!.count()).toBe(1);
    await filter.getByRole('button', { name: 'Failed' }).click();
    await page.getByText('No delivery has this status.').waitFor();
    expect(await filter.getByRole('button', { pressed: true }).innerText()).toBe('Failed');
    expect(await accessibilityViolations(page)).toEqual([]);
    await filter.getByRole('button', { name: 'All' }).click();
    await pending!.waitFor();
  });
});
