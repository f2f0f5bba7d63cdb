import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { isOnMachine } from '../jest/machine.js';
import { CLEAR, KNOW_KEY, NO_PRELOADING } from './page-scripts.js';

/** The headless shell has no windows and menus, which take half of the time of the browser process. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM_PATH ?? INSTALLED.find(existsSync) ?? '';

/** Tests that need a browser are skipped without Chromium. */
export const hasBrowser = isOnMachine('Chromium', existsSync(CHROMIUM));

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-dev-shm-usage',
  // Hosts of a local network.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/** Maximum time for slow machines; every wait ends when its condition is true. */
const WAIT_MS = 12_000;

/** One for each worker, because a launch takes a second. When the worker ends, Chromium's pipe closes and it exits. */
let launched: Promise<Browser> | null = null;
/** By the options of their contexts. For the next file of a worker, too, because a page takes half a second. */
const pools = new Map<string, Promise<PagePool>>();

/** The window of a page, unless a test has another one. Only tests of motion need motion. */
const WINDOW = {
  viewport: { width: 1280, height: 720 },
  ...media({}),
  locale: 'en-GB',
  // Each service of a test would compress the console for Brotli again, which takes half a second.
  extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
};

/** Chromium, with a record of violations by its pages. */
export class TestBrowser {
  /** Violations of the content security policy, exceptions, and requests to other origins. */
  readonly faults: string[] = [];
  /** The pages of the test. */
  private readonly used: { page: Page; url: string; pool: PagePool }[] = [];
  private readonly isolated: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<TestBrowser> {
    launched ??= chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    return new TestBrowser(await launched);
  }

  /**
   * A page of a new session. The pages of a test with the same locale share their storage, which is empty
   * before the test. The page itself may be that of an earlier test, with another document: a test that
   * changes the clock of a page or adds scripts to it uses `isolatedPage`.
   *
   * @param urls the service and others; nothing else may be requested.
   */
  async page(urls: string | readonly string[], options: PageOptions = {}): Promise<Page> {
    const { viewport, colorScheme, reducedMotion, forcedColors, ...rest } = options;
    const pool = await this.pool(rest);
    const page = pool.free.pop() ?? (await pool.context.newPage());
    this.used.push({ page, url: [urls].flat()[0]!, pool });
    this.watch(page, urls);
    await page.setViewportSize(viewport ?? WINDOW.viewport);
    await page.emulateMedia(media({ colorScheme, reducedMotion, forcedColors }));
    if (pool.context.pages().length > 1) await page.bringToFront();
    return page;
  }

  /** A page that shares nothing with others. */
  async isolatedPage(urls: string | readonly string[], options: PageOptions = {}): Promise<Page> {
    const context = await this.newContext(options);
    this.isolated.push(context);
    const page = await context.newPage();
    this.watch(page, urls);
    return page;
  }

  private watch(page: Page, urls: string | readonly string[]): void {
    const origins = [urls].flat().map((url) => new URL(url).origin);
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      // A refused request is no fault of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.faults.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'blob:' && !origins.includes(origin)) this.faults.push(request.url());
    });
  }

  /**
   * After a test: a page that stays open sends requests. Opening a page takes twice the processor time of
   * loading another document, so that pages are kept.
   *
   * @returns `faults`, which is empty afterwards.
   */
  async closePages(): Promise<string[]> {
    const used = this.used.splice(0);
    for (const context of this.isolated.splice(0)) await context.close();
    const usedPools = new Set(used.map(({ pool }) => pool));
    for (const { context, free } of usedPools) {
      await context.setOffline(false);
      // Also those that a test has opened itself.
      const known = new Set([...free, ...used.map(({ page }) => page)]);
      for (const page of context.pages()) if (!known.has(page)) await page.close();
    }
    // Databases can be deleted once no document uses them.
    for (const { page, url } of used) await leave(page, url);
    for (const { page, pool } of used)
      if (!page.isClosed()) {
        await page.evaluate(CLEAR);
        pool.free.push(page);
      }
    for (const { context } of usedPools) await context.clearCookies();
    return this.faults.splice(0);
  }

  /** Closes its pages. Chromium stays for the next file of a worker; the main thread would wait for it for ever. */
  async stop(): Promise<void> {
    await this.closePages();
    if (!isMainThread) return;
    launched = null;
    pools.clear();
    await this.browser.close();
  }

  private pool(options: PageOptions): Promise<PagePool> {
    const key = JSON.stringify(options);
    const pool = pools.get(key) ?? this.newContext(options).then((context) => ({ context, free: [] }));
    pools.set(key, pool);
    return pool;
  }

  private async newContext({ preloads, ...options }: PageOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext({ ...WINDOW, ...options });
    context.setDefaultTimeout(WAIT_MS);
    await context.addInitScript(KNOW_KEY);
    if (!preloads) await context.addInitScript(NO_PRELOADING);
    return context;
  }
}

interface PageOptions extends BrowserContextOptions {
  /** The scripts of all pages are loaded while the browser is idle, as in a browser of a person. */
  preloads?: boolean;
}

interface PagePool {
  context: BrowserContext;
  /** Pages that no test uses. */
  free: Page[];
}

function media({
  colorScheme = 'light',
  reducedMotion = 'reduce',
  forcedColors = 'none',
}: Pick<BrowserContextOptions, 'colorScheme' | 'reducedMotion' | 'forcedColors'>) {
  return { colorScheme, reducedMotion, forcedColors };
}

/** Shows a document without scripts, of the same origin: `about:blank` would need a new renderer process. */
export async function unload(page: Page, url = page.url()): Promise<void> {
  await page.goto(new URL('/favicon.ico', url).href);
}

async function leave(page: Page, url: string): Promise<void> {
  if (page.isClosed()) return;
  for (const event of ['pageerror', 'console', 'request', 'worker']) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await unload(page, url).catch(() => page.close());
}

let axe: string | null = null;

/**
 * Violations that axe finds in light and dark; empty: none. The themes differ in colours only, so only the
 * rules about colours are applied twice.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  return [...(await violationsIn(page, 'light')), ...(await violationsIn(page, 'dark'))];
}

/** In one theme: all rules in light, those about colours in dark. */
export async function violationsIn(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  const options =
    theme === 'light'
      ? "resultTypes: ['violations']"
      : "runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }";
  return (await violations(page, options)).map((violation) => `${theme}: ${violation}`);
}

async function violations(page: Page, options: string): Promise<string[]> {
  axe ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const isLoaded = await page.evaluate<boolean>('typeof axe === "object"');
  const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `${isLoaded ? '' : axe}; axe.run(document, { preload: false, ${options} }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** How assistive technology sees an element. */
export interface AccessibleElement {
  role: unknown;
  name: unknown;
  description: unknown;
  /** `invalid`, `live` and others. */
  properties: Record<string, unknown>;
}

export async function accessibleElement(page: Page, selector: string): Promise<AccessibleElement> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector,
  });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    nodeId,
    fetchRelatives: false,
  });
  await session.detach();
  const [node] = nodes;
  const properties = (node?.properties ?? []).map(({ name, value }) => [name, value.value as unknown]);
  return {
    role: node?.role?.value,
    name: node?.name?.value,
    description: node?.description?.value,
    properties: Object.fromEntries(properties) as Record<string, unknown>,
  };
}

/** Chooses an item of the menu that this button opens. */
export async function choose(page: Page, button: string, item: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('menu').locator('[role^=menuitem]').filter({ hasText: item }).click();
}

/** Requests to these URLs wait until `release`; `arrived` resolves with the first. */
export async function hold(
  page: Page,
  urls: RegExp,
): Promise<{ arrived: Promise<void>; release: () => void }> {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(urls, async (route) => {
    arrive();
    await released;
    await route.continue();
  });
  return { arrived, release };
}

/** The text of the file that an action downloads. */
export async function downloadOf(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return readFile(await file.path(), 'utf8');
}
