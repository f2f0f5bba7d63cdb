import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accessibleElement, hasBrowser } from '../../support/browser/browser.js';
import { answering, reducedVerdict, silent } from '../../support/browser/scripted-service.js';
import { Recipe } from '../../support/clients/recipe.js';
import { enter, field, PUBLISHABLE_KEY, state, WidgetWorld } from '../../support/browser/widget-world.js';

const UNDELIVERABLE = 'This address cannot receive email. Please check it.';
const NOTHING = ['', ''];

const form = (inside: string) => `<form action="/joined" method="post">${inside}<button>Join</button></form>`;

let world: WidgetWorld;

(hasBrowser ? describe : describe.skip)('the widget', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('works in the form of the recipe', async () => {
    const recipe = await Recipe.read('signup-form');
    const html = recipe
      .block('html')
      .replace('https://rcpt.example.com', world.service.url)
      .replace('rcpt_pub_…', PUBLISHABLE_KEY)
      .replace('</form>', '</form><p id="hint"></p>');
    world.site.serve(html, world.service.url);
    const page = await world.newPage();
    await page.goto(world.site.url);
    await world.check(page, 'ghost@example.com');
    expect(await state(page)).toEqual([UNDELIVERABLE, UNDELIVERABLE]);
    await page.evaluate(recipe.block('js'));
    await world.check(page, 'brief@example.com');
    expect([await page.locator('#hint').innerText(), ...(await state(page))]).toEqual([
      'Please use an address that you will keep.',
      ...NOTHING,
    ]);
    expect(await world.join(page)).toEqual(['brief@example.com']);
  });

  it('W6: moves no button with its message, in an element and with the styles of the recipe', async () => {
    const css = (await Recipe.read('signup-form')).block('css');
    const page = await world.open({
      body: form(`<input aria-label="Email" type="email" name="email" data-rcpt data-rcpt-message="email-message">
        <p id="email-message" class="rcpt-message"></p>`),
    });
    await page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(css)});
      document.adoptedStyleSheets = [sheet];
    }`);
    const button = () => page.getByRole('button', { name: 'Join' }).boundingBox();
    const place = await button();
    await field(page).focus();
    expect(await button()).toEqual(place);
    await world.check(page, 'typo@gmial.com');
    expect((await state(page))[1]).toContain('Did you mean typo@gmail.com?');
    expect(await button()).toEqual(place);
    await world.check(page, 'jane@example.com');
    expect(await button()).toEqual(place);
  });

  it('works with a controlled input of React, which gets the suggestion', async () => {
    await world.site.showReactForm({ service: world.service.url, key: PUBLISHABLE_KEY });
    const page = await world.newPage();
    await page.goto(world.site.url);
    await world.check(page, 'typo@gmial.com');
    expect((await state(page))[0]).toBe(UNDELIVERABLE);
    await page.getByRole('button', { name: 'Did you mean' }).click();
    await world.checked(page, 2);
    expect(await page.locator('output').innerText()).toBe('typo@gmail.com');
    await world.check(page, 'ghost@example.com');
    expect(await page.locator('output').innerText()).toBe('ghost@example.com');
    expect((await state(page))[0]).toBe(UNDELIVERABLE);
    // The form empties the input without an event.
    await page.getByRole('button', { name: 'Empty' }).click();
    await enter(page, 'jane@example.com');
    expect(await world.join(page)).toEqual(['jane@example.com']);
  });

  it('works for an input that is added later, and removes the message with the input', async () => {
    const page = await world.open({ body: form('<p></p>') });
    const add = () =>
      page.evaluate(`{
        const input = document.createElement('input');
        Object.assign(input, { type: 'email', name: 'email', id: 'email', ariaLabel: 'Email' });
        input.dataset.rcpt = '';
        document.querySelector('p').append(input);
      }`);
    await add();
    await world.check(page, 'ghost@example.com');
    expect(await state(page)).toEqual([UNDELIVERABLE, UNDELIVERABLE]);
    await page.evaluate(`document.querySelector('#email').remove()`);
    await add();
    await world.check(page, 'jane@example.com');
    expect(await state(page)).toEqual(NOTHING);
  });

  it('verifies a value that the browser fills in without a blur event', async () => {
    const page = await world.open();
    await field(page).evaluate((input: { value: string; dispatchEvent(event: Event): void }) => {
      input.value = 'ghost@example.com';
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    });
    await world.checked(page, 1);
    expect(await state(page)).toEqual([UNDELIVERABLE, UNDELIVERABLE]);
  });

  it('cancels the request for an address that is edited, and shows the verdict of the last one', async () => {
    const page = await world.openPaused();
    world.service.behave = (response, email) =>
      (email.startsWith('ghost') ? silent : answering(200, reducedVerdict(email)))(response, email);
    await enter(page, 'ghost@example.com');
    await page.clock.runFor(150);
    await world.service.until('POST');
    const canceled = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
    await field(page).press('End');
    await page.keyboard.type('x');
    expect((await canceled).failure()?.errorText).toBe('net::ERR_ABORTED');
    await enter(page, 'near@gmial.com');
    await page.clock.runFor(150);
    await world.checked(page, 2);
    expect(await state(page)).toEqual(['', 'Did you mean near@gmail.com?']);
  });

  it('sends no request for a text that the browser rejects, a list of addresses or another input', async () => {
    const page = await world.open({
      body: form(`<input aria-label="a" data-rcpt type="email"><input aria-label="b" data-rcpt type="email" multiple>
        <input aria-label="c" type="email"><input aria-label="d" data-rcpt type="email" pattern=".*@corp">`),
    });
    for (const [label, value] of Object.entries({
      a: 'jane@',
      b: 'ghost@example.com,jane@example.com',
      c: 'ghost@example.com',
      d: 'ghost@example.com',
    }))
      await page.getByLabel(label, { exact: true }).fill(value);
    await world.check(page, 'jane@example.com');
    expect(world.service.asked).toEqual(['jane@example.com']);
  });

  it('sends no request when the window loses the focus in the middle of an address', async () => {
    const page = await world.openPaused();
    const requests = page.locator('[aria-live][aria-busy]');
    await field(page).fill('jane@example.co');
    // As browsers do: the input stays the active element.
    await field(page).evaluate((input: { dispatchEvent(event: Event): void }) =>
      input.dispatchEvent(new Event('focusout', { bubbles: true, composed: true })),
    );
    await page.clock.runFor(1_000);
    expect(await requests.count()).toBe(0);
    world.service.behave = silent;
    await page.keyboard.press('Tab');
    await page.clock.runFor(150);
    expect(await requests.count()).toBe(1);
  });

  it('reads texts and classes from the input, or from the script', async () => {
    const page = await world.open({
      script: {
        'data-rcpt-undeliverable': 'Diese Adresse ist nicht erreichbar.',
        'data-rcpt-suggestion': 'Meinten Sie {address}?',
        'data-rcpt-message-class': 'hinweis',
      },
      body: form(`<label>E-Mail <input type="email" name="email" data-rcpt data-rcpt-suggestion="{address}!"
        data-rcpt-suggestion-class="knopf" aria-describedby="hint"></label><i id="hint">Privat</i>`),
    });
    await world.check(page, 'typo@gmial.com');
    const text = 'Diese Adresse ist nicht erreichbar.';
    expect(await state(page)).toEqual([text, `${text} typo@gmail.com!`]);
    expect(await page.locator('.hinweis > .knopf').allInnerTexts()).toEqual(['typo@gmail.com!']);
    // The message is not part of the label, and stands beside the description of the page.
    expect(await accessibleElement(page, '[data-rcpt]')).toMatchObject({
      name: 'E-Mail',
      description: `Privat ${text} typo@gmail.com!`,
    });
  });

  it('does not block the form if the texts for rejected addresses are empty', async () => {
    const page = await world.open({ script: { 'data-rcpt-undeliverable': '' } });
    await world.check(page, 'typo@gmial.com');
    expect(await state(page)).toEqual(['', 'Did you mean typo@gmail.com?']);
    expect(await world.join(page)).toEqual(['typo@gmial.com']);
  });

  it('writes into an element of the page, and dispatches an event that the page can cancel', async () => {
    const page = await world.open({
      body: form(`<input aria-label="Email" type="email" name="email" data-rcpt data-rcpt-message="here">
        <p id="here"></p><output></output>`),
    });
    await page.evaluate(`document.addEventListener('rcpt:verdict', (event) => {
      document.querySelector('output').textContent = JSON.stringify(event.detail);
      if (event.detail.email.startsWith('ghost')) event.preventDefault();
    })`);
    await world.check(page, 'typo@gmial.com');
    expect(await page.locator('#here').innerText()).toContain('Did you mean typo@gmail.com?');
    expect(await page.locator('#here').getAttribute('data-rcpt-decision')).toBe('reject');
    const told = async () => JSON.parse(await page.locator('output').innerText()) as unknown;
    expect(await told()).toEqual(reducedVerdict('typo@gmial.com'));
    await world.check(page, 'ghost@example.com');
    expect(await told()).toEqual(reducedVerdict('ghost@example.com'));
    expect(await state(page)).toEqual(NOTHING);
  });

  it('shows a suggestion as text, whatever it contains', async () => {
    const page = await world.open();
    const hostile = '"$&<img/src=x>"@gmail.com';
    world.service.behave = answering(200, {
      ...reducedVerdict('jane@gmial.com'),
      did_you_mean: hostile,
    });
    await world.check(page, 'jane@gmial.com');
    expect(await state(page)).toEqual(['', `Did you mean ${hostile}?`]);
  });

  it.each(['reduce', 'no-preference'] as const)('moves nothing (%s)', async (reducedMotion) => {
    const page = await world.open({}, { reducedMotion });
    await world.check(page, 'typo@gmial.com');
    const motion = `[document.getAnimations().length, ...document.querySelectorAll('[aria-live], [aria-live] *')].map(
      (one) => one.nodeType ? getComputedStyle(one).transitionDuration + getComputedStyle(one).animationName : one)`;
    expect(await page.evaluate(motion)).toEqual([0, '0snone', '0snone']);
  });

  it('starts once, and never with a secret key', async () => {
    const page = await world.open({
      body: `${form('<input aria-label="Email" type="email" name="email" data-rcpt>')}
        <script src="${world.service.url}/rcpt.js" data-key="${PUBLISHABLE_KEY}" defer></script>`,
    });
    await world.check(page, 'ghost@example.com');
    expect([await state(page), world.service.asked]).toEqual([
      [UNDELIVERABLE, UNDELIVERABLE],
      ['ghost@example.com'],
    ]);
    const secret = await world.open({ key: 'rcpt_live_0123456789abcdefghijklmnopqrstuvABCDEF' });
    await enter(secret, 'ghost@example.com');
    expect(await world.join(secret)).toEqual(['ghost@example.com']);
    expect(world.service.asked).toEqual(['ghost@example.com']);
    expect(world.browser.faults.splice(0).join()).toContain('Never put a secret key into a page.');
  });
});
