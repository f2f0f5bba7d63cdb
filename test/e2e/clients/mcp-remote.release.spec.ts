import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { McpRemote } from '../../support/oauth/mcp-remote.js';
import { freePort } from '../../support/processes/free-port.js';

const remote = await McpRemote.install();
afterAll(() => remote?.remove());

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

(remote === null ? describe.skip : describe)('mcp-remote, installed from npm', () => {
  let app: TestApp;
  let key: string;
  let publicUrl: string;
  beforeAll(async () => {
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    app = await anApp({ PORT: String(port), PUBLIC_URL: publicUrl });
    key = (await app.anAccount()).liveKey;
  });
  afterAll(() => app.stop());

  it('registers, is allowed in a browser, and calls the service; after a restart it needs no browser', async () => {
    const url = `${publicUrl}/mcp`;
    const callback = await freePort();
    const first = remote!.start(url, callback);
    try {
      const browser = new ConsentBrowser(app, new Map(), publicUrl);
      const id = await browser.open(await first.authorizationUrl());
      expect((await browser.shown(id)).client).toMatchObject({ verified: false });
      const answer = await browser.allow(id, key);
      expect(answer.origin).toBe(`http://localhost:${callback}`);
      const answered = first.send(INITIALIZE);
      expect((await fetch(answer)).status).toBe(200);
      expect(await answered).toMatchObject({ id: 1, result: { serverInfo: { name: expect.any(String) } } });
    } finally {
      first.stop();
    }
    // The access token has expired: it refreshes.
    app.clock.advance(3_600_000);
    const second = remote!.start(url, callback);
    try {
      expect(await second.send(INITIALIZE)).toMatchObject({ id: 1, result: expect.any(Object) });
    } finally {
      second.stop();
    }
  });
});
