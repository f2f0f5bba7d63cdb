import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../support/browser/browser.js';

const PATH = '/v1/admin/disposable';

let app: TestApp;
/** The key of the first team. */
let operator: string;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('decisions of the operator in the console', () => {
  beforeAll(async () => {
    app = await anApp();
    operator = (await app.anAccount()).liveKey;
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('merge or reject what teams say about disposable domains', async () => {
    const { liveKey } = await app.anAccount();
    for (const domain of ['merged.example', 'rejected.example'])
      await app.post(PATH, liveKey).send({ domain, verdict: 'disposable', note: 'A reason' }).expect(201);
    const page = await browser.page(app.url);
    await page.goto(`${app.url}/console/system#key=${operator}`);
    const row = (domain: string) => page.getByRole('row').filter({ hasText: domain });
    await row('merged.example').getByText('A reason').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Merge: merged.example' }).click();
    await row('merged.example').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reject: rejected.example' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    const left = (await app.get(PATH, liveKey)).body as { data: { domain: string; status: string }[] };
    const statuses = left.data.map(({ domain, status }) => [domain, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      'merged.example': 'merged',
      'rejected.example': 'rejected',
    });
  });
});
