import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam, rowsOf } from '../../support/app/joins.js';
import { accessibilityViolations, choose, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { MailSink } from '../../support/mail/mail-sink.js';

const PHONE = { width: 390, height: 844 };

let mails: MailSink;
let app: TestApp;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('the page of a team', () => {
  beforeAll(async () => {
    mails = await MailSink.start();
    app = await anApp({ INVITE_SMTP_URL: mails.url, INVITE_FROM: 'rcpt@service.example' });
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await mails.close();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  const open = async (key: string): Promise<Page> => {
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console/team#key=${key}`);
    return page;
  };

  it('asks before a role changes, says that it has changed, and takes it back', async () => {
    const owner = await app.anAccount();
    const member = await joinTeam(app, owner);
    const role = async () =>
      (await rowsOf<{ role: string }>(app, 'SELECT role FROM members WHERE id = $1', [member.id]))[0]?.role;
    const page = await open(owner.liveKey);
    const row = page.getByRole('row').filter({ hasText: member.email });
    await row.waitFor();
    // No key of a closed control changes anything.
    expect(await page.getByRole('table').getByRole('combobox').count()).toBe(0);
    await choose(page, `Actions: ${member.email}`, 'Make an admin');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await role()).toBe('member');
    await choose(page, `Actions: ${member.email}`, 'Make an admin');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make an admin' }).click();
    await page.getByRole('status').getByText(`${member.email} now has the role Admin.`).waitFor();
    await row.getByRole('cell', { name: 'Admin' }).waitFor();
    expect(await role()).toBe('admin');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('cell', { name: 'Member' }).waitFor();
    expect(await role()).toBe('member');
    await page.setViewportSize(PHONE);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });

  it('saves only the settings that were changed', async () => {
    const owner = await app.anAccount();
    const page = await open(owner.liveKey);
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postDataJSON()));
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect(sent).toEqual([]);
    await page.getByLabel('Treat role addresses').check();
    await Promise.all([page.waitForResponse(/\/v1\/team$/), save.click()]);
    expect(sent).toEqual([{ role_is_risky: true }]);
    const [team] = await rowsOf(app, 'SELECT retention_days FROM teams WHERE id = $1', [owner.team.id]);
    expect(team).toEqual({ retention_days: null });
  });

  it('shows who is invited among the members, and says whether the service mails the link', async () => {
    const owner = await app.anAccount();
    const page = await open(owner.liveKey);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ada@team.example');
    await dialog.getByRole('button', { name: 'Create invite' }).click();
    await dialog.getByText('The service mails a link to ada@team.example.').waitFor();
    const first = await dialog.locator('pre').innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row').filter({ hasText: 'ada@team.example' });
    await row.getByText('Invited').waitFor();
    for (let times = 0; times < 3; times++) {
      await choose(page, 'Actions: ada@team.example', 'Send again');
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await dialog.locator('pre').waitFor();
      if (times < 2) await dialog.getByRole('button', { name: 'Close' }).click();
    }
    // The limit of mails to one mailbox.
    await dialog.getByText('The service does not mail this invite').waitFor();
    const last = await dialog.locator('pre').innerText();
    expect(last).not.toBe(first);
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await row.count()).toBe(1);
    const tokenOf = (link: string) => link.trim().split('#invite=')[1];
    for (const [link, status] of [
      [first, 404],
      [last, 200],
    ] as const)
      await app
        .post('/invites/read')
        .send({ token: tokenOf(link) })
        .expect(status);
  });
});
