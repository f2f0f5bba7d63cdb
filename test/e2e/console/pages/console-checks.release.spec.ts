import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { SystemCheckResponse } from '../../../../src/modules/operation/system/checks.dto.js';
import { anApp, type TestApp } from '../../../support/app/app.js';
import { accessibilityViolations, hasBrowser, TestBrowser } from '../../../support/browser/browser.js';

const TIMES = { since: '2026-11-20T10:00:00.000Z', checked_at: '2026-11-20T10:00:00.000Z' };
const CHECKS: SystemCheckResponse[] = [
  {
    ...TIMES,
    name: 'ehlo_name',
    egress: 'direct',
    status: 'fail',
    detail: 'an English sentence',
    findings: [{ code: 'name_without_address', params: { name: 'verify.example.org' } }],
    remedy: { code: 'give_name_address', params: { name: 'verify.example.org' } },
  },
  // As an earlier version has stored it.
  {
    ...TIMES,
    name: 'dns_lists',
    egress: 'direct',
    status: 'warn',
    detail: 'another English sentence',
    findings: [],
    remedy: null,
  },
  {
    ...TIMES,
    name: 'port_25',
    egress: 'direct',
    status: 'pass',
    detail: 'open',
    findings: [],
    remedy: null,
  },
];

const languageOf = (text: Locator) =>
  text.locator('xpath=ancestor-or-self::*[@lang][1]').getAttribute('lang');

let app: TestApp;
/** The key of the first team. */
let operator: string;
let browser: TestBrowser;

(hasBrowser ? describe : describe.skip)('the checks of the egresses in the console', () => {
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

  it('say in the language of the reader what was found and what to do, first in one line', async () => {
    const page = await browser.page(app.url, { locale: 'de-DE' });
    await page.route(/\/v1\/admin\/system$/, async (route) => {
      const { body } = (await app.get('/v1/admin/system', operator)) as { body: object };
      await route.fulfill({ json: { ...body, checks: CHECKS } });
    });
    await page.goto(`${app.url}/console/system#key=${operator}`);
    const summary = '1 zu beheben: Name in EHLO. 1 anzusehen: Sperrlisten.';
    await page.getByRole('region', { name: 'Zustand' }).getByRole('link', { name: summary }).waitFor();
    const region = page.getByRole('region', { name: 'Prüfungen der Ausgänge' });
    const found = region.getByText(
      'verify.example.org hat keine Adresse. Geben Sie verify.example.org einen A-Eintrag (oder AAAA)',
    );
    await found.waitFor();
    expect(await languageOf(found)).toBe('de');
    const untranslated = region.getByText('another English sentence');
    expect(await languageOf(untranslated)).toBe('en');
    expect(await region.getByText('an English sentence', { exact: true }).count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
