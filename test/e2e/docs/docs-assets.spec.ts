import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { anApp, type TestApp } from '../../support/app/app.js';
import { ask as askRaw } from '../../support/http/ask.js';
import { expectProblem } from '../../support/http/problems.js';

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

const ask = (path: string, headers?: Record<string, string>, method?: string) =>
  askRaw(app, path, headers, method);

const GZIP = { 'Accept-Encoding': 'gzip, deflate, br' };

describe('the files of /docs', () => {
  it.each([
    ['/openapi.json', 'no-cache', 'application/json'],
    ['/docs/errors', 'no-cache', 'text/html'],
    ['/docs/swagger-ui.css', 'public, max-age=3600', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'public, max-age=3600', 'text/javascript'],
  ])(
    '%s is compressed for clients that accept it, with the same content for others',
    async (path, cache, type) => {
      const plain = await ask(path);
      const coded = await ask(path, GZIP);
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
      expect([coded.status, coded.headers['content-encoding']]).toEqual([200, 'gzip']);
      expect(gunzipSync(coded.body).equals(plain.body)).toBe(true);
      expect(coded.body.length).toBeLessThan(plain.body.length / 2);
      for (const { headers, body } of [plain, coded]) {
        expect(headers).toMatchObject({
          'cache-control': cache,
          vary: 'Accept-Encoding',
          'content-length': String(body.length),
          'content-type': expect.stringContaining(type),
        });
      }
      expect(plain.headers.etag).not.toBe(coded.headers.etag);
      expect(
        (await ask(path, { 'Accept-Encoding': 'gzip;q=0' })).headers['content-encoding'],
      ).toBeUndefined();
    },
  );

  it.each(['/openapi.json', '/docs/reader.js', '/docs/favicon-32x32.png', '/docs/swagger-ui.css'])(
    '%s is not sent again to clients that have it',
    async (path) => {
      for (const headers of [{}, GZIP]) {
        const { headers: known } = await ask(path, headers);
        const again = await ask(path, { ...headers, 'If-None-Match': String(known.etag) });
        expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, known.etag]);
        expect((await ask(path, { ...headers, 'If-None-Match': '"other"' })).status).toBe(200);
      }
    },
  );

  it('have responses to HEAD without a body', async () => {
    const { status, headers, body } = await ask('/openapi.json', {}, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect(Number(headers['content-length'])).toBeGreaterThan(10_000);
  });
});

describe('the widget', () => {
  const MAX_BYTES = 4_500;
  const FOREIGN = { ...GZIP, Origin: 'https://shop.example' };

  it('is a script of less than 4.5 kB, compressed, that a page of any origin may load', async () => {
    const { status, headers, body } = await ask('/rcpt.js', FOREIGN);
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(body.length).toBeLessThan(MAX_BYTES);
    expect(gunzipSync(body).toString()).toContain('data-rcpt');
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await ask('/rcpt.js', FOREIGN);
    const again = await ask('/rcpt.js', { ...FOREIGN, 'If-None-Match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers['access-control-allow-origin']).toBe('*');
  });

  it('names the path of this version, which browsers cache permanently', async () => {
    const { headers, body } = await ask('/rcpt.js', FOREIGN);
    const name = String(headers['content-location']);
    expect(name).toMatch(/^rcpt\.[\w-]{8}\.js$/);
    const file = await ask(`/${name}`, FOREIGN);
    expect([file.status, file.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(file.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(file.body.equals(body)).toBe(true);
  });

  it('is found under the path of another version, under any path of a proxy', async () => {
    const { status, headers } = await ask('/rcpt.Zx81aQ_-.js', FOREIGN);
    expect([status, headers.location, headers['cache-control']]).toEqual([302, 'rcpt.js', 'no-cache']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('is found at its own paths, and only by GET', async () => {
    expectProblem(await app.post('/rcpt.js'), 405, 'method_not_allowed');
    for (const path of ['/rcpt.a/b.js', '/rcpt', '/rcpt.js.map', '/widget/rcpt.js'])
      expectProblem(await app.get(path), 404, 'not_found');
  });
});

it('no response of the API is compressed, because its length would reveal content', async () => {
  const { liveKey } = await app.anAccount();
  for (const path of ['/v1/usage/history?days=365', '/v1/keys', '/v1/nothing', '/livez']) {
    const { headers } = await ask(path, { ...GZIP, Authorization: `Bearer ${liveKey}` });
    expect([path, headers['content-encoding']]).toEqual([path, undefined]);
  }
});
