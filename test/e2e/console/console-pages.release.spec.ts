import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, aHeldJob, previewOn, workOn } from '../../support/app/bulk.js';
import { aPublishableKey } from '../../support/app/publishable.js';
import { hasBrowser, TestBrowser, violationsIn } from '../../support/browser/browser.js';
import { showPage } from '../../support/browser/page-scripts.js';

const DESKTOP = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Between and around them: a screen at 400 %, tablets, half a screen. */
const OTHER_WIDTHS = [1_024, 768, 320];
/** One address for each reason with a long name, in the sandbox of test keys. */
const REASONS = ['privacy_relay', 'disposable_email', 'accept_all', 'null_mx', 'greylisted', 'mailbox_full'];
const DEAD = 'mailbox_not_found@example.com';
const NAME = 'Newsletter, November';

/** A path, and a selector of what is shown there in each language. */
type ConsolePage = [path: string, shown: string];

let app: TestApp;
let browser: TestBrowser;
let live: string;
let test: string;
let ofTest: ConsolePage[];
let ofLive: ConsolePage[];

/** What is beside the window, and tables of which a part is beside their place. Tables that compare may scroll. */
const OUTSIDE = `(() => {
  const isHidden = (element) => element.closest('dialog:not([open]), [popover]') !== null;
  const isWide = (element) => {
    const place = element.closest('[role=group]');
    return place !== null && place.querySelector('table') !== null && !place.hasAttribute('data-cards') &&
      place.scrollWidth > place.clientWidth && place.querySelector('td button, td a') === null;
  };
  const beside = [...document.querySelectorAll('main *, header *')].filter((element) => {
    // The head of a table whose rows are cards is for screen readers only.
    if (element.closest('thead') !== null && getComputedStyle(element.closest('thead')).clipPath !== 'none') return false;
    const { right, width } = element.getBoundingClientRect();
    return width > 1 && right > innerWidth + 1 && !isHidden(element) && !isWide(element);
  });
  const scrolling = [...document.querySelectorAll('[role=group]:has(> table)')].filter(
    (place) => place.scrollWidth > place.clientWidth && !isWide(place),
  );
  return [...beside, ...scrolling].map((element) => element.outerHTML.slice(0, 160));
})()`;

/** By how much the page is wider than its window, in pixels. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** A new width needs some frames until tables have become cards, and charts are drawn again. */
const MAX_FRAMES = 60;
const SETTLED = `(async () => {
  let found;
  for (let frame = 0; frame < ${MAX_FRAMES}; frame++) {
    await new Promise(requestAnimationFrame);
    found = { outside: ${OUTSIDE}, overflow: ${OVERFLOW} };
    if (found.outside.length + found.overflow === 0) break;
  }
  return found;
})()`;

/** What is wrong with a page in one theme at all widths. */
async function faultsOf(page: Page, theme: 'light' | 'dark'): Promise<unknown[]> {
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  const found: unknown[] = [];
  const isInside = async (size: typeof PHONE) => {
    await page.setViewportSize(size);
    const { outside, overflow } = await page.evaluate<{ outside: string[]; overflow: number }>(SETTLED);
    if (outside.length + overflow > 0) found.push({ width: size.width, outside, overflow });
  };
  for (const width of OTHER_WIDTHS) await isInside({ width, height: 900 });
  for (const size of [PHONE, DESKTOP]) {
    await isInside(size);
    found.push(...(await violationsIn(page, theme)).map((violation) => ({ width: size.width, violation })));
  }
  return found;
}

(hasBrowser ? describe : describe.skip)('the pages of the console', () => {
  beforeAll(async () => {
    // With the sign-in by mail, which is not used.
    app = await anApp({ INVITE_SMTP_URL: 'smtp://127.0.0.1:9', INVITE_FROM: 'rcpt@service.example' });
    browser = await TestBrowser.start();
    ({ liveKey: live, testKey: test } = await app.anAccount());
    await aPublishableKey(app, live, {
      allowed_origins: ['https://www.example.com', 'https://registration.customers.example.com'],
    });
    await app.post('/v1/keys', live).send({ name: 'nightly import of all customers', mode: 'live' });
    await app
      .post('/v1/webhooks', live)
      .send({ url: 'https://hooks.example.com/a/long/path/of/an/endpoint' })
      .expect(201);
    await app
      .post('/v1/blocklist', live)
      .send({ domain: 'a-domain-with-a-long-name.example.com' })
      .expect(201);
    // A failed request.
    await app.get('/v1/verify?email=', live);
    const emails = REASONS.map((reason) => `${reason}+a-long-local-part-of-an-address@customers.example.com`);
    const { id } = await aBulkJob(app, test, [...emails, ...emails], { name: NAME });
    await workOn(app);
    const held = await aHeldJob(app, test, emails);
    await previewOn(app);
    await app.post('/v1/admin/disposable', live).send({ domain: 'odd.example', verdict: 'disposable' });
    const { data } = (await app.get('/v1/webhooks', live)).body as { data: { id: string }[] };
    ofTest = [
      ['/', `role=button[name="${DEAD}"]`],
      ['/lists', `text=${NAME}`],
      [`/lists/${id}`, `text=${emails[0]}`],
      [`/lists/${held.id}`, 'role=button[name=/^(Start|Starten): /]'],
      ['/outcomes', 'text=/No provider yet|Noch kein/'],
      ['/usage', 'text=/Verifications by day|Prüfungen nach Tagen/'],
    ];
    ofLive = [
      ['/', '#address'],
      ['/lists', 'input[type=file]'],
      ['/schedules', 'text=/Add the first schedule|Ersten Zeitplan anlegen/'],
      ['/outcomes', 'text=/No provider yet|Noch kein/'],
      ['/policy', 'text=/No rules yet|Noch keine Regeln/'],
      ['/keys', 'text=nightly import of all customers'],
      ['/webhooks', 'text=https://hooks.example.com/a/long/path'],
      [`/webhooks/${data[0]?.id}`, 'role=button[name=/Send a test|Test senden/]'],
      ['/requests', 'text=/invalid_request/'],
      ['/usage', 'text=/Verifications by day|Prüfungen nach Tagen/'],
      ['/team', 'text=owner1@team.example'],
      ['/team?tab=blocklist', 'text=a-domain-with-a-long-name.example.com'],
      ['/team?tab=disposable', 'text=odd.example'],
      ['/team?tab=audit', 'text=/nightly import of all customers/'],
      ['/team?tab=settings', 'main form'],
      ['/system', 'text=npx --no rcpt doctor'],
    ];
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it.each([
    ['test', 'en-GB', 'light'],
    ['live', 'en-GB', 'light'],
    ['test', 'de-DE', 'dark'],
    ['live', 'de-DE', 'dark'],
  ] as const)(
    'have nothing outside of the window at any width, and no violation of the rules of axe (%s, %s, %s)',
    async (mode, locale, theme) => {
      const found: unknown[] = [];
      const page = await browser.page(app.url, { locale, colorScheme: theme });
      const look = async (path: string) =>
        found.push(...(await faultsOf(page, theme)).map((fault) => ({ path, fault })));
      if (mode === 'test') {
        await page.goto(`${app.url}/console`);
        await page.getByText(/Other ways to sign in|Andere Wege/).waitFor();
        await look('signed out');
      }
      await page.goto(`${app.url}/console/keys#key=${mode === 'test' ? test : live}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (mode === 'test') {
        await showPage(page, '/', '#address');
        await page.locator('#address').fill(DEAD);
        await page.keyboard.press('Enter');
      }
      for (const [path, shown] of mode === 'test' ? ofTest : ofLive) {
        await showPage(page, path, shown);
        await look(path);
      }
      expect(found).toEqual([]);
    },
    300_000,
  );
});
