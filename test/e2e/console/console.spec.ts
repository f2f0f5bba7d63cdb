import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { anApp, type TestApp } from '../../support/app/app.js';
import {
  accessibilityViolations,
  downloadOf,
  hasBrowser,
  TestBrowser,
} from '../../support/browser/browser.js';
import { workOn } from '../../support/app/bulk.js';
import { startList } from '../../support/browser/lists.js';
import { saying } from '../../support/mail/mail-scene.js';
import { MAIL_SCENES } from '../../support/mail/mail-scenes.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { aWorkbook } from '../../support/browser/workbook.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
/** More than a page of the API and a batch of the worker. */
const ROWS = 1_200;
const HOSTILE_TEXT = {
  domain: 'hostile-text.mailworld',
  story: 'says markup and control characters',
  servers: [saying(`550 5.1.1 User unknown ${HOSTILE} \u001b[31mred\u0007\u009b2J`)],
  expect: {},
};

const UNWELCOME = {
  domain: 'unwelcome.mailworld',
  story: 'rejects us in its greeting',
  servers: [
    { ...mailboxes('jane'), banner: '554 5.7.1 Service unavailable; blocked using zen.spamhaus.org' },
  ],
  expect: {},
};

let world: MailWorld;
let app: TestApp;
let browser: TestBrowser;

/** Signs in with the link that the first start prints. */
async function open(key: string, path = ''): Promise<Page> {
  const page = await browser.page(app.url);
  await page.goto(`${app.url}/console${path}#key=${key}`);
  return page;
}

const upload = (page: Page, text: string, name = 'people.csv') =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });

(hasBrowser ? describe : describe.skip)('the console', () => {
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: [...MAIL_SCENES, HOSTILE_TEXT, UNWELCOME] });
    app = await anApp({ ...world.env, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    browser = await TestBrowser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await world.stop();
  });
  afterEach(async () => {
    expect(await browser.closePages()).toEqual([]);
  });

  it('signs in with the link of the first start, removes its key from the address bar, and verifies', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    const field = page.getByLabel('Email address');
    await field.waitFor();
    expect(page.url()).toBe(`${app.url}/console`);
    expect(await page.evaluate('[document.cookie, JSON.stringify(localStorage)].join()')).not.toContain(
      liveKey,
    );
    // The first field takes the address.
    await page.keyboard.type('ghost@plain.mailworld');
    await page.keyboard.press('Enter');
    const verdict = page.getByRole('region', { name: 'Undeliverable' });
    await verdict.waitFor();
    expect(await verdict.innerText()).toContain('Do not send to it.');
    const evidence = await page.getByRole('region', { name: 'How this was found' }).innerText();
    expect(evidence).toContain('mx1.plain.mailworld');
    expect(evidence).toMatch(/EHLO .*RCPT TO:<ghost@plain\.mailworld>.*550 5\.1\.1/s);
    expect(page.url()).toBe(`${app.url}/console/#email=ghost%40plain.mailworld`);
    // A reload keeps the session, what was typed and the verdict, which is not asked for again.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await verdict.waitFor();
    expect(asked.filter((url) => url.includes('/v1/verify'))).toEqual([]);
    expect(await field.inputValue()).toBe('ghost@plain.mailworld');
    expect(await page.getByRole('region', { name: 'History' }).innerText()).toContain('Undeliverable');
  });

  it('V1–V3, V5, V6: shows the decisive reply, what was not reached, and after three offers the checks', async () => {
    // The first team is that of the operator.
    await app.anAccount();
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    const field = page.getByLabel('Email address');
    const evidence = page.getByRole('region', { name: 'How this was found' });
    const note = page.getByText('Port 25 seems to be blocked here');
    for (const local of ['one', 'two', 'three']) {
      expect(await note.count()).toBe(0);
      await field.fill(`${local}@closed.mailworld`);
      await page.keyboard.press('Enter');
      await evidence.getByText(/^Could not connect to mx/).waitFor();
      await page.getByRole('row', { name: new RegExp(local) }).waitFor();
    }
    await note.waitFor();
    // The operator of the first team gets a link to the checks.
    expect(await page.getByText('Ask the operator of this service to run its checks.').count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    // One success is enough, and the reply that decided is shown, also if it is the greeting.
    await field.fill('jane@unwelcome.mailworld');
    await page.keyboard.press('Enter');
    const reply = evidence.getByLabel('The server answered');
    await reply.waitFor();
    expect(await reply.innerText()).toContain('blocked using zen.spamhaus.org');
    await note.waitFor({ state: 'detached' });
    // Screen readers get one sentence, and each step its outcome as a word.
    const status = page.getByRole('status').filter({ hasText: 'Unknown.' });
    expect(await status.innerText()).toBe(
      'Unknown. The mail server rejected this verifier, not the address.',
    );
    expect(await evidence.getByRole('heading', { name: 'Mail server : not known' }).count()).toBe(1);
    expect(await page.title()).toBe('Verify an address · Rcpt');
  });

  it('uploads a list of 1,200 rows, shows its progress live, filters, and downloads it with all rows', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/lists');
    const kinds = ['jane', 'mailbox_not_found', 'catch_all', 'greylisted'];
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      Name: index % 100 === 0 ? HOSTILE : `Person ${index}, "the ${index}th"`,
      Contact: `u${index}+${kinds[index % kinds.length]}@example.com`,
    }));
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await upload(
      page,
      ['Name,Contact', ...rows.map((row) => `${quoted(row.Name)},${row.Contact}`)].join('\r\n'),
    );
    await page.getByText('1,200 rows, at most 1,200 verifications.').waitFor();
    expect(await page.getByLabel('Column with the addresses').inputValue()).toBe('1');
    expect(await page.getByRole('cell', { name: HOSTILE }).count()).toBe(1);
    await startList(app, page);
    await page.getByText('Updated live').waitFor();
    const working = workOn(app);
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 });
    await working;
    expect(await page.getByRole('region', { name: 'By status' }).innerText()).toMatch(
      /Deliverable\s+300\s+25%/,
    );

    await page.getByLabel('Status', { exact: true }).selectOption('unknown');
    await page.waitForURL(/status=unknown/);
    await page.getByRole('cell', { name: 'u3+greylisted@example.com' }).waitFor();
    await page.getByRole('cell', { name: /jane/ }).first().waitFor({ state: 'detached' });
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await page.getByLabel('Search addresses').fill('U1198+');
    await page.getByRole('cell', { name: 'u0+' }).waitFor({ state: 'detached' });
    const found = page.getByRole('group', { name: 'Results' }).getByRole('row');
    expect(await found.allInnerTexts()).toEqual([expect.anything(), expect.stringMatching(/u1198\+/)]);

    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: /^Everything/ }).click();
    const save = () =>
      page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
    const all = parse(await downloadOf(page, save), { columns: true, bom: true });
    expect(all).toMatchObject(rows.map((row, index) => ({ ...row, status: statusOf(kinds[index % 4]) })));

    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: 'Deliverable only' }).click();
    const deliverable = parse(await downloadOf(page, save), { columns: true, bom: true });
    expect(deliverable).toMatchObject(rows.filter((_, index) => index % 4 === 0));
    expect(deliverable).toHaveLength(ROWS / 4);
  }, 90_000);

  it('verifies the unknown rows of a list again with their own columns, and deletes a list', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/lists');
    await upload(page, 'email,city\njane@example.com,Bonn\ntimeout@example.com,Ulm\n');
    const first = await startList(app, page);
    await workOn(app);
    await page.getByRole('button', { name: 'Verify 1 unknown again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(first));
    await page.getByText('0 of 1 rows').waitFor();
    await workOn(app);
    await page.getByRole('button', { name: 'timeout@example.com' }).click();
    expect(await page.getByRole('dialog').innerText()).toMatch(/city\s+Ulm/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete the list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the list' }).click();
    await page.waitForURL(/\/lists$/);
    await page.getByRole('link', { name: 'people' }).waitFor();
    expect(await page.getByRole('link', { name: /unknown again/ }).count()).toBe(0);
  });

  it('reads an XLSX file, and sends its rows as they are', async () => {
    const { testKey } = await app.anAccount();
    const page = await open(testKey, '/lists');
    const rows = [
      ['Name', 'Contact'],
      [HOSTILE, 'a+jane@example.com'],
      ['Zoë', 'b+mailbox_not_found@example.com'],
    ];
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await page.setInputFiles('input[type=file]', {
      name: 'people.xlsx',
      mimeType,
      buffer: aWorkbook(rows),
    });
    await page.getByText('2 rows, at most 2 verifications.').waitFor();
    expect(await page.getByRole('cell', { name: HOSTILE }).count()).toBe(1);
    const id = await startList(app, page);
    await workOn(app);
    const results = await app.get(`/v1/bulk-jobs/${id}/results`, testKey);
    expect(results.body).toMatchObject({
      data: [
        { email: 'a+jane@example.com', ref: { Name: HOSTILE }, status: 'deliverable' },
        { email: 'b+mailbox_not_found@example.com', ref: { Name: 'Zoë' }, status: 'undeliverable' },
      ],
    });
  });

  it('shows a hostile reply of a mail server as text', async () => {
    const { liveKey } = await app.anAccount();
    const page = await open(liveKey);
    await page.getByLabel('Email address').fill('ghost@hostile-text.mailworld');
    await page.keyboard.press('Enter');
    const evidence = page.getByRole('region', { name: 'How this was found' });
    await evidence.getByText('<img src=x onerror').first().waitFor();
    expect(await evidence.innerText()).toContain('Sent through the egress “direct”.');
    // No control character of the reply is left.
    expect(await evidence.innerText()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect([await page.locator('main img').count(), await page.title()]).toEqual([
      0,
      'Verify an address · Rcpt',
    ]);
  });

  it('shows a 402 and a 429 of the real tier and quota, in the words of the API with the request id', async () => {
    const { liveKey } = await app.anAccount('free');
    const page = await open(liveKey);
    const alertWith = async (words: string) => {
      const alert = page.getByRole('alert').filter({ hasText: words });
      await alert.waitFor();
      expect(await alert.innerText()).toMatch(/Request id [\w-]{36}/);
    };
    await page.getByLabel('Email address').fill('jane@plain.mailworld');
    await page.getByLabel('Ask again, without stored results').check();
    await page.keyboard.press('Enter');
    await alertWith('Available from the tier “starter”.');
    await page.getByLabel('Ask again, without stored results').uncheck();
    // A text that is no address costs one too.
    for (let call = 0; call < 4; call++)
      await app
        .post('/v1/verify', liveKey)
        .send({ emails: Array.from({ length: 25 }, (_, n) => `no address ${call} ${n}`) })
        .expect(200);
    await page.getByLabel('Email address').press('Enter');
    await alertWith('The quota starts again at 00:00 UTC, in');
  });
});

const statusOf = (kind = '') =>
  ({ jane: 'deliverable', mailbox_not_found: 'undeliverable', catch_all: 'risky', greylisted: 'unknown' })[
    kind
  ];
