import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accessibilityViolations, hasBrowser } from '../../support/browser/browser.js';
import { answering, silent } from '../../support/browser/scripted-service.js';
import { enter, field, state, WidgetWorld } from '../../support/browser/widget-world.js';
import { ask } from '../../support/http/ask.js';

const MAX_BYTES = 4_500;
const UNDELIVERABLE = 'This address cannot receive email. Please check it.';
const WAIT = { 'data-rcpt-wait': '1000' };

let world: WidgetWorld;

(hasBrowser ? describe : describe.skip)('what the widget shows beside verdicts', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('has at most 4.5 kB', async () => {
    const { headers, body } = await ask(world.app, '/rcpt.js', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBe('br');
    expect(body.length).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each([
    ['en', 'Checking…'],
    ['de-AT', 'Wird geprüft …'],
    ['fr', 'Vérification…'],
    ['es', 'Comprobando…'],
    ['it', 'Verifica in corso…'],
  ])('says that a form waits after 400 ms, until the end of its time (%s)', async (language, text) => {
    world.service.behave = silent;
    const page = await world.openPaused({
      script: WAIT,
      body: `<form lang="${language}"><input aria-label="Email" type="email" data-rcpt><button>Join</button></form>`,
    });
    await page.evaluate(`document.addEventListener('submit', (event) => {
      event.preventDefault();
      document.title = 'sent';
    })`);
    await field(page).fill('ghost@example.com');
    await field(page).press('Enter');
    await world.service.until('POST');
    await page.clock.runFor(399);
    expect(await state(page)).toEqual(['', '']);
    await page.clock.runFor(1);
    expect(await state(page)).toEqual(['', text]);
    await page.clock.runFor(600);
    await page.clock.runFor(1);
    expect([await page.title(), ...(await state(page))]).toEqual(['sent', '', '']);
  });

  it('says nothing of a check for which no form waits', async () => {
    world.service.behave = silent;
    const page = await world.openPaused({ script: WAIT });
    await enter(page, 'ghost@example.com');
    await page.clock.runFor(150);
    await world.service.until('POST');
    await page.clock.runFor(1_000);
    expect(await state(page)).toEqual(['', '']);
  });

  it('explains itself in the page with data-rcpt-debug', async () => {
    const page = await world.open({ script: { 'data-rcpt-debug': '' } });
    const told = async (address: string) => {
      await world.check(page, address);
      return (await state(page))[1];
    };
    expect(await told('ghost@example.com')).toBe(
      `${UNDELIVERABLE}\nrcpt.js: undeliverable, mailbox_not_found, reject: the form is not sent`,
    );
    expect(await told('grey@example.com')).toBe('rcpt.js: unknown, greylisted, review: the form is sent');
    world.service.behave = answering(429, { code: 'rate_limited' });
    expect(await told('jane@example.com')).toBe('rcpt.js: no verdict: 429 rate_limited');
    await page.evaluate(`document.addEventListener('rcpt:verdict', (event) => event.preventDefault())`);
    world.reset();
    expect(await told('blocked@example.com')).toBe(
      'rcpt.js: risky, blocked_domain, reject; canceled by the page',
    );
  });

  it('has styles only with data-rcpt-style, under a strict Content-Security-Policy', async () => {
    const color = `getComputedStyle(document.querySelector('[aria-live]')).color`;
    const plain = await world.open();
    await world.check(plain, 'ghost@example.com');
    expect(await plain.evaluate(color)).toBe('rgb(0, 0, 0)');
    const page = await world.open({ script: { 'data-rcpt-style': '' } });
    await world.check(page, 'typo@gmial.com');
    expect(await page.evaluate(color)).toBe('rgb(176, 0, 32)');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
