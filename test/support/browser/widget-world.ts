import type { BrowserContextOptions, Page } from 'playwright-core';
import { anApp, type TestApp } from '../app/app.js';
import { TestBrowser } from './browser.js';
import { ScriptedService } from './scripted-service.js';
import { HostSite, type PageOptions } from './widget-site.js';

/** In the form of a real one. */
export const PUBLISHABLE_KEY = 'rcpt_pub_0123456789abcdefghijklmnopqrstuvABCDEF';

/** A header of Playwright would make a request to another origin one that needs a preflight. */
const OWN_HEADERS = { extraHTTPHeaders: {} };

/** What tests use of an input. */
export interface Input {
  value: string;
  validationMessage: string;
}

/** A site, a service of another origin, and a browser. */
export class WidgetWorld {
  private constructor(
    /** The real service. Its page needs a real key, whose allowed origin is `site.url`. */
    readonly app: TestApp,
    readonly service: ScriptedService,
    readonly site: HostSite,
    readonly browser: TestBrowser,
  ) {}

  static async start(): Promise<WidgetWorld> {
    const app = await anApp();
    const service = await ScriptedService.start(app);
    return new WidgetWorld(app, service, await HostSite.start(), await TestBrowser.start());
  }

  /** A page that is not yet loaded. */
  newPage(context: BrowserContextOptions = {}): Promise<Page> {
    return this.browser.page(this.urls, { ...OWN_HEADERS, ...context });
  }

  /** A page of the site that loads the widget. */
  async open(options: Partial<PageOptions> = {}, context?: BrowserContextOptions): Promise<Page> {
    this.site.show({ service: this.service.url, key: PUBLISHABLE_KEY, ...options });
    const page = await this.newPage(context);
    await page.goto(this.site.url);
    return page;
  }

  /** Like `open`; timers of the page wait for `page.clock.runFor`. */
  async openPaused(options: Partial<PageOptions> = {}): Promise<Page> {
    this.site.show({ service: this.service.url, key: PUBLISHABLE_KEY, ...options });
    const page = await this.browser.isolatedPage(this.urls, OWN_HEADERS);
    await page.clock.install({ time: '2030-01-01' });
    await page.goto(this.site.url);
    await page.clock.pauseAt('2030-01-02');
    return page;
  }

  private get urls(): string[] {
    return [this.site.url, this.service.url, this.app.url];
  }

  /** Enters an address and waits for the end of its check. */
  async check(page: Page, address: string): Promise<void> {
    const count = this.service.asked.length + 1;
    await enter(page, address);
    await this.checked(page, count);
  }

  /** Waits for the response to the nth request of the test. */
  async checked(page: Page, count: number): Promise<void> {
    await this.service.until('POST', count);
    await page.locator('[aria-live][aria-busy]').waitFor({ state: 'detached' });
  }

  /** Presses the button. @returns the addresses that the site got. */
  async join(page: Page): Promise<string[]> {
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL('**/join*');
    return this.site.joined;
  }

  /** Before a test. */
  reset(): void {
    this.service.reset(this.site.url);
  }

  /** After a test. @returns violations of the content security policy, exceptions, requests to other origins. */
  closePages(): Promise<string[]> {
    return this.browser.closePages();
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await Promise.all([this.site.stop(), this.service.stop(), this.app.stop()]);
  }
}

export const field = (page: Page) => page.locator('[data-rcpt]').first();

/** Types into the first input and leaves it. */
export async function enter(page: Page, address: string): Promise<void> {
  await field(page).fill(address);
  await page.keyboard.press('Tab');
}

/** Why the browser refuses the value, and the messages of the widget. */
export async function state(page: Page): Promise<[validity: string, ...messages: string[]]> {
  const validity = await field(page).evaluate((input: Input) => input.validationMessage);
  return [validity, ...(await page.locator('[aria-live]').allInnerTexts())];
}
