import { chmod, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { MailWorld } from '../mail/mail-world.js';
import { RcptProcess } from '../processes/rcpt-process.js';
import { serve } from '../schedules/schedule-app.js';
import { OPENED } from '../webhooks/webhook-app.js';
import { WebhookReceiver } from '../webhooks/webhook-receiver.js';
import { TestBrowser } from './browser.js';

/** Takes the pictures of `docs/console`: `npm run build && npm run ts test/support/browser/pictures.main.ts`. */

const FOLDER = join(import.meta.dirname, '../../../docs/console');
const DESKTOP = { width: 1200, height: 800 };
const PHONE = { width: 390, height: 844 };
const MAX_BYTES = 130_000;

/** Addresses of the mail world, and reserved domains. */
const LIST = [
  ...Array.from({ length: 40 }, (_, n) => `person${n}@people.mailworld`),
  ...Array.from({ length: 7 }, (_, n) => `former${n}@people.mailworld`),
  ...Array.from({ length: 6 }, (_, n) => `guest${n}@everybody.mailworld`),
  'jane@plain.mailworld',
  'jane@tls.mailworld',
  'jane@nomail.mailworld',
  'jane@absent.mailworld',
  'jane@hangup.mailworld',
  'not an address',
];

const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-pictures-'));
await chmod(dataDir, 0o755);
const world = await MailWorld.start();
const source = await WebhookReceiver.start();
serve(source, ['email', ...LIST].join('\n'), 'text/csv');
const service = RcptProcess.run(['main.js'], {
  ...world.env,
  ...OPENED,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'silent',
});
const browser = await TestBrowser.start();
try {
  const url = new URL(await service.ready()).origin;
  const key = /rcpt_live_\w+/.exec(service.stdout)?.[0] ?? '';
  const page = await browser.page(url, { viewport: DESKTOP });
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').waitFor();
  await take(page, 'sign-in', 'light');

  await page.goto(`${url}/console#key=${key}`);
  await page.getByLabel('Email address').fill('former1@people.mailworld');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Undeliverable' }).waitFor();
  await take(page, 'verify', 'light', 'dark');

  const post = async (path: string, body?: object) => idOf(url, key, path, body);
  const held = await post('/v1/verify/bulk?hold=true', {
    name: 'Fair',
    emails: [...LIST, ...LIST.slice(0, 5)],
  });
  await page.goto(`${url}/console/lists/${held}`);
  await page.getByRole('button', { name: 'Start: at most' }).waitFor();
  await take(page, 'held', 'light');

  const schedule = await post('/v1/schedules', {
    name: 'Subscribers',
    every: 'week',
    source: { kind: 'url', url: source.url },
  });
  await post(`/v1/schedules/${schedule}/run`);
  await page.goto(`${url}/console/schedules`);
  await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 });
  await take(page, 'schedules', 'light');

  await post('/v1/verify/bulk', { name: 'Customers', emails: LIST.slice(0, 30) });
  const id = await post('/v1/verify/bulk', { name: 'Newsletter, November', emails: LIST });
  await page.goto(`${url}/console/lists/${id}`);
  await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: LIST[0] }).first().waitFor();
  await take(page, 'list', 'light', 'dark');
  await page.setViewportSize(PHONE);
  await take(page, 'list-390px', 'light');
  await page.setViewportSize(DESKTOP);
  await page.goto(`${url}/console/lists`);
  await page.getByRole('link', { name: 'Newsletter, November' }).waitFor();
  await take(page, 'lists', 'light');
} finally {
  await browser.stop();
  await Promise.all([service.end(), world.stop(), source.stop()]);
  const cluster = join(dataDir, 'postgres');
  await rm(await realpath(cluster).catch(() => cluster), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

async function take(page: Page, name: string, ...themes: ('light' | 'dark')[]): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(FOLDER, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`);
  }
}

/** Creates an object. @returns its id. */
async function idOf(url: string, key: string, path: string, body: object = {}): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}
