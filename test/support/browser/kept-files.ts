import type { Page } from 'playwright-core';

/** Playwright does not show the body of a request that is a Blob. Before the upload. */
export const recordUpload = (page: Page) =>
  page.evaluate(`{
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      window.sent = body.text();
      send.call(this, body);
    };
  }`);

/** The body that was sent since `recordUpload`. */
export const uploaded = (page: Page) => page.evaluate<string>('window.sent');

/** An expression: the teams and modes of the files that the browser keeps. */
export const KEPT_SCOPES = `(async () => {
  const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const [{ name }] = await indexedDB.databases();
  const database = await done(indexedDB.open(name));
  const files = await done(database.transaction('files').objectStore('files').getAll());
  database.close();
  return files.map(({ scope }) => scope).sort();
})()`;

/** Uploads a list of one row whose other column stays in the browser. */
export async function sendAndKeep(page: Page): Promise<void> {
  const buffer = Buffer.from('email,note\njane@example.com,private\n');
  await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel(/stay in this browser/).check();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

/** The number of files whose columns the browser keeps. */
export const countKeptFiles = (page: Page) =>
  page.evaluate<number>(`${KEPT_SCOPES}.then(({ length }) => length)`);
