import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { PUBLIC_URL } from '../../support/oauth/assistant.js';
import type { Answer } from '../../support/oauth/oauth-requests.js';

let app: TestApp;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
});
afterAll(() => app.stop());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('what a client looks for', () => {
  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/oauth-authorization-server/mcp/',
    '/mcp/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp?utm_source=plugin',
  ])('GET %s is the metadata of the authorization server', async (path) => {
    const { status, body, headers } = (await app.get(path)) as Answer;
    expect([status, body]).toMatchObject([
      200,
      { issuer: PUBLIC_URL, token_endpoint: `${PUBLIC_URL}/oauth/token` },
    ]);
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource/mcp?utm_source=plugin',
    '/mcp/.well-known/oauth-protected-resource',
  ])('GET %s is the metadata of the resource', async (path) => {
    const { status, body } = (await app.get(path)) as Answer;
    expect([status, body]).toMatchObject([200, { resource: `${PUBLIC_URL}/mcp` }]);
  });

  it('and nothing else: another path has no metadata', async () => {
    for (const path of ['/.well-known/oauth-authorization-server/v1', '/v1/.well-known/openid-configuration'])
      expect((await app.get(path)).status).toBe(404);
  });
});

const OPEN: readonly ['GET' | 'POST', string][] = [
  ['POST', '/mcp'],
  ['POST', '/mcp?utm_source=plugin'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-authorization-server/mcp'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['POST', '/oauth/register'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
];

describe('a page of any origin', () => {
  const preflight = (path: string, method: string, headers: string) =>
    fetch(`${app.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://playground.example',
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    });

  it.each(OPEN)(
    'may send %s %s, and read the response and its errors, without credentials',
    async (method, path) => {
      const before = await preflight(path, method, 'authorization,content-type,mcp-protocol-version');
      expect([before.status, before.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(before.headers.get('access-control-allow-methods')).toBe(method);
      for (const name of ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Session-Id'])
        expect(before.headers.get('access-control-allow-headers')).toContain(name);
      const { headers } = await app
        .request(method === 'GET' ? 'get' : 'post', path)
        .set({ Origin: 'https://playground.example', Cookie: 'a=b' });
      expect(headers['access-control-allow-origin']).toBe('*');
      for (const name of ['WWW-Authenticate', 'Mcp-Session-Id', 'MCP-Protocol-Version', 'Retry-After'])
        expect(headers['access-control-expose-headers']).toContain(name);
      expect([
        before.headers.get('access-control-allow-credentials'),
        headers['access-control-allow-credentials'],
      ]).toEqual([null, undefined]);
    },
  );

  it('needs a key or token for POST /mcp: a cookie is not read', async () => {
    const { testKey } = await app.anAccount();
    for (const origin of ['https://playground.example', 'null', 'http://localhost:3000']) {
      const answer = await app.post('/mcp', testKey).set('Origin', origin).send(ping);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
      const refused = await app
        .post('/mcp')
        .set({ Origin: origin, Cookie: `key=${testKey}` })
        .send(ping);
      expectProblem(refused, 401, 'missing_credential');
    }
  });

  it.each(['/oauth/authorize', '/oauth/consent/x', '/oauth/consent/x/request', '/v1/usage', '/console'])(
    'may not read %s',
    async (path) => {
      const before = await preflight(path, 'GET', 'authorization');
      expect(before.headers.get('access-control-allow-origin')).toBeNull();
      const { headers } = await app.get(path).set('Origin', 'https://playground.example');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});
