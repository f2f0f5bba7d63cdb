import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService, type NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app/app.js';
import { accessibilityViolations, choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { SignInService } from '../../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { FakeStripe } from '../../support/billing/fake-stripe.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';
import { answering } from '../../support/webhooks/webhook-receiver.js';

const HOSTILE = '<img src=x onerror=alert(1)>';
const DESKTOP = { width: 1200, height: 800 };

let hooks: WebhookApp;
let mails: MailSink;
let stripe: FakeStripe;
/** The account of the first team. */
let operator: NewAccount;
let app: TestApp;
let browser: TestBrowser;

async function open(key: string, path = ''): Promise<Page> {
  const page = await browser.page(app.url, { viewport: DESKTOP });
  await page.goto(`${app.url}/console${path}#key=${key}`);
  return page;
}

const dialogOf = (page: Page) => page.getByRole('dialog');

(hasBrowser ? describe : describe.skip)('the console', () => {
  beforeAll(async () => {
    mails = await MailSink.start();
    stripe = await FakeStripe.start();
    const mail = { INVITE_SMTP_URL: mails.url, INVITE_FROM: 'rcpt@service.example' };
    hooks = await WebhookApp.start({ ...mail, ...stripe.env });
    app = hooks.app;
    stripe.clock = app.clock;
    operator = await app.anAccount();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await hooks.stop();
    await mails.close();
    await stripe.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('makes a key that works and is shown once, and revokes it', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialogOf(page).getByLabel('Name').fill(HOSTILE);
    await dialogOf(page).getByRole('button', { name: 'Create a key' }).click();
    const key = (await dialogOf(page).locator('pre').innerText()).trim();
    expect((await app.get('/v1/me', key)).status).toBe(200);
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row').filter({ hasText: HOSTILE });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    await choose(page, `Actions: ${HOSTILE}`, 'Revoke');
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await app.get('/v1/me', key)).status).toBe(401);
  });

  it('makes a publishable key for an origin, and shows the HTML of the widget with it', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialogOf(page).getByLabel('Name').fill('Sign-up form');
    await dialogOf(page).getByLabel('Kind').selectOption('publishable');
    await dialogOf(page).getByLabel('Origins of the pages').fill('https://www.example.com');
    await dialogOf(page).getByRole('button', { name: 'Create a key' }).click();
    const key = (await dialogOf(page).locator('pre').first().innerText()).trim();
    const html = await dialogOf(page).getByLabel('HTML of a form', { exact: true }).innerText();
    expect(html).toContain(`src="${new URL(app.url).origin}/rcpt.js" data-key="${key}"`);
    const verify = (origin: string) =>
      app.post('/v1/verify', key).set('Origin', origin).send({ email: 'no address' });
    expect((await verify('https://www.example.com')).body).toMatchObject({ reason: 'invalid_syntax' });
    expect((await verify('https://other.example')).status).toBe(403);
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row').filter({ hasText: 'https://www.example.com' });
    // It stands in the page anyway, so that it is shown again, with the HTML.
    await page.reload();
    await row.getByText(`rcpt_pub_…${key.slice(-4)}`, { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Copy: Sign-up form' }).click();
    await row.getByText('Copied').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await choose(page, 'Actions: Sign-up form', 'HTML of a form');
    expect(await dialogOf(page).getByLabel('HTML of a form', { exact: true }).innerText()).toBe(html);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('invites somebody, who joins with the link and sees what a member may do', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/team');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await dialogOf(page).getByLabel('Email address').fill('ada@team.example');
    await dialogOf(page).getByRole('button', { name: 'Create invite' }).click();
    const link = (await dialogOf(page).locator('pre').innerText()).trim();
    const guest = await browser.isolatedPage(app.url);
    await guest.goto(link);
    await guest.getByText('The invite is for ada@team.example.').waitFor();
    expect(guest.url()).toBe(`${app.url}/console`);
    await guest.getByRole('button', { name: 'Join the team' }).click();
    await guest.getByRole('button', { name: 'Continue' }).click();
    await guest.getByRole('link', { name: 'Team' }).click();
    await guest.getByRole('cell', { name: 'ada@team.example you' }).waitFor();
    // A member is offered no invites, no overrides and no system page.
    for (const name of ['Invite somebody', 'System', 'Disposable domains'])
      expect(await guest.getByText(name, { exact: true }).count()).toBe(0);
    // V16: the buttons of the rows have names of their own.
    await page.reload();
    await page.getByRole('button', { name: 'Actions: ada@team.example' }).waitFor();
  });

  it('sends a test to a webhook, shows the answer as text, and sends it again', async () => {
    const receiver = await hooks.aReceiver();
    receiver.behave = answering(500, {}, HOSTILE);
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey, '/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialogOf(page).getByLabel('URL').fill(receiver.url);
    await dialogOf(page).getByRole('button', { name: 'Add an endpoint' }).click();
    await dialogOf(page)
      .getByText(/^whsec_/)
      .waitFor();
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('cell', { name: 'Pending' }).waitFor();
    await hooks.send();
    await page.getByRole('button', { name: 'webhook.test', exact: true }).click();
    await dialogOf(page).getByText(HOSTILE).waitFor();
    await dialogOf(page).getByText('The answer was not 2xx.').waitFor();
    const body = JSON.parse(await dialogOf(page).getByLabel('Body', { exact: true }).innerText()) as unknown;
    expect(body).toEqual(receiver.bodies[0]);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    receiver.behave = answering(204);
    // V16: it names the row.
    const again = page.getByRole('button', { name: /^Send again: webhook\.test \w+/ });
    await Promise.all([page.waitForResponse(/retry$/), again.click()]);
    await hooks.send();
    await page.getByRole('cell', { name: 'Succeeded' }).waitFor();
  });

  it('signs in with a link from a mail, into the chosen team, and lists the key', async () => {
    const { user } = await app.anAccount();
    const other = await app.service.app.get(AccountsService).create(user.email, HOSTILE, 'free');
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console/keys`);
    await page.getByLabel('Your email address').fill(user.email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('a link is on its way').waitFor();
    await app.service.app.get(SignInService).sendRequested();
    await app.service.app.get(PostgresMailQueue).sendDue();
    const token = /#sign-in=(\S+)/.exec(mails.lastText())?.[1] ?? '';
    // The link may be opened in the tab in which the console runs already.
    await page.evaluate(`location.hash = 'sign-in=${token}'`);
    await page.getByText('You opened a sign-in link.').waitFor();
    expect(page.url()).toBe(`${app.url}/console/keys`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: `${HOSTILE} · Owner` }).click();
    await page.getByRole('row').filter({ hasText: 'Console sign-in' }).waitFor();
    const key = await page.evaluate<string>('sessionStorage.getItem("rcpt.key")');
    expect((await app.get('/v1/me', key)).body).toMatchObject({ team: { id: other.team.id } });
    expect(await page.evaluate('sessionStorage.getItem("rcpt.sign-in")')).toBeNull();
  });

  it('offers the invoices and the portal of the payment provider to a customer', async () => {
    const { liveKey } = await app.anAccount('free');
    await app.post('/v1/billing/subscribe', liveKey).send({ tier: 'growth' }).expect(200);
    stripe.bill([...stripe.customers.keys()].at(-1) ?? '');
    const page = await open(liveKey, '/usage');
    const portal = /^https:\/\/portal\.stripe\.example\//;
    await page.route(portal, (route) => route.fulfill({ body: 'The portal' }));
    await page.getByRole('button', { name: 'Open the billing portal' }).click();
    await page.waitForURL(portal);
    expect(stripe.seen.filter(({ path }) => path.endsWith('billing_portal/sessions'))).toHaveLength(1);
    expect(browser.faults.splice(0)).toEqual([page.url()]);
  });

  it('runs the checks of the doctor for the owner of the first team, and names its command in a clone', async () => {
    const page = await open(operator.liveKey, '/system');
    await page.getByText('npx --no rcpt doctor', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run the checks' }).click();
    const row = page.getByRole('row').filter({ hasText: 'resolver' });
    await row.getByText('Fail', { exact: true }).waitFor();
    await row.getByText('DNS_SERVERS').waitFor();
  });

  it('signs out when its key was revoked, and says why', async () => {
    const { liveKey } = await app.anAccount();
    const made = await app.post('/v1/keys', liveKey).send({ name: 'mine' });
    const { id, key } = made.body as { id: string; key: string };
    const page = await open(key, '/team');
    await page.getByRole('button', { name: 'Invite somebody' }).waitFor();
    await app.delete(`/v1/keys/${id}`, liveKey).expect(200);
    await page.reload();
    // The service sends mail: a key is among the other ways, which are open for who has used one.
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('alert').innerText()).not.toBe('');
    expect(await page.evaluate('sessionStorage.getItem("rcpt.key")')).toBeNull();
  });

  it('reports that the service does not respond, keeps what was typed, and recovers', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey);
    await page.getByLabel('Email address').fill('jane@example.com');
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('The service does not answer.').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('banner').getByText('The service does not answer.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Deliverable', exact: true }).waitFor();
  });

  it('is in German for browsers with that language', async () => {
    const { testKey } = await app.anAccount();
    const page = await browser.page(app.url, { locale: 'de-DE' });
    await page.goto(`${app.url}/console#key=${testKey}`);
    await page.getByRole('heading', { name: 'Adresse prüfen' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  });
});
