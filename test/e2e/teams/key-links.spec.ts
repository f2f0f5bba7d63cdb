import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser, unload } from '../../support/browser/browser.js';
import { MailSink } from '../../support/mail/mail-sink.js';

const KEY = `sessionStorage.getItem('rcpt.key')`;

(hasBrowser ? describe : describe.skip)('a link to the console with a key', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let first: NewAccount;
  let stranger: NewAccount;

  beforeAll(async () => {
    app = await anApp();
    first = await app.anAccount();
    stranger = await app.anAccount();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  /** A tab that has no key of its own. */
  const follow = async (path: string): Promise<Page> => {
    const page = await browser.page(app.url);
    // The name stays while the origin does.
    await unload(page, app.url);
    await page.evaluate(`window.name = 'asks'`);
    await page.goto(`${app.url}/console${path}`);
    return page;
  };
  const question = (page: Page, { team }: NewAccount) =>
    page.getByRole('heading', { name: `Sign in to the team “${team.name}”?` });

  it('asks before it signs somebody in', async () => {
    const page = await follow(`/lists#key=${stranger.liveKey}`);
    await question(page, stranger).waitFor();
    expect([await page.evaluate(KEY), await page.evaluate('location.hash')]).toEqual([null, '']);
    await page.getByRole('button', { name: 'Do not sign in' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(KEY)).toBeNull();
  });

  it('signs in on the answer', async () => {
    const page = await follow(`/lists#key=${stranger.liveKey}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Lists', exact: true }).waitFor();
    expect(await page.evaluate(KEY)).toBe(stranger.liveKey);
  });

  it('asks in a new tab too, if somebody is signed in in another one', async () => {
    const own = await browser.page(app.url);
    await own.goto(`${app.url}/console#key=${first.liveKey}`);
    await own.getByRole('button', { name: 'Menu' }).waitFor();
    const page = await follow(`/lists#key=${stranger.liveKey}`);
    await question(page, stranger).waitFor();
    await page.getByText(`You are signed in to “${first.team.name}”`).waitFor();
    await page.getByRole('button', { name: 'Stay signed in as before' }).click();
    await page.getByRole('heading', { name: 'Lists', exact: true }).waitFor();
    expect(await page.evaluate(KEY)).toBe(first.liveKey);
  });

  it('does not ask if it is that of the first start and nobody is signed in', async () => {
    const page = await follow(`#key=${first.liveKey}`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    expect(await page.evaluate(KEY)).toBe(first.liveKey);
  });
});

(hasBrowser ? describe : describe.skip)('the sign-up form', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(() => browser.stop());
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const fill = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Your email address').fill(email);
    await page.getByLabel('Name of the team').fill('Acme');
  };

  it('creates a team and signs in with its first key', async () => {
    const app = await anApp({ SIGNUP: 'open' });
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console`);
    await fill(page, 'ada@example.com');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the team' }).click();
    const key = (await page.locator('pre').innerText()).trim();
    expect((await app.get('/v1/me', key)).body).toMatchObject({
      team: { name: 'Acme' },
      key: { mode: 'live' },
    });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await app.stop();
  });

  it('gives a test key, and says where the link to confirm went', async () => {
    const sink = await MailSink.start();
    const app = await anApp({
      SIGNUP: 'confirm',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console`);
    await fill(page, 'ada@example.com');
    await page.getByRole('button', { name: 'Create the team' }).click();
    await page.getByText('was sent to ada@example.com').waitFor();
    expect(await page.locator('pre').innerText()).toMatch(/^rcpt_test_/);
    expect(await app.service.app.get(PostgresMailQueue).sendDue()).toBe(1);
    await app.stop();
    await sink.close();
  });

  it('is not offered where nobody can sign up', async () => {
    const app = await anApp();
    const page = await browser.page(app.url);
    const options = page.waitForResponse(`${app.url}/signup`);
    await page.goto(`${app.url}/console`);
    expect(await (await options).json()).toEqual({ mode: 'closed' });
    await page.getByRole('button', { name: 'I have an invite' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0);
    await app.stop();
  });
});
