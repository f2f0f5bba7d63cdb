import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aPublishableKey } from '../../support/app/publishable.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { MAIL_SCENES } from '../../support/mail/mail-scenes.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const NAMES = [
  'Verify an address',
  'Reach mail servers on port 25',
  'Create an API key',
  'Add a webhook',
  'Verify in a form',
];

let world: MailWorld;
let app: TestApp;
/** Of the first team. */
let operator: string;
let browser: TestBrowser;

const open = async (key: string): Promise<Page> => {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console#key=${key}`);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  return page;
};
const listOf = (page: Page) => page.getByRole('region', { name: 'First steps' });
/** Waits until a step has this state. */
const isDone = (page: Page, name: string, state: 'Done' | 'To do' = 'Done') =>
  listOf(page).getByRole('listitem').filter({ hasText: name }).getByText(state, { exact: true }).waitFor();
const toVerify = (page: Page) => page.getByRole('link', { name: 'Verify', exact: true }).click();

(hasBrowser ? describe : describe.skip)('the first steps in the console', () => {
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: MAIL_SCENES });
    app = await anApp(world.env);
    operator = (await app.anAccount()).liveKey;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await world.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('have the state that the API says, lead to their pages, and end when all are done', async () => {
    const page = await open(operator);
    for (const name of NAMES) await isDone(page, name, 'To do');
    expect(await accessibilityViolations(page)).toEqual([]);
    await listOf(page).getByRole('link', { name: 'Verify an address' }).click();
    await page.keyboard.type('ghost@plain.mailworld');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Undeliverable' }).waitFor();
    for (const name of NAMES.slice(0, 2)) await isDone(page, name);
    // A click changes nothing.
    await listOf(page).getByRole('link', { name: 'Add a webhook' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await toVerify(page);
    for (const name of NAMES.slice(2)) await isDone(page, name, 'To do');
    const hook = await app.post('/v1/webhooks', operator).send({ url: 'https://example.com/hook' });
    expect(hook.status).toBe(201);
    await app.post('/v1/keys', operator).send({ name: 'backend' });
    await listOf(page).getByRole('link', { name: 'Create an API key' }).click();
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'backend', exact: true }).waitFor();
    await toVerify(page);
    for (const name of NAMES.slice(0, 4)) await isDone(page, name);
    await listOf(page).getByText('4 of 5 are done').waitFor();
    await isDone(page, 'Verify in a form', 'To do');
    await listOf(page).getByRole('link', { name: 'Reach mail servers' }).click();
    await page.getByRole('heading', { name: 'Checks of the installation' }).waitFor();
    await aPublishableKey(app, operator);
    await toVerify(page);
    await page.getByLabel('Email address').waitFor();
    await listOf(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('region', { name: 'History' }).waitFor();
    expect(await page.evaluate("Object.keys(localStorage).join().includes('rcpt.steps-hidden')")).toBe(true);
    expect(await listOf(page).count()).toBe(0);
  });

  it('are hidden by a user for the team, and are not shown for test keys', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const page = await open(liveKey);
    await isDone(page, 'Create an API key', 'To do');
    expect(await listOf(page).getByText('port 25').count()).toBe(0);
    await listOf(page).getByRole('button', { name: 'Hide the first steps' }).click();
    await listOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('address');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByLabel('Email address').waitFor();
    expect(asked.filter((path) => /first-steps|webhooks$/.test(path))).toEqual([]);
    const other = await open((await app.anAccount()).liveKey);
    await isDone(other, 'Verify an address', 'To do');
    const test = await open(testKey);
    await test.getByRole('button', { name: 'jane@example.com' }).waitFor();
    expect(await listOf(test).count()).toBe(0);
  });
});
