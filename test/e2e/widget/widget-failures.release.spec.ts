import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasBrowser } from '../../support/browser/browser.js';
import { field, state, WidgetWorld } from '../../support/browser/widget-world.js';

const WAIT = { 'data-rcpt-wait': '1000' };
const FORM = `<form action="/joined" method="post">
  <label>Email <input type="email" name="email" data-rcpt></label>
  <button name="list" value="news">Join</button><button name="list" value="draft" formnovalidate>Later</button>
  <button name="list" value="other" formaction="/joined-elsewhere">Elsewhere</button>
</form>`;
const SENT = 'email=ghost%40example.com&list=news';

let world: WidgetWorld;

/** The forms as the site got them. */
const sent = () =>
  world.site.received.filter(({ method }) => method === 'POST').map(({ path, body }) => `${path} ${body}`);
const press = (page: Page, name = 'Join') => page.getByRole('button', { name }).click();
/** Waits for what listeners of the page have noted. */
const noted = (page: Page, text: string) => page.locator(`html[data-noted="${text}"]`).waitFor();
const NOTE = (text: string) =>
  `(document.documentElement.dataset.noted = (document.documentElement.dataset.noted ?? '') + ${text})`;
const open = (more: object = {}) => world.open({ script: WAIT, body: FORM, ...more });

/** What the page does to the requests of the widget. */
const FETCHES: Readonly<Record<string, string>> = {
  'rejects in the same task': `() => Promise.reject(new Error('blocked'))`,
  'rejects one task later': `() => new Promise((_, reject) => setTimeout(reject, 0, new Error('blocked')))`,
  'rejects after a while': `() => new Promise((_, reject) => setTimeout(reject, 50, new Error('blocked')))`,
  throws: `() => { throw new Error('blocked'); }`,
  'returns nothing': '() => undefined',
  'has a response that cannot be read':
    '() => Promise.resolve({ ok: true, json: () => Promise.reject(new Error()) })',
  'never ends': '() => new Promise(() => undefined)',
};

/** How a visitor sends a form. */
const WAYS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  click: async (page) => {
    await field(page).fill('ghost@example.com');
    await press(page);
  },
  Enter: async (page) => {
    await field(page).fill('ghost@example.com');
    await field(page).press('Enter');
  },
  'leave the input, then click': async (page) => {
    await field(page).fill('ghost@example.com');
    await page.keyboard.press('Tab');
    // Longer than the delay of the check.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 250))');
    await press(page);
  },
};

(hasBrowser ? describe : describe.skip)('a form that waits, on a page where something fails', () => {
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 60_000);
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(async () => {
    expect(await world.closePages()).toEqual([]);
  });

  it.each(Object.keys(WAYS))(
    'is sent if its Content-Security-Policy forbids the request (%s)',
    async (way) => {
      const warnings: string[] = [];
      const page = await open({ connect: "'self'" });
      page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text());
      });
      await WAYS[way]!(page);
      await page.waitForURL('**/joined');
      expect([sent(), world.service.asked]).toEqual([[`/joined ${SENT}`], []]);
      expect(warnings).toEqual([
        expect.stringContaining(`and ${world.service.url} in connect-src of the Content-Security-Policy?`),
      ]);
      expect(world.browser.faults.splice(0).join()).toContain('Content Security Policy');
    },
  );

  it.each(Object.keys(FETCHES))('is sent if fetch %s', async (fails) => {
    for (const way of Object.values(WAYS)) {
      const page = await open();
      await page.evaluate(`window.fetch = ${FETCHES[fails]}`);
      await way(page);
      await page.waitForURL('**/joined');
      expect(sent()).toEqual([`/joined ${SENT}`]);
    }
  });

  it('is sent to the URL of its button, with the value of a button that the page has replaced', async () => {
    const page = await open();
    await page.evaluate(`window.fetch = () => Promise.reject(new Error())`);
    await field(page).fill('ghost@example.com');
    await press(page, 'Elsewhere');
    await page.waitForURL('**/joined-elsewhere');
    expect(sent()).toEqual(['/joined-elsewhere email=ghost%40example.com&list=other']);

    const second = await open();
    await second.evaluate(`{
      window.fetch = () => {
        document.querySelector('button[value=other]').replaceWith('One moment');
        return Promise.reject(new Error());
      };
    }`);
    await field(second).fill('ghost@example.com');
    await press(second, 'Elsewhere');
    await second.waitForURL('**/joined-elsewhere');
    expect(sent()).toEqual(['/joined-elsewhere email=ghost%40example.com&list=other']);
  });

  it('reaches a listener that sends it itself once, and is left to one that came first', async () => {
    const page = await open();
    await page.evaluate(`{
      window.fetch = () => Promise.reject(new Error());
      document.addEventListener('submit', (event) => {
        event.preventDefault();
        ${NOTE('event.submitter.value')};
      });
    }`);
    await field(page).fill('ghost@example.com');
    for (const count of [1, 2]) {
      await press(page);
      await noted(page, 'news'.repeat(count));
    }
    await page.evaluate(`addEventListener('submit', (event) => {
      event.preventDefault();
      ${NOTE(`' first '`)};
    }, true)`);
    await press(page);
    await noted(page, 'newsnews first news');
    expect(sent()).toEqual([]);
  });

  it('is not held where the browser cannot repeat a submission, or where no form is sent', async () => {
    const page = await open();
    await page.evaluate('delete HTMLFormElement.prototype.requestSubmit');
    await WAYS.Enter!(page);
    await page.waitForURL('**/joined');
    expect(sent()).toEqual([`/joined ${SENT}`]);

    const second = await open();
    await second.evaluate(`{
      const form = document.forms[0];
      form.addEventListener('submit', (event) => (document.title = 'called'));
      form.elements.email.value = 'ghost@example.com';
      form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    }`);
    expect([await second.title(), sent(), world.service.asked]).toEqual(['called', [], []]);
    await second.evaluate('HTMLFormElement.prototype.submit.call(document.forms[0])');
    await second.waitForURL('**/joined');
    expect(sent()).toEqual(['/joined email=ghost%40example.com']);
  });

  it('is sent once if a button without validation is pressed while it waits', async () => {
    const page = await open();
    await page.evaluate(`{
      window.fetch = () => new Promise((_, reject) => (window.fail = reject));
      document.addEventListener('submit', (event) => {
        event.preventDefault();
        document.title += ' ' + event.submitter.value;
      });
    }`);
    await WAYS.Enter!(page);
    await press(page, 'Later');
    expect(await page.title()).toBe('Join draft');
    await page.evaluate(`new Promise((resolve) => { window.fail(); setTimeout(resolve, 50); })`);
    expect(await page.title()).toBe('Join draft');
  });

  it('closes its dialog', async () => {
    const page = await open({
      body: `<dialog><form method="dialog"><input aria-label="Email" type="email" data-rcpt>
        <button value="joined">Join</button></form></dialog>`,
    });
    await page.evaluate(`{
      document.querySelector('dialog').showModal();
      window.fetch = () => Promise.reject(new Error());
    }`);
    await WAYS.Enter!(page);
    await page.locator('dialog:not([open])').waitFor({ state: 'attached' });
    expect(await page.evaluate(`document.querySelector('dialog').returnValue`)).toBe('joined');
  });

  it('is not sent when the user has left the page and comes back to it', async () => {
    const page = await open();
    await page.evaluate('window.fetch = () => new Promise((_, reject) => (window.fail = reject))');
    await WAYS.Enter!(page);
    // As when the page goes into the back/forward cache, which is off under automation.
    await page.evaluate(`new Promise((resolve) => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      window.fail();
      setTimeout(resolve, 50);
    })`);
    expect(sent()).toEqual([]);
    await page.evaluate('window.fetch = () => Promise.reject(new Error())');
    await press(page);
    await page.waitForURL('**/joined');
    expect(sent()).toEqual([`/joined ${SENT}`]);
  });

  describe('that the page renders again while it waits', () => {
    /** Replaces these elements by copies, when the first request is sent. */
    const renderAgain = (selector: string, change = '') => `{
      const original = window.fetch;
      window.fetch = (...request) => {
        const old = document.querySelector('${selector}');
        if (!window.isRendered) {
          const copy = old.cloneNode(true);
          old.replaceWith(copy);
          ${change}
        }
        window.isRendered = true;
        return original(...request);
      };
    }`;

    it.each(['form', 'label', 'input', 'button'])(
      'is sent, and only if its address is not refused (%s)',
      async (what) => {
        const page = await open();
        await page.evaluate(renderAgain(what));
        await field(page).fill('jane@example.com');
        await press(page);
        await page.waitForURL('**/joined');
        expect(sent()).toEqual(['/joined email=jane%40example.com&list=news']);

        const refused = await open();
        await refused.evaluate(renderAgain(what));
        await field(refused).fill('ghost@example.com');
        await press(refused);
        await refused.locator('[data-rcpt-state=reject]').waitFor();
        expect([(await state(refused))[0], sent()]).toEqual([
          'This address cannot receive email. Please check it.',
          [],
        ]);
      },
    );

    it('is sent by a page that renders it again for each request', async () => {
      const page = await open();
      await page.evaluate(renderAgain('form', 'setTimeout(() => (window.isRendered = false));'));
      await WAYS.click!(page);
      await page.waitForURL('**/joined');
      expect(sent()).toEqual([`/joined ${SENT}`]);
    });

    it('is not sent without its address, and the developer is told', async () => {
      const warning = (page: Page) => page.waitForEvent('console', (message) => message.type() === 'warning');
      const page = await open();
      await page.evaluate(renderAgain('form', `copy.elements.email.value = '';`));
      const warned = warning(page);
      await WAYS.click!(page);
      expect([(await warned).text(), sent()]).toEqual([
        'rcpt.js: the page has removed a form that waited, and it was not sent',
        [],
      ]);
    });
  });
});
