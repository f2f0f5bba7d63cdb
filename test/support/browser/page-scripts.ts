import type { Page } from 'playwright-core';

/** Deletes what the pages of an origin have stored, and what a window keeps between its documents. */
export const CLEAR = `(async () => {
  window.name = '';
  sessionStorage.clear();
  localStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve) => {
      const request = indexedDB.deleteDatabase(name);
      // A page that a test has left open still uses it.
      request.onsuccess = request.onblocked = resolve;
    });
})()`;

/**
 * A link with a key is one that the tab has already, so that the console does not ask. A page whose `window.name` is
 * `asks` has no key.
 */
export const KNOW_KEY = `(() => {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null || window.name === 'asks' || window !== window.top) return;
  if (sessionStorage.getItem('rcpt.key') === null) sessionStorage.setItem('rcpt.key', key);
})()`;

/**
 * The console loads the scripts of all pages, which takes a sixth of the processor time of a document, unless the person
 * saves data: then they are loaded when they are opened.
 */
export const NO_PRELOADING = `if (globalThis.NetworkInformation !== undefined)
  Object.defineProperty(NetworkInformation.prototype, 'saveData', { value: true });`;

/**
 * The console shows another page in its document, which takes a tenth of the processor time of a new document.
 *
 * @param path below `/console`.
 * @param shown a selector of what only this page has.
 */
export async function showPage(page: Page, path: string, shown: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(`/console${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.locator(shown).first().waitFor();
}
