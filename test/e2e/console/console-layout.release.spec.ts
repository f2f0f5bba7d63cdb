import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app/app.js';
import {
  accessibilityViolations,
  choose,
  hasBrowser,
  hold,
  TestBrowser,
} from '../../support/browser/browser.js';
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

const ACCURACY = {
  data: [
    {
      status: 'deliverable',
      reason: 'accepted',
      provider: null,
      verified: 9,
      delivered: 8,
      bounced: 1,
      complained: 0,
      bounce_rate: null,
    },
  ],
  calibration: { outcomes: 0, brier: null, error: null, bins: [] },
};

const twice = (side: string) => Array<string>(2).fill(`${side} ${side}`);

/** The alignment of head and first cell of each column of the first table. */
const columns = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const [heads, cells] = ['thead tr', 'tbody tr'].map((row) =>
      [...document.querySelector('table ' + row).children].map((cell) => getComputedStyle(cell).textAlign));
    return heads.map((head, index) => head + ' ' + cells[index]);
  })()`);

/** Between the parts of the page that take place, in pixels. */
const gaps = (page: Page) =>
  page.evaluate<number[]>(`(() => {
    const parts = [...document.querySelector('main > div').children]
      .filter((part) => getComputedStyle(part).position === 'static')
      .map((part) => part.getBoundingClientRect());
    return parts.slice(1).map(({ top }, index) => Math.round(top - parts[index].bottom));
  })()`);

/** The value of a custom property as a browser computes it. */
const colorOf = (page: Page, name: string) =>
  page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(${name})';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);

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

  it('V17, V18: asks for all or selected events, counts them, and shows all as one badge', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/webhooks');
    const dialog = page.getByRole('dialog');
    const create = async (url: string, ...events: string[]) => {
      await page.getByRole('button', { name: 'Add an endpoint' }).click();
      await dialog.getByLabel('URL').fill(url);
      if (events.length > 0) await dialog.getByLabel('Selected events: 0 of 15').check();
      for (const event of events) await dialog.getByLabel(event).check();
      await dialog.getByLabel(`Selected events: ${events.length} of 15`).waitFor();
    };
    const finish = async () => {
      await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    await create('https://example.com/all');
    expect(await dialog.getByLabel('All events').isChecked()).toBe(true);
    await finish();
    await create('https://example.com/some', 'quota.warning', 'key.created');
    for (const box of await dialog.getByRole('checkbox').all()) {
      const { width, height } = (await box.boundingBox())!;
      expect([Math.min(width, 24), Math.min(height, 24)]).toEqual([24, 24]);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await finish();
    const row = (url: string) => page.getByRole('row').filter({ hasText: url });
    await row('/some').getByRole('cell', { name: '2', exact: true }).waitFor();
    await row('/all').getByRole('cell', { name: 'All events' }).waitFor();
    const badge = (text: string) => page.locator('[data-tone]').getByText(text, { exact: true });
    await page.getByRole('link', { name: 'https://example.com/all' }).click();
    await badge('All events').waitFor();
    expect(await badge('quota.warning').count()).toBe(0);
    await page.getByRole('link', { name: 'All endpoints' }).click();
    await page.getByRole('link', { name: 'https://example.com/some' }).click();
    await badge('quota.warning').waitFor();
    expect(await badge('All events').count()).toBe(0);
  });

  it('V13: keeps a new secret of a webhook in view until its own button closes it', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/webhooks');
    const dialog = page.getByRole('dialog');
    const isKept = async () => {
      const secret = dialog.getByText(/^whsec_/);
      await secret.waitFor();
      const shown = await secret.innerText();
      await dialog.getByText('Copy it now').click();
      for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
      expect(await secret.innerText()).toBe(shown);
      expect(await dialog.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog.getByLabel('URL').fill('https://example.com/hook');
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    await isKept();
    await page.getByRole('link', { name: 'https://example.com/hook' }).click();
    await choose(page, 'Actions', 'Rotate the secret');
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
    await isKept();
  });

  it('V19: aligns the head of a column as its cells', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await page.route(/\/v1\/accuracy/, (route) => route.fulfill({ json: ACCURACY }));
    await page.getByLabel('Email address').fill('not-an-address');
    await page.keyboard.press('Enter');
    const history = page.getByRole('row').filter({ hasText: 'not-an-address' });
    await history.waitFor();
    expect(await columns(page)).toEqual(['start start', 'start start', 'end end']);
    await page.getByRole('link', { name: 'Outcomes' }).click();
    await page.getByRole('cell', { name: 'accepted' }).waitFor();
    expect(await columns(page)).toEqual([...twice('start'), ...Array<string>(5).fill('end end')]);
  });

  it('V20: leaves 16 px between the parts of a page, and nothing for an empty one', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await page.getByLabel('Email address').fill('not-an-address');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'not-an-address' }).waitFor();
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    const onFirst = await gaps(page);
    expect(onFirst.length).toBeGreaterThan(3);
    expect(new Set(onFirst)).toEqual(new Set([16]));
    for (const [link, heading] of [
      ['Webhooks', 'Webhooks'],
      ['Outcomes', 'Outcomes'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      expect(new Set(await gaps(page))).toEqual(new Set([16]));
    }
  });

  it('V21: shows lines, and the values of a day on hover and by keys, in colours of charts', async () => {
    const { liveKey } = await app.anAccount();
    await app.post('/v1/verify', liveKey).send({ email: 'not-an-address' }).expect(200);
    const page = await open(liveKey, '/usage');
    const chart = page.getByRole('slider', { name: 'Verifications by day' });
    await chart.waitFor();
    expect(await chart.locator('> rect').count()).toBe(3);
    const value = page.locator('figure strong');
    expect(await value.innerText()).toBe('');
    const { x, y, width, height } = (await chart.boundingBox())!;
    await page.mouse.move(x + width - 2, y + height / 2);
    await value.filter({ hasText: /: 1 \(Undeliverable 1\)$/ }).waitFor();
    await page.mouse.move(x + 2, y + height / 2);
    await value.filter({ hasText: /: 0$/ }).waitFor();
    await page.mouse.move(0, 0);
    await value.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    await chart.focus();
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 1 \(Undeliverable 1\)$/);
    await page.keyboard.press('ArrowLeft');
    await value.filter({ hasText: /: 0$/ }).waitFor();
    expect(await chart.getAttribute('aria-valuenow')).toBe('29');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    for (const status of ['deliverable', 'risky', 'unknown', 'undeliverable'])
      expect(await colorOf(page, `--chart-${status}`)).not.toBe(await colorOf(page, `--${status}`));
  });

  it('V22: holds the place of what is loaded, and moves nothing when it is there', async () => {
    const { liveKey } = await app.anAccount();
    const page = await browser.isolatedPage(app.url);
    await page.goto(`${app.url}/console/webhooks#key=${liveKey}`);
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    const { release } = await hold(page, /\/v1\/webhooks/);
    await page.addInitScript(`
      window.shifts = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shifts += value)))
        .observe({ type: 'layout-shift', buffered: true });`);
    await page.reload();
    const title = page.getByRole('heading', { name: 'Webhooks', level: 1 });
    await title.waitFor();
    const waiting = page.getByRole('status').filter({ hasText: 'Loading…' });
    await waiting.locator('span').nth(5).waitFor();
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('main [role=status] p')).position"),
    ).toBe('absolute');
    const before = await title.boundingBox();
    release();
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    expect(await title.boundingBox()).toEqual(before);
    // What the Web Vitals call good.
    expect(await page.evaluate<number>('shifts')).toBeLessThan(0.1);
  });
});
