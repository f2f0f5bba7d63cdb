import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { MailWorld } from '../mail/mail-world.js';
import { RcptProcess } from '../processes/rcpt-process.js';
import { OPENED } from '../webhooks/webhook-app.js';
import { WebhookReceiver } from '../webhooks/webhook-receiver.js';
import { TestBrowser } from './browser.js';
import { CONSOLE_PAGES, pathOf } from './console-pages.js';
import { PictureData, VERIFIED } from './picture-data.js';

/** Takes the pictures of `docs/console.md` (`npm run pictures`): each page at two widths and in both themes. */

const FOLDER = join(import.meta.dirname, '../../../docs/pictures');
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark'] as const;
/** Of those in the repository: see `.gitignore`. */
const MAX_BYTES = 1_500_000;
const KEPT = /-(1440-light|390-dark)\.webp$/;
const QUALITY = 72;

const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-pictures-'));
await chmod(dataDir, 0o755);
await mkdir(FOLDER, { recursive: true });
const world = await MailWorld.start();
const source = await WebhookReceiver.start();
const receiver = await WebhookReceiver.start();
const service = RcptProcess.run(['main.js'], {
  ...world.env,
  ...OPENED,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'silent',
  SELF_CHECK_EVERY: '60',
  EGRESS_IPS: '203.0.113.25',
});
const browser = await TestBrowser.start();
try {
  const url = new URL(await service.ready()).origin;
  const key = /rcpt_live_\w+/.exec(service.stdout)?.[0] ?? '';
  const page = await browser.page(url);
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').waitFor();
  await take(page, 'sign-in');

  const ids = await new PictureData(url, key).make(source, receiver);
  await page.goto(`${url}/console#key=${key}`);
  await page.getByLabel('Email address').fill(VERIFIED);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Undeliverable' }).waitFor();
  for (const [name, path] of Object.entries(CONSOLE_PAGES)) {
    await page.goto(`${url}/console${pathOf(path, ids)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main [class*=skeleton]').first().waitFor({ state: 'detached' });
    await take(page, name);
  }
  await report();
} finally {
  await browser.stop();
  await Promise.all([service.end(), world.stop(), source.stop(), receiver.stop()]);
  const cluster = join(dataDir, 'postgres');
  await rm(await realpath(cluster).catch(() => cluster), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

async function take(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const window of WINDOWS) {
    await page.setViewportSize(window);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate('document.activeElement?.blur(); document.fonts.ready.then(() => undefined)');
      const shot = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
      const file = join(FOLDER, `${name}-${window.width}-${colorScheme}.webp`);
      await writeFile(file, Buffer.from(shot.data, 'base64'));
    }
  }
  await session.detach();
}

/** The number and the bytes of the pictures for the repository. */
async function report(): Promise<void> {
  const kept = (await readdir(FOLDER)).filter((name) => KEPT.test(name));
  const sizes = await Promise.all(kept.map(async (name) => (await stat(join(FOLDER, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > MAX_BYTES)
    throw new Error(`${kept.length} pictures have ${bytes} bytes, more than ${MAX_BYTES}`);
  process.stdout.write(`${kept.length} pictures for the repository, ${bytes} bytes\n`);
}
