import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { WebhookResponse } from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import { accessibilityViolations, choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { WebhookApp, type TestWebhook } from '../../support/webhooks/webhook-app.js';
import { answering, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

let world: WebhookApp;
let browser: TestBrowser;
let account: NewAccount;
let receiver: WebhookReceiver;
let webhook: TestWebhook;

async function open(path = `/webhooks/${webhook.id}`): Promise<Page> {
  const page = await browser.page(world.app.url);
  await page.goto(`${world.app.url}/console${path}#key=${account.liveKey}`);
  return page;
}

(hasBrowser ? describe : describe.skip)('the pages of webhooks', () => {
  beforeAll(async () => {
    world = await WebhookApp.start();
    browser = await TestBrowser.start();
    receiver = await world.aReceiver();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await world.stop();
  });
  beforeEach(async () => {
    account = await world.app.anAccount();
    receiver.behave = answering(204);
    webhook = await world.aWebhook(account.liveKey, receiver.url, { description: 'CRM' });
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('change URL, description and events, and keep the secret', async () => {
    const page = await open();
    await page.getByText('CRM', { exact: true }).waitFor();
    await choose(page, 'Actions', 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit the endpoint' });
    expect(await dialog.getByLabel('Description').inputValue()).toBe('CRM');
    await dialog.getByLabel('URL').fill(`${receiver.url}/new`);
    await dialog.getByLabel('Description').fill('Shop');
    await dialog.getByLabel('Selected events').check();
    await dialog.getByLabel(/^key\.created A key was created/).check();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: `${receiver.url}/new` }).waitFor();
    await page.getByText('Shop', { exact: true }).waitFor();
    const answer = await world.app.get(`/v1/webhooks/${webhook.id}`, account.liveKey);
    expect(answer.body as WebhookResponse).toMatchObject({
      url: `${receiver.url}/new`,
      description: 'Shop',
      events: ['key.created'],
    });
  });

  it('show the body of each event before the first delivery', async () => {
    const page = await open();
    const body = page.getByLabel('Example body', { exact: true });
    await page.getByLabel('Event', { exact: true }).last().selectOption('key.created');
    await page.getByText('A key was created.').waitFor();
    expect(JSON.parse(await body.innerText())).toMatchObject({ type: 'key.created', data: { mode: 'live' } });
  });

  it('show that an endpoint fails, and when it is tried again', async () => {
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.send();
    const page = await open();
    const state = page.getByRole('cell', { name: /^Retrying \(1\), next in \d+ s$/ });
    await state.waitFor();
    expect(await state.locator('[data-tone]').getAttribute('data-tone')).toBe('risky');
    await page.locator('[data-tone=undeliverable]').getByText('Failing').waitFor();
    await page
      .getByRole('cell', { name: /\d:\d\d:\d\d/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'All endpoints' }).click();
    await page.getByRole('cell', { name: '100% of the latest 1' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    // The whole row leads to the endpoint.
    await page.getByRole('cell', { name: 'Failing' }).click();
    await page.getByRole('link', { name: 'All endpoints' }).waitFor();
  });

  it('are disabled, and enabled again by undoing it', async () => {
    const page = await open();
    await choose(page, 'Actions', 'Disable');
    await page
      .locator('[data-tone=risky]')
      .getByText(/^Disabled/)
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  });

  it('show the answer to a test within a second', async () => {
    const page = await open();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('cell', { name: 'Pending' }).waitFor();
    await world.send();
    const begun = Date.now();
    await page.getByRole('cell', { name: 'Succeeded' }).waitFor();
    expect(Date.now() - begun).toBeLessThan(2_000);
  });

  it('have a panel that shows what was sent, sends it again and leads to the next', async () => {
    await world.aTest(webhook, account);
    await world.aTest(webhook, account);
    await world.send();
    const page = await open();
    await page.getByRole('button', { name: 'webhook.test', exact: true }).first().click();
    const panel = page.getByRole('dialog', { name: 'Delivery' });
    const id = panel.getByLabel('Id of the delivery', { exact: true });
    const headers = panel.getByLabel('Headers that were sent', { exact: true });
    const [latest, first] = await world.deliveries(webhook, account);
    await headers.waitFor();
    expect([await id.innerText(), await panel.getByLabel('Previous delivery').isDisabled()]).toEqual([
      latest?.id,
      true,
    ]);
    const sent = receiver.received.find(({ headers: all }) => all['webhook-id'] === latest?.event_id);
    expect((await headers.innerText()).split('\n')).toEqual(
      expect.arrayContaining([
        `webhook-id: ${latest?.event_id}`,
        `webhook-timestamp: ${sent?.headers['webhook-timestamp']}`,
        `user-agent: ${sent?.headers['user-agent']}`,
      ]),
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    await panel.getByLabel('Next delivery').click();
    await panel.getByText(first?.id ?? '').waitFor();
    // Attempts of earlier tests may be due too.
    const received = () =>
      receiver.received.filter(({ headers: all }) => all['webhook-id'] === first?.event_id);
    const count = received().length;
    await Promise.all([
      page.waitForResponse(/retry$/),
      panel.getByRole('button', { name: 'Send again' }).click(),
    ]);
    await world.send();
    expect(received()).toHaveLength(count + 1);
  });

  it('filter deliveries by type and time in the address, and send all failed ones again', async () => {
    await world.app.request('patch', `/v1/webhooks/${webhook.id}`, account.liveKey).send({ enabled: false });
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.aTest(webhook, account);
    await world.send();
    const page = await open();
    const failed = page.getByRole('cell', { name: 'Failed' });
    await failed.nth(1).waitFor();
    await page.getByLabel('Event', { exact: true }).first().selectOption('key.created');
    await page.getByText('No delivery matches the filter.').waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe('key.created');
    await page.reload();
    await page.getByText('No delivery matches the filter.').waitFor();
    await page.getByLabel('Event', { exact: true }).first().selectOption('webhook.test');
    await failed.nth(1).waitFor();
    await page.getByLabel('Before').fill('2020-01-01T00:00');
    await page.getByText('No delivery matches the filter.').waitFor();
    await page.getByLabel('Before').fill('');
    await page.getByRole('button', { name: 'Send failed ones again…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('Deliveries that are sent again: 2').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    receiver.behave = answering(204);
    await world.send();
    await page.getByRole('cell', { name: 'Succeeded' }).nth(1).waitFor();
  });
});
