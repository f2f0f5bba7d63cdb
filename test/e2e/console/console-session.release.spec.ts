import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DisposableService } from '../../../src/modules/verification/disposable/disposable.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { FakeStripe } from '../../support/billing/fake-stripe.js';
import { choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { untilTrue } from '../../support/browser/until-true.js';

let app: TestApp;
/** The first team. */
let operator: string;
let stripe: FakeStripe;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('a session of the console', () => {
  beforeAll(async () => {
    stripe = await FakeStripe.start();
    app = await anApp(stripe.env);
    stripe.clock = app.clock;
    operator = (await app.anAccount()).liveKey;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await stripe.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const open = async (path = ''): Promise<Page> => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console${path}`);
    return page;
  };
  const keyField = (page: Page) => page.getByLabel('API key');
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)');

  it('is that of all tabs: a new tab joins it, and it ends in all (L5)', async () => {
    const { liveKey } = await app.anAccount();
    const waiting = await open('/lists');
    await keyField(waiting).waitFor();
    const first = await open(`#key=${liveKey}`);
    await first.getByRole('button', { name: 'Menu' }).waitFor();
    await waiting.getByRole('heading', { name: 'Lists', exact: true }).waitFor();
    const second = await open('/team');
    await second.getByRole('tab', { name: 'Blocklist' }).waitFor();
    await second.getByRole('button', { name: 'Menu' }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const page of [waiting, first, second]) await keyField(page).waitFor();
  });

  it('does not begin with a key that is not valid, and says so at the field (V12)', async () => {
    const page = await open();
    await keyField(page).fill(`rcpt_live_${'x'.repeat(38)}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('This key is not valid').waitFor();
    expect(await keyField(page).getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    const { liveKey } = await app.anAccount();
    await keyField(page).fill(liveKey);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation').waitFor();
  });

  it('keeps a new key in view until it is closed, and the focus stays near (V13, V14, V16)', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(`/keys#key=${liveKey}`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('batch');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('button', { name: 'Copy: ' }).waitFor();
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    expect(await dialog.locator('pre').innerText()).toMatch(/^rcpt_live_/);
    expect(await dialog.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toContain('Create a key');
    await choose(page, 'Actions: batch', 'Revoke');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row').filter({ hasText: 'batch' }).getByText('Revoked').waitFor();
    expect(await focused(page)).not.toMatch(/^<body/);
  });

  it('replaces a key with a new one, and the old one stays valid as long as chosen', async () => {
    const { liveKey } = await app.anAccount();
    const made = await app.post('/v1/keys', liveKey).send({ name: 'import' });
    const old = (made.body as { key: string }).key;
    const page = await open(`/keys#key=${liveKey}`);
    await choose(page, 'Actions: import', 'Rotate');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('The old key stays valid for').selectOption('an hour');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('The key is ready').waitFor();
    const fresh = (await dialog.locator('pre').innerText()).trim();
    expect(fresh).not.toBe(old);
    for (const key of [old, fresh]) expect((await app.get('/v1/me', key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row').filter({ hasText: 'import' }).nth(1).waitFor();
    // Neither the old key, which expires, nor the new one is that of the session.
    const menus = page.getByRole('button', { name: 'Actions: import' });
    expect(await menus.count()).toBe(2);
    for (const menu of await menus.all()) {
      await menu.click();
      await page.getByRole('menuitem', { name: 'Rotate' }).waitFor();
      await page.keyboard.press('Escape');
    }
    app.clock.advance(3_601_000);
    expect((await app.get('/v1/me', old)).status).toBe(401);
    expect((await app.get('/v1/me', fresh)).status).toBe(200);
  });

  it('takes back that a domain is unblocked, with its reason (V15)', async () => {
    const { liveKey } = await app.anAccount();
    await app.post('/v1/blocklist', liveKey).send({ domain: 'blocked.example', reason: 'A competitor' });
    const page = await open(`/team?tab=blocklist#key=${liveKey}`);
    await page.getByRole('button', { name: 'Unblock: blocked.example' }).click();
    await page.getByText('Nothing is blocked').waitFor();
    expect(await focused(page)).not.toMatch(/^<body/);
    const toast = page.getByRole('status').filter({ hasText: 'blocked.example is no longer blocked.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row').filter({ hasText: 'A competitor' }).getByText('blocked.example').waitFor();
    await toast.waitFor({ state: 'detached' });
    expect(await focused(page)).not.toMatch(/^<body/);
  });

  it('offers to undo only on the page and with the key that has done it', async () => {
    const { liveKey } = await app.anAccount();
    await app.post('/v1/blocklist', liveKey).send({ domain: 'blocked.example' });
    const page = await open(`/team?tab=blocklist#key=${liveKey}`);
    await page.getByRole('button', { name: 'Unblock: blocked.example' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await undo.waitFor({ state: 'detached' });
  });

  it('keeps the link of a new invite in view, and asks before it is revoked (V13, V15, V16)', async () => {
    const { liveKey } = await app.anAccount();
    const invite = (email: string) =>
      app.post('/v1/team/invites', liveKey).send({ email, role: 'member' }).expect(201);
    await invite('bob@team.example');
    const page = await open(`/team#key=${liveKey}`);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ada@team.example');
    await dialog.getByRole('button', { name: 'Create invite' }).click();
    const link = dialog.locator('pre');
    await dialog.getByText('Send this link to the person.').click();
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    expect(await link.innerText()).toContain('#invite=');
    expect(await dialog.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Actions: bob@team.example' }).waitFor();
    await choose(page, 'Actions: ada@team.example', 'Revoke');
    await dialog.getByText('Revoke the invite of ada@team.example?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose(page, 'Actions: ada@team.example', 'Revoke');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('cell', { name: 'ada@team.example Invited' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('cell', { name: 'bob@team.example Invited' }).count()).toBe(1);
  });

  it('takes back that an override is removed, and asks where the operator has decided (V15, V16)', async () => {
    for (const domain of ['one.example', 'two.example'])
      await app.post('/v1/admin/disposable', operator).send({ domain, verdict: 'disposable' }).expect(201);
    const overrides = app.service.app.get(DisposableService, { strict: false });
    const [decided] = (await overrides.pending()).filter(({ domain }) => domain === 'two.example');
    await overrides.merge(decided!.id);
    const page = await open(`/team?tab=disposable#key=${operator}`);
    const cell = (name: string) => page.getByRole('cell', { name, exact: true });
    await cell('all teams').waitFor();
    await cell('your team; the operator has not decided for all teams yet').waitFor();
    await page.getByRole('button', { name: 'Remove: one.example' }).click();
    await cell('one.example').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await cell('one.example').waitFor();
    await page.getByRole('button', { name: 'Remove: two.example' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Remove the override of two.example?').waitFor();
    expect(await cell('two.example').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await cell('two.example').waitFor({ state: 'detached' });
    expect(await cell('one.example').count()).toBe(1);
  });

  it('offers the other tiers on sale on the page of the usage, and leads to their checkout', async () => {
    const { liveKey } = await app.anAccount('growth');
    const page = await open(`/usage#key=${liveKey}`);
    const change = page.getByRole('button', { name: 'Change to' });
    await change.first().waitFor();
    const scale = page.getByRole('region', { name: 'scale' });
    await scale.getByText('€29.00 a month').waitFor();
    await scale.getByText('100,000 verifications a day').waitFor();
    expect(await change.allInnerTexts()).toEqual(['Change to “starter”', 'Change to “scale”']);
    const checkout = /^https:\/\/checkout\.stripe\.example\//;
    await page.route(checkout, (route) => route.fulfill({ body: 'The checkout' }));
    await scale.getByRole('button').click();
    await page.waitForURL(checkout);
    const [session] = stripe.seen.filter(({ path }) => path.endsWith('checkout/sessions')).slice(-1);
    expect(session?.body).toMatchObject({ 'line_items[0][price]': 'price_scale' });
    expect(browser.faults.splice(0)).toEqual([page.url()]);
  });

  it('names the plan in words, and leads from what it does not include to the checkout (V9)', async () => {
    const { liveKey } = await app.anAccount('free');
    const page = await open(`/usage#key=${liveKey}`);
    const plan = page.getByRole('region', { name: 'Your plan: free' });
    await plan.getByText('100 verifications a day').waitFor();
    await plan.getByText('No lists').waitFor();
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByLabel('Email address').fill('jane@plain.mailworld');
    await page.getByLabel('Ask again, without stored results').check();
    await page.keyboard.press('Enter');
    const checkout = /^https:\/\/checkout\.stripe\.example\//;
    await page.route(checkout, (route) => route.fulfill({ body: 'The checkout' }));
    await page.getByRole('button', { name: 'Upgrade to “starter”' }).click();
    await page.waitForURL(checkout);
    expect(browser.faults.splice(0)).toEqual([page.url()]);
  });

  it('keeps the verdict for who comes back, until the session ends (V24)', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(`#key=${testKey}`);
    await page.getByLabel('Email address').fill('mailbox_not_found@example.com');
    await page.keyboard.press('Enter');
    const verdict = page.getByRole('region', { name: 'Undeliverable' });
    await verdict.waitFor();
    await page.getByRole('link', { name: 'Lists' }).click();
    await verdict.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Verify' }).click();
    await verdict.waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('mailbox_not_found@example.com');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await keyField(page).fill(testKey);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'jane@example.com' }).waitFor();
    expect(await verdict.count()).toBe(0);
  });

  it('takes an address from a link, and verifies it only when asked (V24)', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(`#key=${testKey}&email=jane+news@example.com`);
    const field = page.getByLabel('Email address');
    await field.waitFor();
    expect(await field.inputValue()).toBe('jane+news@example.com');
    expect(page.url()).toBe(`${app.url}/console`);
    expect(await page.getByRole('region', { name: 'History' }).count()).toBe(0);
    await page.evaluate("location.hash = '#email=second@example.com'");
    await untilTrue(page, "document.getElementById('address').value === 'second@example.com'");
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Deliverable' }).waitFor();
  });
});
