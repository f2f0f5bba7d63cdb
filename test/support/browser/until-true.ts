import type { Page } from 'playwright-core';

const INTERVAL_MS = 20;

/**
 * Waits until an expression is true on the page. `page.waitForFunction` evaluates it there again by itself, which the
 * policy of the console forbids: it works only when the expression is true at once.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<boolean>(expression))) await page.waitForTimeout(INTERVAL_MS);
}
