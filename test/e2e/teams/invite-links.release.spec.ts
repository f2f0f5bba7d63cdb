import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { SignInService } from '../../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';
import { accessibilityViolations, hasBrowser, TestBrowser, unload } from '../../support/browser/browser.js';
import { MailSink } from '../../support/mail/mail-sink.js';

const PHONE = { width: 390, height: 844 };

let mails: MailSink;
let app: TestApp;
let browser: TestBrowser;
let owner: NewAccount;
let people = 0;

const someone = () => `person${++people}@team.example`;
const keyOf = (page: Page) => page.evaluate<string>(`sessionStorage.getItem('rcpt.key')`);

(hasBrowser ? describe : describe.skip)('a link of an invite', () => {
  beforeAll(async () => {
    mails = await MailSink.start();
    app = await anApp({
      SIGNUP_PER_HOUR: '100',
      INVITE_SMTP_URL: mails.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    browser = await TestBrowser.start();
  }, 60_000);
  beforeEach(async () => {
    owner = await app.anAccount();
    owner.team.name = `Team ${people}`;
    await app.request('patch', '/v1/team', owner.liveKey).send({ name: owner.team.name }).expect(200);
  });
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await mails.close();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const sendMails = () => app.service.app.get(PostgresMailQueue).sendDue();
  /** @returns the token as the mail has it. */
  const invite = async (email: string, role = 'member') => {
    await app.post('/v1/team/invites', owner.liveKey).send({ email, role }).expect(201);
    await sendMails();
    return /\/console#invite=(\S+)/.exec(mails.lastText())?.[1] ?? '';
  };
  const open = async (fragment = '', options = {}) => {
    const page = await browser.page(app.url, options);
    await page.goto(`${app.url}/console${fragment}`);
    return page;
  };
  const membersOf = async ({ liveKey }: NewAccount) =>
    (
      (await app.get('/v1/team', liveKey)).body as {
        members: { email: string; role: string; confirmed: boolean }[];
      }
    ).members;

  it('says team, inviter and role, and joins a new user with the address of the invite, which is proven', async () => {
    const email = someone();
    const page = await open(`#invite=${await invite(email, 'admin')}`);
    await page.getByRole('heading', { name: owner.team.name }).waitFor();
    await page.getByText(`${owner.user.email} invites you to join as Admin.`).waitFor();
    expect(page.url()).toBe(`${app.url}/console`);
    expect(await page.getByLabel('Your email address').inputValue()).toBe(email);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Join the team' }).click();
    const key = (await page.locator('pre').innerText()).trim();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    expect(await keyOf(page)).toBe(key);
    expect(await membersOf(owner)).toMatchObject([{}, { email, role: 'admin', confirmed: true }]);
  });

  it('does nothing by being opened, as programs that check links do', async () => {
    const token = await invite(someone());
    for (let opened = 0; opened < 2; opened++) {
      const page = await open(`#invite=${token}`);
      await page.getByRole('button', { name: 'Join the team' }).waitFor();
      await unload(page);
    }
    expect(await membersOf(owner)).toHaveLength(1);
  });

  it('shows an address that nobody has proven as not confirmed, among the members', async () => {
    const token = await invite(someone());
    const page = await open(`#invite=${token}`);
    const other = someone();
    await page.getByLabel('Your email address').fill(other);
    await page.getByRole('button', { name: 'Join the team' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('row').filter({ hasText: other }).getByText('not confirmed').waitFor();
    const inviter = page.getByRole('row').filter({ hasText: owner.user.email });
    expect(await inviter.getByText('not confirmed').count()).toBe(0);
  });

  it('leads a person with an account to the sign-in, and asks in the same tab afterwards', async () => {
    const guest = await app.anAccount();
    const page = await open(`#invite=${await invite(guest.user.email)}`);
    await page.getByRole('button', { name: 'Join the team' }).click();
    await page.getByText('Sign in with your account.').waitFor();
    expect(await page.getByLabel('Your email address').inputValue()).toBe(guest.user.email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('a link is on its way').waitFor();
    await app.service.app.get(SignInService).sendRequested();
    await sendMails();
    const link = /#sign-in=\S+/.exec(mails.lastText())?.[0] ?? '';
    const mailed = await page.context().newPage();
    await mailed.goto(`${app.url}/console${link}`);
    await mailed.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`You join as ${guest.user.email}.`).waitFor();
    await page.getByRole('button', { name: 'Join the team' }).click();
    await page.getByRole('button', { name: `Team: ${owner.team.name}` }).waitFor();
    expect(await membersOf(owner)).toMatchObject([{}, { email: guest.user.email, confirmed: true }]);
    await mailed.close();
  });

  it('asks somebody who is signed in on any page and in a new tab, and keeps their team', async () => {
    const guest = await app.anAccount();
    const first = await open(`/webhooks#key=${guest.liveKey}`);
    await first.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    const token = await invite(someone());
    const page = await first.context().newPage();
    await page.goto(`${app.url}/console/lists#invite=${token}`);
    await page.getByText(`You join as ${guest.user.email}.`).waitFor();
    await page.getByText('The invite was sent to').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await page.close();
    await first.evaluate(`location.hash = 'invite=${token}'`);
    await first.getByRole('button', { name: 'Join the team' }).click();
    await first.getByRole('button', { name: `Team: ${owner.team.name}` }).click();
    await first.getByRole('menuitemradio', { name: guest.team.name, exact: true }).click();
    await first.getByRole('button', { name: `Team: ${guest.team.name}` }).waitFor();
    expect(await membersOf(owner)).toHaveLength(2);
  });

  it('joins from test mode with the live key of the session, and says what a test key alone cannot', async () => {
    const guest = await app.anAccount();
    const page = await open(`#key=${guest.testKey}`);
    await page.getByLabel('Email address').waitFor();
    const token = await invite(someone());
    await page.evaluate(`location.hash = 'invite=${token}'`);
    await page.getByText('A test key cannot join.').waitFor();
    expect(await page.getByRole('button', { name: 'Join the team' }).isDisabled()).toBe(true);
    await page.evaluate(`sessionStorage.setItem('rcpt.other-key', '${guest.liveKey}')`);
    await page.reload();
    await page.getByRole('button', { name: 'Join the team' }).click();
    await page.getByRole('button', { name: `Team: ${owner.team.name}` }).waitFor();
    expect(await membersOf(owner)).toHaveLength(2);
  });

  it('that was used says what to do, in German too, and shows nothing of what it contains', async () => {
    const token = await invite(someone());
    await rowsOf(app, 'UPDATE invites SET revoked_at = created_at WHERE team_id = $1', [owner.team.id]);
    for (const text of [token, '<img src=x onerror=alert(1)>', 'x'.repeat(300)]) {
      const page = await open(`#invite=${encodeURIComponent(text)}`, { locale: 'de-DE' });
      await page
        .getByRole('heading', {
          name: text.length < 300 ? 'Diese Einladung gilt nicht' : 'Dem Team beitreten',
        })
        .waitFor();
      expect(await page.evaluate('document.body.innerHTML')).not.toContain('onerror');
      await page.getByRole('button', { name: 'Weiter' }).click();
      await page.getByRole('heading', { name: 'Anmelden', level: 1 }).waitFor();
    }
  });

  it('can be pasted, as a link or a token', async () => {
    const token = await invite(someone());
    const page = await open();
    await page.getByRole('button', { name: 'I have an invite' }).click();
    await page.getByLabel('Link or token of the invite').fill('hello');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('An invite has a link').waitFor();
    await page.getByLabel('Link or token of the invite').fill(`https://x.example/console#invite=${token}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: owner.team.name }).waitFor();
  });
});

(hasBrowser ? describe : describe.skip)('a link that confirms the address of a sign-up', () => {
  it('shows the live key after a click, and not before', async () => {
    const sink = await MailSink.start();
    const service = await anApp({
      SIGNUP: 'confirm',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    const chromium = await TestBrowser.start();
    const wish = { email: 'ada@example.com', team_name: '<img src=x onerror=alert(1)>', language: 'de' };
    const signedUp = await service.post('/signup').send(wish);
    const { key: test } = (signedUp.body as { key: { key: string } }).key;
    await service.service.app.get(PostgresMailQueue).sendDue();
    expect(sink.lastText()).toContain('Wenn Sie es waren');
    const link = /\/console#confirm=\S+/.exec(sink.lastText())?.[0] ?? '';
    const page = await chromium.page(service.url);
    await page.goto(`${service.url}${link}`);
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
    expect(page.url()).toBe(`${service.url}/console`);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect((await service.get('/v1/me', test)).status).toBe(200);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    const key = (await page.locator('pre').innerText()).trim();
    expect((await service.get('/v1/me', test)).status).toBe(401);
    expect((await service.get('/v1/me', key)).body).toMatchObject({ team: { name: wish.team_name } });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await unload(page);
    await page.goto(`${service.url}${link}`);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('alert').getByText('The link is invalid').waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await chromium.closePages()).toEqual([]);
    await chromium.stop();
    await service.stop();
    await sink.close();
  }, 60_000);
});
