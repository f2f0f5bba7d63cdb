import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { hasBrowser } from '../../support/browser/browser.js';
import { answering, reducedVerdict, silent } from '../../support/browser/scripted-service.js';
import { enter, field, state, WidgetWorld } from '../../support/browser/widget-world.js';

const UNDELIVERABLE = 'This address cannot receive email. Please check it.';
const WAIT = { 'data-rcpt-wait': '1000' };
const FORM = (value = '') => `<form action="/joined" method="post">
  <label>Email <input type="email" name="email" data-rcpt value="${value}"></label>
  <button name="list" value="news">Join</button><button name="list" value="draft" formnovalidate>Later</button>
</form>`;

let world: WidgetWorld;

/** The form as the site got it. */
const sent = () => world.site.received.filter(({ method }) => method === 'POST').map(({ body }) => body);
const join = (page: Page) => page.getByRole('button', { name: 'Join' }).click();
const nameOfFocused = (page: Page) => page.evaluate<string>('document.activeElement.name');
const fieldState = (page: Page) => field(page).getAttribute('data-rcpt-state');

/** Requests for verdicts that wait for the test. */
function held(): (() => void)[] {
  const answers: (() => void)[] = [];
  world.service.behave = (response: ServerResponse, email) =>
    void answers.push(() => answering(200, reducedVerdict(email))(response, email));
  return answers;
}

(hasBrowser ? describe : describe.skip)('a form that waits for the verdict (data-rcpt-wait)', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('W1, W9: is sent after Enter once the address is verified, with the button that was pressed', async () => {
    const answers = held();
    const page = await world.open({ script: WAIT, body: FORM() });
    await page.evaluate(`document.addEventListener('submit', () => (window.name += 'submit '))`);
    await field(page).fill('jane@example.com');
    await field(page).press('Enter');
    await world.service.until('POST');
    // A second press sends no second form.
    await field(page).press('Enter');
    expect([await fieldState(page), await page.evaluate('window.name'), sent()]).toEqual([
      'checking',
      '',
      [],
    ]);
    answers[0]!();
    await page.waitForURL('**/joined');
    expect([sent(), await page.evaluate('window.name')]).toEqual([
      ['email=jane%40example.com&list=news'],
      'submit ',
    ]);
    expect(world.service.asked).toEqual(['jane@example.com']);
  });

  it('W7: is not sent with an undeliverable address: the message and the suggestion are not covered', async () => {
    const page = await world.open({ script: WAIT, body: FORM() });
    await page.evaluate(
      `document.addEventListener('invalid', (event) => (window.name += event.defaultPrevented), true)`,
    );
    await field(page).fill('typo@gmial.com');
    await field(page).press('Enter');
    await world.checked(page, 1);
    expect(await state(page)).toEqual([UNDELIVERABLE, `${UNDELIVERABLE} Did you mean typo@gmail.com?`]);
    await page.locator('[data-rcpt-state=reject]').waitFor();
    expect([await nameOfFocused(page), sent()]).toEqual(['email', []]);
    // Another click finds the address rejected, and moves the focus back to it.
    await join(page);
    expect([await nameOfFocused(page), sent(), await page.evaluate('window.name')]).toEqual([
      'email',
      [],
      'truetrue',
    ]);
    await page.getByRole('button', { name: 'Did you mean' }).click();
    await join(page);
    await page.waitForURL('**/joined');
    expect(sent()).toEqual(['email=typo%40gmail.com&list=news']);
  });

  it('keeps the focus where a script only asks whether the form is valid', async () => {
    const page = await world.open({ body: FORM() });
    await world.check(page, 'ghost@example.com');
    await page.getByRole('button', { name: 'Later' }).focus();
    await page.evaluate('document.forms[0].checkValidity()');
    expect(await nameOfFocused(page)).toBe('list');
  });

  it('W2: verifies a value that was there before', async () => {
    const page = await world.open({ script: WAIT, body: FORM('ghost@example.com') });
    await join(page);
    await page.locator('[data-rcpt-state=reject]').waitFor();
    expect([await state(page), sent(), world.service.asked]).toEqual([
      [UNDELIVERABLE, UNDELIVERABLE],
      [],
      ['ghost@example.com'],
    ]);
  });

  it('is sent when the time is over, and when the service fails', async () => {
    world.service.behave = silent;
    const page = await world.openPaused({ script: WAIT, body: FORM() });
    await field(page).fill('ghost@example.com');
    await join(page);
    await world.service.until('POST');
    await page.clock.runFor(999);
    expect(sent()).toEqual([]);
    await page.clock.runFor(1);
    // The form is sent by a task of its own.
    await page.clock.runFor(1);
    await page.waitForURL('**/joined');
    expect(sent()).toEqual(['email=ghost%40example.com&list=news']);

    world.service.behave = answering(503, { code: 'unavailable' });
    const second = await world.open({ script: WAIT, body: FORM('ghost@example.com') });
    await join(second);
    await second.waitForURL('**/joined');
  });

  it('is not sent if the address is edited while it waits', async () => {
    const answers = held();
    const page = await world.open({ script: WAIT, body: FORM() });
    await field(page).fill('jane@example.co');
    await field(page).press('Enter');
    await world.service.until('POST');
    await field(page).press('End');
    await page.keyboard.type('m');
    answers[0]!();
    expect([await fieldState(page), sent()]).toEqual([null, []]);
    await join(page);
    await world.service.until('POST', 2);
    answers[1]!();
    await page.waitForURL('**/joined');
    expect(sent()).toEqual(['email=jane%40example.com&list=news']);
  });

  it('does not wait for a button without validation, for an invalid address, or without the attribute', async () => {
    world.service.behave = silent;
    const page = await world.open({ script: WAIT, body: FORM('ghost@example.com') });
    await page.getByRole('button', { name: 'Later' }).click();
    await page.waitForURL('**/joined');
    expect([sent(), world.service.asked]).toEqual([['email=ghost%40example.com&list=draft'], []]);
    const empty = await world.open({ script: WAIT, body: FORM() });
    await join(empty);
    await empty.waitForURL('**/joined');
    const other = await world.open({ body: FORM('ghost@example.com') });
    await join(other);
    await other.waitForURL('**/joined');
    expect(world.service.asked).toEqual([]);
  });

  it('waits in an open shadow root, and in a form with an input named requestSubmit', async () => {
    const page = await world.open({ script: WAIT, body: '<div id="host"></div>' });
    await page.evaluate(`{
      const form = document.createElement('form');
      Object.assign(form, { action: '/joined', method: 'post' });
      for (const [name, value] of [['requestSubmit', '1'], ['elements', '2'], ['email', 'ghost@example.com']]) {
        const input = document.createElement('input');
        Object.assign(input, { name, value, ariaLabel: name });
        if (name === 'email') input.dataset.rcpt = '';
        form.append(input);
      }
      const button = document.createElement('button');
      button.textContent = 'Join';
      form.append(button);
      document.querySelector('#host').attachShadow({ mode: 'open' }).append(form);
    }`);
    await join(page);
    await page.locator('[data-rcpt-state=reject]').waitFor();
    expect(sent()).toEqual([]);
    await page.getByLabel('email').fill('jane@example.com');
    await join(page);
    await page.waitForURL('**/joined');
    expect(sent()).toEqual(['requestSubmit=1&elements=2&email=jane%40example.com']);
  });

  it('W4: refuses what data-rcpt-reject names, and nothing else', async () => {
    const page = await world.open({ script: { 'data-rcpt-reject': 'undeliverable, disposable' } });
    const rejected: Record<string, string> = {};
    for (const name of ['ghost', 'brief', 'blocked', 'shared', 'grey', 'jane']) {
      await world.check(page, `${name}@example.com`);
      rejected[name] = (await state(page))[0] + ' ' + String(await fieldState(page));
    }
    expect(rejected).toEqual({
      ghost: `${UNDELIVERABLE} reject`,
      brief: 'Please use another email address. reject',
      blocked: ' review',
      shared: ' review',
      grey: ' review',
      jane: ' accept',
    });
    const all = await world.open({ script: { 'data-rcpt-reject': 'unknown greylisted' } });
    await world.check(all, 'grey@example.com');
    expect((await state(all))[0]).toBe('');
  });

  it('W4: refuses what the policy rejects with data-rcpt-reject="policy", also an unknown address', async () => {
    const page = await world.open({ script: { 'data-rcpt-reject': 'disposable,policy' } });
    const answers = (decision: string) => {
      world.service.behave = (response, email) =>
        answering(200, { ...reducedVerdict(email), policy: { decision } })(response, email);
    };
    const found: Record<string, string | null> = {};
    for (const [name, decision] of [
      ['jane', 'reject'],
      ['grey', 'reject'],
      ['ghost', 'accept'],
      ['brief', 'accept'],
      ['shared', 'review'],
    ] as const) {
      answers(decision);
      await world.check(page, `${name}@example.com`);
      found[`${name} ${decision}`] = await fieldState(page);
    }
    expect(found).toEqual({
      'jane reject': 'reject',
      'grey reject': 'reject',
      'ghost accept': 'accept',
      'brief accept': 'reject',
      'shared review': 'review',
    });
  });

  it.each([
    ['de-AT', 'Meinten Sie typo@gmail.com?', 'Diese Adresse kann keine E-Mails empfangen.'],
    ['fr', 'Vouliez-vous dire typo@gmail.com ?', 'Cette adresse ne peut pas recevoir d’e-mails.'],
    ['es', '¿Quiso decir typo@gmail.com?', 'Esta dirección no puede recibir correo.'],
    ['it-CH', 'Intendeva typo@gmail.com?', 'Questo indirizzo non può ricevere e-mail.'],
    ['ar', 'Did you mean typo@gmail.com?', 'This address cannot receive email.'],
  ])('W8: speaks the language of the page (%s)', async (language, suggestion, text) => {
    const page = await world.open({ body: `<div lang="${language}">${FORM()}</div>` });
    await world.check(page, 'typo@gmial.com');
    const [validity, message] = await state(page);
    expect(validity).toContain(text);
    expect(message).toContain(suggestion);
  });

  it('W5: tells the developer once why there is no verdict', async () => {
    const warnings: string[] = [];
    world.service.allowedOrigin = 'https://other.example';
    const page = await world.open();
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await world.check(page, 'ghost@example.com');
    await world.check(page, 'jane@example.com');
    expect(world.browser.faults.splice(0).join()).toContain('blocked by CORS policy');
    expect(warnings).toEqual([
      `rcpt.js: no response of ${world.service.url}/v1/verify that this page may read. ` +
        `Is ${world.site.url} in allowed_origins of the key, and ${world.service.url} in connect-src of the ` +
        'Content-Security-Policy?',
    ]);
    world.reset();
    world.service.behave = answering(401, { code: 'invalid_credential' });
    await page.reload();
    await enter(page, 'ghost@example.com');
    await world.checked(page, 1);
    expect(warnings.slice(1)).toEqual(['rcpt.js: no verdict: 401 invalid_credential']);
  });
});
