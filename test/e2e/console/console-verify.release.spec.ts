import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

let app: TestApp;
let browser: TestBrowser;

async function open(key?: string, shown?: Page): Promise<Page> {
  const testKey = key ?? (await app.anAccount()).testKey;
  const page = shown ?? (await browser.page(app.url));
  await page.goto(`${app.url}/console#key=${testKey}`);
  await page.getByLabel('Email address').waitFor();
  return page;
}

async function ask(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.locator('section[data-status]').filter({ hasText: email }).waitFor();
}

(hasBrowser ? describe : describe.skip)('the page that verifies', () => {
  beforeAll(async () => {
    app = await anApp();
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('shows the response of the API beside the request', async () => {
    const page = await open();
    await ask(page, 'catch_all@example.com');
    await page.getByRole('tab', { name: 'Response' }).click();
    const response = await page.getByRole('tabpanel').locator('pre').innerText();
    expect(JSON.parse(response)).toMatchObject({ email: 'catch_all@example.com', reason: 'catch_all' });
  });

  it('copies the address of the verdict', async () => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ask(page, 'jane@example.com');
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('jane@example.com');
  });

  it('offers a list when several addresses are pasted, and shows them in its preview', async () => {
    const page = await open();
    await page.getByLabel('Email address').focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', 'Jane <jane@example.com>, john@example.com; ida@example.com');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
    await page.getByText('You pasted 3 addresses.').waitFor();
    await page.getByRole('button', { name: 'Verify them as a list' }).click();
    for (const email of ['jane@example.com', 'john@example.com', 'ida@example.com'])
      await page.getByRole('cell', { name: email, exact: true }).waitFor();
  });

  it('shows another verdict no longer when a link fills the field', async () => {
    const page = await open();
    await ask(page, 'jane@example.com');
    await page.evaluate("location.hash = '#email=john@example.com'");
    await page.locator('section[data-status]').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Email address').inputValue()).toBe('john@example.com');
  });

  describe('the facts of the domain', () => {
    /** Opens the part by keyboard. */
    const openFacts = async (page: Page, domain: string): Promise<void> => {
      const part = page.locator('summary').filter({ hasText: `About ${domain}` });
      await part.focus();
      await page.keyboard.press('Enter');
      await page.locator('dl').waitFor();
    };
    const factOf = (page: Page, name: string) =>
      page
        .locator('dl > div')
        .filter({ has: page.locator('dt', { hasText: name }) })
        .locator('dd')
        .innerText();

    it('are requested once, when they are opened, and fit into 320 px', async () => {
      const page = await open();
      await page.setViewportSize({ width: 320, height: 640 });
      let requests = 0;
      page.on('request', (request) => {
        if (request.url().includes('/v1/domains/')) requests++;
      });
      await ask(page, 'jane@example.com');
      await page.locator('summary').filter({ hasText: 'About ' }).waitFor();
      expect(requests).toBe(0);
      await openFacts(page, 'example.com');
      expect(await factOf(page, 'Mail servers')).toContain('mx.example.com');
      expect(await factOf(page, 'SPF')).toMatch(/^v=spf1 mx -all\s+Mail from every other server fails\.$/);
      expect(await factOf(page, 'DMARC')).toContain('Asks receivers to reject mail that fails.');
      expect(await factOf(page, 'MTA-STS')).toContain('v=STSv1; id=20260101');
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.keyboard.press('Enter');
      await page.locator('dl').waitFor({ state: 'detached' });
      await openFacts(page, 'example.com');
      expect(requests).toBe(1);
    });

    it('say why the team rejects the domain, and what could not be looked up', async () => {
      const { liveKey, testKey } = await app.anAccount();
      await app.post('/v1/blocklist', liveKey).send({ domain: 'catch-all.example.com' }).expect(201);
      const page = await open(testKey);
      await ask(page, 'jane@catch-all.example.com');
      await openFacts(page, 'catch-all.example.com');
      expect(await factOf(page, 'Your team')).toContain('(blocklist:catch-all.example.com)');
      expect(await factOf(page, 'Catch-all')).toBe(
        'The domain accepts mail for every address. Seen less than an hour ago.',
      );
      await ask(page, 'jane@dns-error.example.com');
      await openFacts(page, 'dns-error.example.com');
      expect(await factOf(page, 'SPF')).toBe('The look-up has failed, see below.');
      const errors = page.getByRole('note').filter({ hasText: 'What could not be looked up' });
      expect(await errors.getByRole('listitem').allInnerTexts()).toEqual(
        ['Mail servers', 'SPF', 'DMARC', 'MTA-STS'].map((name) => `${name}: simulated: no response`),
      );
    });

    it('are not requested for a tier without them', async () => {
      const { testKey } = await app.anAccount();
      const page = await browser.isolatedPage(app.url);
      await page.route('**/v1/me', async (route) => {
        const response = await route.fetch();
        const me = (await response.json()) as { features: string[] };
        const features = me.features.filter((feature) => feature !== 'domains');
        await route.fulfill({ response, json: { ...me, features } });
      });
      await open(testKey, page);
      await ask(page, 'jane@example.com');
      await page.locator('summary').filter({ hasText: 'About ' }).click();
      await page.getByText('The tier “unlimited” has no facts about domains.').waitFor();
      await page.getByRole('link', { name: 'See the plan' }).waitFor();
    });
  });
});
