import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { MailSink } from '../../support/mail/mail-sink.js';

const PUBLISHABLE = `rcpt_pub_${'a'.repeat(38)}`;

let mails: MailSink;
let app: TestApp;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('the sign-in page', () => {
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

  it('begins with the mail where the service sends some; a key is among the other ways', async () => {
    const { liveKey } = await app.anAccount();
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console`);
    await page.getByRole('button', { name: 'Send me a link' }).waitFor();
    const key = page.getByLabel('API key');
    expect(await key.isVisible()).toBe(false);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByText('Other ways to sign in').click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await key.fill(PUBLISHABLE);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('This is a publishable key, for web pages').waitFor();
    await key.fill(liveKey);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Menu' }).waitFor();
  });

  it('has only the field for a key where there is no other way', async () => {
    const plain = await anApp();
    const page = await browser.page(plain.url);
    await page.goto(`${plain.url}/console`);
    await page.getByLabel('API key').waitFor();
    expect(await page.getByText('Other ways to sign in').count()).toBe(0);
    await plain.stop();
  });
});
