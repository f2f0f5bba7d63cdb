import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { aPublishableKey } from '../../support/app/publishable.js';

interface Read {
  status: number;
  body: { status?: string; code?: string };
  /** What the script may read of them. */
  headers: Record<string, string>;
}

/** Pages on two origins of this machine, with the service on a third. */
(hasBrowser ? describe : describe.skip)('a script in a page of another origin', () => {
  let app: TestApp;
  let account: NewAccount;
  let browser: TestBrowser;
  const sites: Server[] = [];

  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    browser = await TestBrowser.start();
    for (let n = 0; n < 2; n++) {
      const site = createServer((_, response) =>
        response.setHeader('Content-Type', 'text/html').end('<p>A form</p>'),
      );
      sites.push(site.listen(0, '127.0.0.1'));
      await once(site, 'listening');
    }
  });
  afterAll(async () => {
    await browser.stop();
    for (const site of sites) site.close();
    await app.stop();
  });

  const originOf = (n: number) => `http://localhost:${(sites[n]?.address() as AddressInfo).port}`;
  const pageOf = async (n: number) => {
    const page = await browser.page(originOf(n));
    await page.goto(originOf(n));
    return page;
  };
  const aKey = (more: object = {}) =>
    aPublishableKey(app, account.liveKey, { mode: 'test', allowed_origins: [originOf(0)], ...more });
  const ask = (page: Awaited<ReturnType<typeof pageOf>>, key: string, method = 'GET') =>
    page.evaluate<Read | string, [string, string, string]>(
      async ([url, bearer, by]) => {
        const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' };
        const body = JSON.stringify({ email: 'jane@example.com' });
        try {
          const answer =
            by === 'GET'
              ? await fetch(`${url}/v1/verify?email=jane@example.com`, { headers })
              : await fetch(`${url}/v1/verify`, { method: by, headers, body });
          const read = Object.fromEntries(answer.headers);
          return { status: answer.status, body: (await answer.json()) as Read['body'], headers: read };
        } catch (error) {
          return (error as Error).name;
        }
      },
      [app.url, key, method],
    );

  it('reads verdicts, errors and the named headers if its origin is allowed', async () => {
    const { key, id } = await aKey({ per_address: { per_minute: 2 } });
    const page = await pageOf(0);
    for (const method of ['GET', 'POST']) {
      const verdict = (await ask(page, key, method)) as Read;
      expect([verdict.status, verdict.body.status]).toEqual([200, 'deliverable']);
      expect(Object.keys(verdict.headers)).toEqual(
        expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'x-request-id']),
      );
    }
    const refused = (await ask(page, key)) as Read;
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await app.delete(`/v1/keys/${id}`, account.liveKey);
    const revoked = (await ask(page, key)) as Read;
    expect([revoked.status, revoked.body.code]).toEqual([401, 'invalid_credential']);
  });

  it('reads nothing with the key of another site, or with a secret key', async () => {
    const page = await pageOf(1);
    expect(await ask(page, (await aKey()).key)).toBe('TypeError');
    expect(await ask(page, account.testKey)).toBe('TypeError');
    expect(await ask(page, (await aKey({ allowed_origins: [originOf(1)] })).key)).toMatchObject({
      status: 200,
    });
  });
});
