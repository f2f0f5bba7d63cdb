import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accessibilityViolations, accessibleElement, hasBrowser } from '../../support/browser/browser.js';
import { answering, hangingUp, silent } from '../../support/browser/scripted-service.js';
import {
  enter,
  field,
  PUBLISHABLE_KEY,
  state,
  WidgetWorld,
  type Input,
} from '../../support/browser/widget-world.js';

const UNDELIVERABLE = 'This address cannot receive email. Please check it.';
const NOTHING = ['', ''];
const BUTTON = '<button type="button" class="rcpt-suggestion">Did you mean typo@gmail.com?</button>';

let world: WidgetWorld;

(hasBrowser ? describe : describe.skip)('the widget, on a page of another origin', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('sends one request for an address, with a body, without cookies or referrer, and stores nothing', async () => {
    const { service, site } = world;
    const page = await world.openPaused();
    await page.context().addCookies([{ name: 'session', value: '1', url: service.url }]);
    await enter(page, 'jane@example.com');
    await page.clock.runFor(150);
    await world.checked(page, 1);
    const { path, headers, body } = await service.until('POST');
    expect([path, JSON.parse(body)]).toEqual(['/v1/verify', { email: 'jane@example.com' }]);
    expect(headers).toMatchObject({ origin: site.url, authorization: `Bearer ${PUBLISHABLE_KEY}` });
    expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
    expect(await state(page)).toEqual(NOTHING);
    // Cookies of one host are shared by its ports.
    const stored = `(async () => [localStorage.length, sessionStorage.length, document.cookie,
      (await indexedDB.databases()).length, history.state])()`;
    expect(await page.evaluate(stored)).toEqual([0, 0, 'session=1', 0, null]);
    // Leaving the input again sends no request.
    service.behave = silent;
    await field(page).focus();
    await page.keyboard.press('Tab');
    await page.clock.runFor(150);
    expect(await page.locator('[aria-live][aria-busy]').count()).toBe(0);
    expect(await world.join(page)).toEqual(['jane@example.com']);
    expect(service.asked).toEqual(['jane@example.com']);
  });

  it('blocks a form with an undeliverable address, and announces the reason to assistive technology', async () => {
    const page = await world.open();
    await world.check(page, 'ghost@example.com');
    expect(await state(page)).toEqual([UNDELIVERABLE, UNDELIVERABLE]);
    await page.getByRole('button', { name: 'Join' }).click();
    expect(world.site.joined).toEqual([]);
    expect(await accessibleElement(page, '#email')).toMatchObject({
      role: 'textbox',
      name: 'Email',
      description: UNDELIVERABLE,
      properties: { invalid: 'true' },
    });
    expect(await accessibleElement(page, '[aria-live]')).toMatchObject({ properties: { live: 'polite' } });
    expect(await accessibilityViolations(page)).toEqual([]);
    // Editing removes the message and the button before the next request.
    await field(page).press('End');
    await page.keyboard.type('x');
    expect(await state(page)).toEqual(NOTHING);
    expect(await accessibleElement(page, '#email')).toMatchObject({ properties: { invalid: 'false' } });
    expect(await world.join(page)).toEqual(['ghost@example.comx']);
  });

  it('suggests an address with a button that the keyboard can reach, and verifies it', async () => {
    const page = await world.open();
    await world.check(page, 'typo@gmial.com');
    expect(await state(page)).toEqual([UNDELIVERABLE, `${UNDELIVERABLE} Did you mean typo@gmail.com?`]);
    await page.keyboard.press('Shift+Tab');
    const focused = () => page.evaluate<string>('document.activeElement.outerHTML');
    expect(await focused()).toBe(BUTTON);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await world.checked(page, 2);
    expect(world.service.asked).toEqual(['typo@gmial.com', 'typo@gmail.com']);
    expect(await focused()).toMatch(/^<input id="email"/);
    expect(await state(page)).toEqual(NOTHING);
    expect(await world.join(page)).toEqual(['typo@gmail.com']);
  });

  it('suggests an address without blocking the one that was typed', async () => {
    const page = await world.open();
    await world.check(page, 'near@gmial.com');
    expect(await state(page)).toEqual(['', 'Did you mean near@gmail.com?']);
    expect(await world.join(page)).toEqual(['near@gmial.com']);
  });

  it('blocks what the policy rejects, and nothing that is risky or unknown', async () => {
    const page = await world.open();
    await world.check(page, 'blocked@example.com');
    expect((await state(page))[0]).toBe('Please use another email address.');
    for (const address of ['shared@example.com', 'grey@example.com']) {
      await world.check(page, address);
      expect([address, ...(await state(page))]).toEqual([address, ...NOTHING]);
    }
    world.service.behave = answering(200, { status: 'unknown', policy: { decision: 'reject' } });
    await world.check(page, 'strange@example.com');
    expect(await world.join(page)).toEqual(['strange@example.com']);
  });

  describe('never blocks a form', () => {
    it('if the response is no verdict', async () => {
      const page = await world.open();
      const failures = [
        answering(429, { code: 'rate_limited' }, { 'Retry-After': '60' }),
        answering(401, { code: 'invalid_credential', policy: { decision: 'reject' } }),
        answering(500, { code: 'internal_error' }),
        answering(503, 'down for maintenance'),
        answering(200, '<!doctype html>', { 'Content-Type': 'text/html' }),
        answering(200, {}),
        answering(200, 'null'),
        answering(307, '', { Location: '/v1/elsewhere' }),
        hangingUp,
      ];
      for (const [at, behaviour] of failures.entries()) {
        world.service.behave = behaviour;
        await world.check(page, `ghost${at}@example.com`);
        expect([at, ...(await state(page))]).toEqual([at, ...NOTHING]);
      }
      const last = `ghost${failures.length - 1}@example.com`;
      expect(await world.join(page)).toEqual([last]);
      // The redirect was not followed.
      expect(world.service.received.map(({ path }) => path)).not.toContain('/v1/elsewhere');
    });

    it('on a site that the key does not allow', async () => {
      world.service.allowedOrigin = 'https://other.example';
      const page = await world.open();
      await world.check(page, 'ghost@example.com');
      expect(await state(page)).toEqual(NOTHING);
      expect(await world.join(page)).toEqual(['ghost@example.com']);
      expect(world.browser.faults.splice(0).join()).toContain('blocked by CORS policy');
    });

    it('while the service does not respond, and ends the request after two seconds', async () => {
      world.service.behave = silent;
      const page = await world.openPaused();
      await enter(page, 'ghost@example.com');
      await page.clock.runFor(150);
      await world.service.until('POST');
      const busy = page.locator('[aria-live][aria-busy]');
      await page.clock.runFor(1_999);
      expect([await busy.count(), ...(await state(page))]).toEqual([1, ...NOTHING]);
      const ended = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
      await page.clock.runFor(1);
      expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
      await busy.waitFor({ state: 'detached' });
      expect(await state(page)).toEqual(NOTHING);
      expect(await world.join(page)).toEqual(['ghost@example.com']);
    });

    it('without the script', async () => {
      const page = await world.open({ service: 'http://127.0.0.1:9' });
      await enter(page, 'ghost@example.com');
      expect(await world.join(page)).toEqual(['ghost@example.com']);
      expect(world.browser.faults.splice(0)).toEqual(['http://127.0.0.1:9/rcpt.js']);
    });

    it('with a value that a script has changed since', async () => {
      const page = await world.open();
      await world.check(page, 'ghost@example.com');
      await page.evaluate('document.forms[0].reset()');
      expect(await state(page)).toEqual(NOTHING);
      await world.check(page, 'ghost@example.com');
      await field(page).evaluate((input: Input) => {
        input.value = 'jane@example.com';
      });
      expect(await world.join(page)).toEqual(['jane@example.com']);
    });
  });
});
