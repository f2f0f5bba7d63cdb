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

/** The number of files whose columns the browser keeps. */
export const countKeptFiles = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    indexedDB.databases().then(([{ name }]) => {
      indexedDB.open(name).onsuccess = ({ target: { result } }) => {
        result.transaction('files').objectStore('files').count().onsuccess = ({ target }) => resolve(target.result);
      };
    });
  })`);
