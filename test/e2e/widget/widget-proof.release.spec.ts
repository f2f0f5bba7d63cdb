import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aPublishableKey } from '../../support/app/publishable.js';
import { hasBrowser } from '../../support/browser/browser.js';
import { answering, reducedVerdict, type VerdictAnswer } from '../../support/browser/scripted-service.js';
import { enter, field, WidgetWorld } from '../../support/browser/widget-world.js';

const MINUTE_MS = 60_000;

let world: WidgetWorld;

/** The proof of the nth request is `nth address`. */
const proving: VerdictAnswer = (response, email) => {
  const proof = `${world.service.asked.length} ${email}`;
  answering(200, { ...reducedVerdict(email), proof })(response, email);
};

/** What the form of the page would send. */
const sent = (page: Page, form = 'form') =>
  page.evaluate<string[][]>(`[...new FormData(document.querySelector(${JSON.stringify(form)}))]`);
/** The bodies of the forms that the site got. */
const received = () =>
  world.site.received.filter(({ method }) => method === 'POST').map(({ body }) => new URLSearchParams(body));
const form = (content: string) =>
  `<form action="/joined" method="post">${content}<button>Join</button></form>`;
const input = (more = '', name = 'email') =>
  `<input type="email" aria-label="${name}" name="${name}" data-rcpt ${more}>`;

(hasBrowser ? describe : describe.skip)('the proof of the widget', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => {
    world.reset();
    world.service.behave = proving;
  });
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('is sent with the form, and the service confirms it to the site', async () => {
    const owner = (await world.app.anAccount()).liveKey;
    const { key } = await aPublishableKey(world.app, owner, { allowed_origins: [world.site.url] });
    await world.app.post('/v1/blocklist', owner).send({ domain: 'blocked.example' });
    const page = await world.open({ service: world.app.url, key, script: { 'data-rcpt-reject': '' } });
    const answer = page.waitForResponse((one) => one.request().method() === 'POST');
    await enter(page, 'Jane@blocked.example');
    await (await answer).finished();
    await page.locator('[aria-live][aria-busy]').waitFor({ state: 'detached' });
    await world.join(page);
    const [body] = received();
    const { proof, email } = { proof: body?.get('rcpt_proof'), email: body?.get('email') };
    const confirmed = await world.app.post('/v1/proofs/confirm', owner).send({ proof, email });
    expect(confirmed.body).toMatchObject({ valid: true, reason: 'blocked_domain', replayed: false });
  });

  it('is in a hidden field of the form, and goes when the address changes', async () => {
    const page = await world.open();
    expect(await sent(page)).toEqual([['email', '']]);
    await world.check(page, 'jane@example.com');
    expect(await sent(page)).toEqual([
      ['email', 'jane@example.com'],
      ['rcpt_proof', '1 jane@example.com'],
    ]);
    expect(await page.locator('[name=rcpt_proof]').getAttribute('type')).toBe('hidden');
    await field(page).press('End');
    await page.keyboard.type('x');
    expect(await page.locator('[name=rcpt_proof]').count()).toBe(0);
    await world.check(page, 'joe@example.com');
    expect(await sent(page)).toContainEqual(['rcpt_proof', '2 joe@example.com']);
    // A script causes no event.
    await field(page).evaluate((one: { value: string }) => (one.value = 'jim@example.com'));
    await world.join(page);
    expect(received().map(String)).toEqual(['email=jim%40example.com']);
  });

  it('adds nothing without a verdict, without a proof, or where the input has no form', async () => {
    const page = await world.open({ body: `${form(input())}${input('', 'other')}` });
    for (const [at, body] of [
      { ...reducedVerdict('a@b.example'), proof: null },
      reducedVerdict('a@b.example'),
      {},
    ].entries()) {
      world.service.behave = answering(200, body);
      await world.check(page, `jane${at}@example.com`);
      expect([at, await page.locator('[name=rcpt_proof]').count()]).toEqual([at, 0]);
    }
    world.service.behave = proving;
    await page.getByLabel('other').fill('joe@example.com');
    await page.keyboard.press('Tab');
    await world.checked(page, 4);
    expect(await page.locator('[name=rcpt_proof]').count()).toBe(0);
  });

  it('has a name of its own for each of several inputs, and follows the attribute form', async () => {
    const page = await world.open({
      body: `<form id="a" action="/joined" method="post"></form>${input('form="a"')}
        ${form(`${input('', 'own')}${input('data-rcpt-proof-field="friend_proof"', 'friend')}`)}`,
    });
    for (const [at, name] of ['email', 'friend', 'own'].entries()) {
      await page.getByLabel(name, { exact: true }).fill(`${name}@example.com`);
      await page.keyboard.press('Tab');
      await world.checked(page, at + 1);
    }
    expect(Object.fromEntries(await sent(page, '#a'))).toEqual({
      email: 'email@example.com',
      rcpt_proof: '1 email@example.com',
    });
    expect(Object.fromEntries(await sent(page, 'form:not(#a)'))).toEqual({
      own: 'own@example.com',
      friend: 'friend@example.com',
      rcpt_proof: '3 own@example.com',
      friend_proof: '2 friend@example.com',
    });
  });

  it('is sent also if the page has rendered the form again, or removed the field', async () => {
    const body = form(input());
    const page = await world.open({ body });
    await world.check(page, 'jane@example.com');
    await page.evaluate(`{
      const main = document.querySelector('main');
      main.replaceChildren(...[...main.children].map((one) => one.cloneNode(true)));
      document.querySelectorAll('[name=rcpt_proof]').forEach((one) => one.remove());
      document.querySelector('[data-rcpt]').value = 'jane@example.com';
    }`);
    await world.join(page);
    expect(received().map((one) => one.getAll('rcpt_proof'))).toEqual([['1 jane@example.com']]);
  });

  it('is in the form that waited for the verdict', async () => {
    const page = await world.open({ script: { 'data-rcpt-wait': '5000' } });
    await field(page).fill('jane@example.com');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/join*');
    expect(received().map((one) => one.get('rcpt_proof'))).toEqual(['1 jane@example.com']);
  });

  describe('before it expires', () => {
    const setVisible = (page: Page, isVisible: boolean) =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { value: ${!isVisible}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    const openWithProof = async () => {
      const page = await world.openPaused();
      await enter(page, 'jane@example.com');
      await page.clock.runFor(150);
      await world.checked(page, 1);
      return page;
    };
    const until = (page: Page, proof: string) =>
      page.locator(`[name=rcpt_proof][value="${proof}"]`).waitFor({ state: 'attached' });

    it('is renewed four times while the page is open, without a message or an event', async () => {
      const page = await openWithProof();
      await page.evaluate(`document.addEventListener('rcpt:verdict', () => { throw new Error('an event') })`);
      await page.clock.runFor(27 * MINUTE_MS);
      expect(world.service.asked).toHaveLength(1);
      for (const nth of [2, 3, 4, 5]) {
        await page.clock.runFor(28 * MINUTE_MS);
        await until(page, `${nth} jane@example.com`);
      }
      await page.clock.runFor(180 * MINUTE_MS);
      expect(world.service.asked).toEqual(Array.from({ length: 5 }, () => 'jane@example.com'));
    });

    it('is renewed when the page becomes visible again', async () => {
      const page = await openWithProof();
      await setVisible(page, false);
      await page.clock.runFor(120 * MINUTE_MS);
      expect(world.service.asked).toHaveLength(1);
      await setVisible(page, false);
      await setVisible(page, true);
      await until(page, '2 jane@example.com');
      expect(world.service.asked).toHaveLength(2);
    });

    it('stays as it is if the service gives no other, and is not renewed for an address or a form that is gone', async () => {
      const page = await openWithProof();
      world.service.behave = answering(429, { code: 'rate_limited' });
      await page.clock.runFor(28 * MINUTE_MS);
      await world.service.until('POST', 2);
      await until(page, '1 jane@example.com');
      world.service.behave = proving;
      await enter(page, 'joe@example.com');
      await page.clock.runFor(150);
      await world.checked(page, 3);
      await field(page).fill('');
      await page.clock.runFor(60 * MINUTE_MS);
      await enter(page, 'jim@example.com');
      await page.clock.runFor(150);
      await world.checked(page, 4);
      await page.evaluate(`document.querySelector('form').remove()`);
      await page.clock.runFor(60 * MINUTE_MS);
      expect(world.service.asked).toHaveLength(4);
    });
  });
});
