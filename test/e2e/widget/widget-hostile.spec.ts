import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasBrowser } from '../../support/browser/browser.js';
import { answering, reducedVerdict } from '../../support/browser/scripted-service.js';
import { enter, field, state, WidgetWorld } from '../../support/browser/widget-world.js';

const WAIT = { 'data-rcpt-wait': '1000' };
/** Names of members of a form that the widget uses, as names of inputs of the page. */
const NAMES = [
  'append',
  'requestSubmit',
  'submit',
  'elements',
  'querySelector',
  'dataset',
  'closest',
  'action',
];
const HIDDEN = NAMES.map((name) => `<input type="hidden" name="${name}" value="1">`).join('');
const EMAIL = '<label>Email <input type="email" name="email" data-rcpt></label>';
const FORM = `<form action="/joined" method="post">${EMAIL}${HIDDEN}<button name="list" value="news">Join</button></form>`;

let world: WidgetWorld;
const received = () =>
  world.site.received.filter(({ method }) => method === 'POST').map(({ body }) => new URLSearchParams(body));
const press = (page: Page) => page.getByRole('button', { name: 'Join' }).click();

(hasBrowser ? describe : describe.skip)('the widget on a page that is not as it expects', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => {
    world.reset();
    world.service.behave = (response, email) =>
      answering(200, { ...reducedVerdict(email), proof: `proof of ${email}` })(response, email);
  });
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it('sends a form whose inputs have the names of members of forms, with the proof', async () => {
    const page = await world.open({ script: WAIT, body: FORM });
    await field(page).fill('jane@example.com');
    await press(page);
    await page.waitForURL('**/joined');
    const [body] = received();
    expect([...(body?.keys() ?? [])].sort()).toEqual(['email', 'list', 'rcpt_proof', ...NAMES].sort());
    expect(body?.get('rcpt_proof')).toBe('proof of jane@example.com');
  });

  it('sends it also if the page has replaced its button while the form waited', async () => {
    const page = await world.open({ script: WAIT, body: FORM });
    world.service.behave = (response, email) => {
      void page
        .evaluate(`document.querySelector('button').replaceWith(document.createElement('button'))`)
        .then(() => answering(200, reducedVerdict(email))(response, email));
    };
    await field(page).fill('jane@example.com');
    await press(page);
    await page.waitForURL('**/joined');
    expect(received()[0]?.get('list')).toBe('news');
  });

  it('gives no form the proof of an address of another form', async () => {
    const body = ['one', 'two']
      .map((id) => `<form id="${id}" action="/joined" method="post">${EMAIL}<button>${id}</button></form>`)
      .join('');
    const page = await world.open({ body });
    const count = world.service.asked.length + 1;
    await page.locator('#one input[type=email]').fill('jane@example.com');
    await page.locator('#two input[type=email]').fill('joe@example.com');
    await page.locator('#two button').focus();
    await world.service.until('POST', count + 1);
    await page.locator('[name=rcpt_proof]').nth(1).waitFor({ state: 'attached' });
    const proofs = await page.evaluate<string[][]>(
      `[...document.forms].map((form) => [...new FormData(form)].filter(([name]) => name === 'rcpt_proof').map(([, value]) => value))`,
    );
    expect(proofs).toEqual([['proof of jane@example.com'], ['proof of joe@example.com']]);
  });

  it.each(['constructor', '__proto__', 'toString', 'x'.repeat(5_000)])(
    'speaks English on a page in the language %.12s',
    async (lang) => {
      const page = await world.open({ body: `<div lang="${lang}">${FORM}</div>` });
      await world.check(page, 'ghost@example.com');
      expect(await state(page)).toContain('This address cannot receive email. Please check it.');
    },
  );

  it('does not listen to messages of other windows', async () => {
    const page = await world.open({ body: `${FORM}<iframe src="about:blank"></iframe>` });
    await world.check(page, 'ghost@example.com');
    await page.evaluate(`(async () => {
      const verdict = { type: 'rcpt:verdict', status: 'deliverable', reason: 'accepted_email', proof: 'forged', policy: { decision: 'accept' } };
      for (const data of [verdict, JSON.stringify(verdict), { rcpt: verdict }, null]) {
        window.postMessage(data, '*');
        document.querySelector('iframe').contentWindow.parent.postMessage(data, '*');
      }
      await new Promise((resolve) => { addEventListener('message', ({ data }) => data === 'last' && resolve()); window.postMessage('last', '*'); });
    })()`);
    expect(await page.locator('[data-rcpt-state=reject]').count()).toBe(1);
    expect(await page.content()).not.toContain('forged');
  });

  it('shows what its attributes and verdicts contain as text', async () => {
    const markup = '<img src=x onerror="document.title=1">';
    world.service.behave = answering(200, {
      ...reducedVerdict('ghost@example.com'),
      did_you_mean: `${markup}@example.com`,
      reason: markup,
    });
    const attribute = markup.replaceAll('"', '&quot;');
    const page = await world.open({
      body: `<form><input type="email" data-rcpt data-rcpt-undeliverable="${attribute}" data-rcpt-message-class="${attribute}" data-rcpt-debug></form>`,
    });
    await enter(page, 'ghost@example.com');
    await page.locator('[data-rcpt-state=reject]').waitFor();
    expect(await page.getByRole('button').allInnerTexts()).toEqual([`Did you mean ${markup}@example.com?`]);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });
});
