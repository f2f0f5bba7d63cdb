import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasBrowser } from '../../support/browser/browser.js';
import { aPublishableKey } from '../../support/app/publishable.js';
import { enter, state, WidgetWorld } from '../../support/browser/widget-world.js';

const UNDELIVERABLE = 'This address cannot receive email. Please check it.';

let world: WidgetWorld;
let owner: string;

/** A page with a key of the running service, for pages of this origin. */
async function open(origin: string, more: object = {}): Promise<Page> {
  const { key } = await aPublishableKey(world.app, owner, {
    allowed_origins: [origin],
    mode: 'test',
    ...more,
  });
  return world.open({ service: world.app.url, key });
}

/** Enters an address and waits for the response of the service. @returns its status. */
async function check(page: Page, address: string): Promise<number> {
  const response = page.waitForResponse((one) => one.request().method() === 'POST');
  await enter(page, address);
  const status = (await response).status();
  await page.locator('[aria-live][aria-busy]').waitFor({ state: 'detached' });
  return status;
}

(hasBrowser ? describe : describe.skip)('the widget with a publishable key', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
    owner = (await world.app.anAccount()).liveKey;
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('verifies addresses in pages of its origins', async () => {
    const page = await open(world.site.url);
    expect(await check(page, 'mailbox_not_found@example.com')).toBe(200);
    expect(await state(page)).toEqual([UNDELIVERABLE, UNDELIVERABLE]);
    expect(await check(page, 'greylisted@example.com')).toBe(200);
    expect(await state(page)).toEqual(['', '']);
    expect(await check(page, 'jane@example.com')).toBe(200);
    expect(await world.join(page)).toEqual(['jane@example.com']);
  });

  it('W3: shows a developer the suggestion, with a test key', async () => {
    const page = await open(world.site.url);
    expect(await check(page, 'typo@gmial.com')).toBe(200);
    expect(await state(page)).toEqual([UNDELIVERABLE, `${UNDELIVERABLE} Did you mean typo@gmail.com?`]);
    const accepted = page.waitForResponse((one) => one.request().method() === 'POST');
    await page.getByRole('button', { name: 'Did you mean typo@gmail.com?' }).click();
    expect((await accepted).status()).toBe(200);
    expect(await world.join(page)).toEqual(['typo@gmail.com']);
  });

  it('blocks no form in pages of another origin', async () => {
    const page = await open('https://www.shop.example');
    const refused = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
    await enter(page, 'mailbox_not_found@example.com');
    await refused;
    await page.locator('[aria-live][aria-busy]').waitFor({ state: 'detached' });
    expect(await state(page)).toEqual(['', '']);
    expect(await world.join(page)).toEqual(['mailbox_not_found@example.com']);
    expect(world.browser.faults.splice(0).join()).toContain('blocked by CORS policy');
  });

  it('blocks no form of a client that has reached its limit', async () => {
    const page = await open(world.site.url, { per_address: { per_minute: 10, per_day: 1 } });
    expect(await check(page, 'mailbox_not_found@example.com')).toBe(200);
    expect(await check(page, 'null_mx@example.com')).toBe(429);
    expect(await state(page)).toEqual(['', '']);
    expect(await world.join(page)).toEqual(['null_mx@example.com']);
  });
});
