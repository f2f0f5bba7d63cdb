import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anApp, type TestApp } from '../../support/app/app.js';
import { previewOn, workOn } from '../../support/app/bulk.js';
import { Firefox, hasFirefox } from '../../support/browser/firefox.js';

const ENTER = '\uE007';

let app: TestApp;
let firefox: Firefox;
let folder: string;

const button = (name: string) =>
  `[...document.querySelectorAll('button')].find((button) => button.textContent === '${name}' && !button.disabled)`;
const shows = (text: string) => `document.querySelector('main')?.innerText.includes(${JSON.stringify(text)})`;

(hasFirefox ? describe : describe.skip)('the console in Firefox', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-list-'));
    app = await anApp();
    firefox = await Firefox.start();
  }, 60_000);
  afterAll(async () => {
    await firefox.stop();
    await app.stop();
    await rm(folder, { recursive: true });
  });

  it('signs in, verifies an address, and verifies, shows and downloads a list', async () => {
    const { testKey } = await app.anAccount();
    await firefox.open(`${app.url}/console`);
    await firefox.until("document.activeElement.name === 'key'");
    await firefox.type(testKey + ENTER);

    await firefox.until("document.activeElement.id === 'address'");
    await firefox.type(`mailbox_not_found@example.com${ENTER}`);
    await firefox.until(shows('Undeliverable'));

    await firefox.click("document.querySelector('nav a[href$=lists]')");
    const list = join(folder, 'people.csv');
    await writeFile(list, 'name,email\nÄnne,jane@example.com\nBob,catch_all@example.com\n');
    await firefox.choose('input[type=file]', list);
    // The form for addresses without a file has such a button too.
    await firefox.until(shows('Check the file'));
    await firefox.click(button('Continue'));
    await firefox.until(shows('What the list contains'));
    await previewOn(app);
    await firefox.until(button('Start: costs nothing'));
    await firefox.click(button('Start: costs nothing'));
    await firefox.until(shows('0 of 2 rows'));
    await workOn(app);
    await firefox.until(shows('Completed'));
    await firefox.until(shows('catch_all@example.com'));

    await firefox.click(button('Download'));
    await firefox.click(button('Everything (2)'));
    const file = await firefox.downloadOf(() =>
      firefox.click("document.querySelector('dialog [class*=actions] button:last-child')"),
    );
    const rows = file.split('\n');
    expect(rows[1]).toMatch(/^Änne,jane@example\.com,.*deliverable/);
    expect(rows[2]).toMatch(/^Bob,catch_all@example\.com,.*risky/);
  });
});
