import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
/** The first team. */
let operator: string;
let browser: TestBrowser;

async function open(key: string, path: string): Promise<Page> {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  return page;
}

/** Without codes, as the sentences of checks that are made once. */
const UNCODED = { findings: [], remedy: null };
const EXAMINATION = {
  at: '2026-11-20T10:00:00.000Z',
  findings: [
    { check: 'port_25', egress: null, level: 'pass', found: 'open', what_to_do: '' },
    { check: 'negative_answers', egress: null, level: 'fail', found: 'a lie', what_to_do: 'use another one' },
    { check: 'sender_policy', egress: null, level: 'warn', found: 'no record', what_to_do: 'publish SPF' },
  ].map((finding) => ({ ...finding, ...UNCODED })),
};

const ACCURACY = {
  data: [
    {
      status: 'deliverable',
      reason: 'accepted_email',
      provider: 'google',
      verified: 9,
      delivered: 8,
      bounced: 1,
      complained: 0,
      bounce_rate: { value: 0.1, low: 0.01, high: 0.4 },
      basis: 'deliveries',
    },
  ],
  calibration: { outcomes: 0, brier: null, error: null, bins: [] },
};

(hasBrowser ? describe : describe.skip)('the charts of the console', () => {
  beforeAll(async () => {
    app = await anApp();
    operator = (await app.anAccount()).liveKey;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('say in a sentence what a list means, and filter its rows when a part is chosen', async () => {
    const { testKey } = await app.anAccount();
    const outcomes = ['valid', 'mailbox_not_found', 'catch_all', 'joe+catch_all', 'disposable'];
    const emails = outcomes.map((outcome) => `${outcome}@example.com`);
    const job = await aBulkJob(app, testKey, emails);
    await workOn(app);
    const page = await open(testKey, `/lists/${job.id}`);
    await page
      .getByText('1 of 5 rows can be mailed now. 3 are risky, most often: Accepts every address.')
      .waitFor();
    const status = page.locator('figure').getByRole('button', { name: 'Undeliverable' });
    await status.click();
    await page.waitForURL(/status=undeliverable/);
    await page.getByText('valid@example.com', { exact: true }).waitFor({ state: 'detached' });
    expect(await status.getAttribute('aria-pressed')).toBe('true');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.goBack();
    await page.getByText('valid@example.com', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'No such mailbox' }).click();
    await page.waitForURL(/reason=mailbox_not_found/);
    await page.getByRole('button', { name: 'No such mailbox' }).click();
    await page.getByText('valid@example.com', { exact: true }).waitFor();
  });

  it('name reasons and providers as the rest of the console does', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '');
    await page.route(/\/v1\/accuracy/, (route) => route.fulfill({ json: ACCURACY }));
    await page.getByRole('link', { name: 'Outcomes' }).click();
    await page.getByRole('cell', { name: 'Accepted', exact: true }).waitFor();
    expect(await page.getByRole('cell', { name: 'Google', exact: true }).count()).toBe(1);
    expect(await page.getByText('accepted_email').count()).toBe(0);
  });

  it('D7: show the checks as one line and a table, equal remedies once, and 90 days in words and shapes', async () => {
    const page = await open(operator, '/system');
    const check = {
      egress: 'direct',
      since: '2026-03-01T00:00:00.000Z',
      checked_at: '2026-05-29T00:00:00.000Z',
      ...UNCODED,
    };
    const listed = { ...check, name: 'dns_lists', status: 'fail', detail: '203.0.113.25 is on a list' };
    const refused = { name: 'port_25', status: 'unknown', detail: 'cannot be made from here' };
    const checks = [
      { ...check, name: 'tls', status: 'pass', detail: 'encrypted' },
      { ...check, ...refused },
      { ...check, ...refused, egress: 'second' },
      listed,
    ];
    await page.route(/\/v1\/admin\/system$/, async (route) => {
      const { body } = (await app.get('/v1/admin/system', operator)) as { body: object };
      await route.fulfill({ json: { ...body, checks } });
    });
    const days = [
      { date: '2026-03-01', status: 'pass', detail: null },
      { date: '2026-03-02', status: 'unknown', detail: 'no answer' },
      { date: '2026-05-28', status: 'warn', detail: 'on a small list' },
      { date: '2026-05-29', status: 'fail', detail: '203.0.113.25 is on a list' },
    ].map((day) => ({ ...day, ...UNCODED }));
    await page.route(/\/v1\/admin\/system\/checks$/, (route) =>
      route.fulfill({
        json: {
          first_day: '2026-03-01',
          last_day: '2026-05-29',
          checks: [{ name: 'dns_lists', egress: 'direct', days }],
        },
      }),
    );
    await page.reload();
    const card = page.getByRole('region', { name: 'Checks of the egresses' });
    await card.getByText('1 thing to mend: Blocklists. 1 cannot be checked from here: Port 25.').waitFor();
    const table = card.getByRole('group', { name: 'Checks of the egresses' }).first();
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Check', 'direct', 'second']);
    // What failed comes first, and says so in words; what passes is folded.
    const rows = await table.locator('tbody tr').allInnerTexts();
    expect(
      rows.map((row) =>
        row
          .split(/\s*[\t\n]\s*/)
          .slice(0, 2)
          .join(' '),
      ),
    ).toEqual(['Blocklists Fail since 1 Mar 2026', 'Port 25 Unknown since 1 Mar 2026']);
    expect(await card.getByText('TLS', { exact: true }).isVisible()).toBe(false);
    await card.getByText('1 check passes').click();
    await card.getByText('TLS', { exact: true }).waitFor();
    expect(await card.getByText('cannot be made from here').count()).toBe(1);
    await card.getByText('Port 25 (direct), Port 25 (second)').waitFor();
    expect(await card.locator('[lang=en]').first().innerText()).toBe('203.0.113.25 is on a list');
    await card.getByText('The last 90 days').click();
    const strip = card.getByRole('img', {
      name: 'Blocklists, direct: Days: 1 failed, 1 with a warning, 1 unknown, 1 passed',
    });
    await strip.waitFor();
    const bars = await strip.locator('rect').all();
    expect(bars).toHaveLength(90);
    const heights = await Promise.all(bars.map((bar) => bar.getAttribute('height')));
    expect([...heights.slice(0, 3), ...heights.slice(-2)]).toEqual(['8', '4', '1', '16', '24']);
    await card.getByText('2 days with a problem').click();
    await card.getByText('on a small list').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('begin the checks of the installation with what failed, and repeat it at the head of the page', async () => {
    const page = await open(operator, '/system');
    await page.route(/\/examination/, (route) => route.fulfill({ json: EXAMINATION }));
    await page.getByRole('button', { name: 'Run the checks' }).click();
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('1 failed, 1 with a warning, 1 passed').waitFor();
    const checks = page.getByRole('region', { name: 'Checks of the installation' });
    const names = await checks.locator('tbody tr td:first-child').allInnerTexts();
    expect(names.filter((name) => name !== '')).toEqual(['Answers for unknown names', 'SPF of the sender']);
    await checks.getByText('1 passed or not applicable').click();
    await checks.getByRole('cell', { name: 'Port 25' }).waitFor();
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByLabel('Email address').waitFor();
    await page.getByRole('link', { name: 'System' }).click();
    await health.getByText('1 failed').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
