import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { anApp, type TestApp } from '../../support/app/app.js';
import { ask } from '../../support/http/ask.js';
import { expectProblem } from '../../support/http/problems.js';

/** Script of the first page, compressed. */
const MAX_SCRIPT_BYTES = 130_000;
const GZIP = { 'Accept-Encoding': 'gzip' };

let app: TestApp;
let assets: string[];
beforeAll(async () => {
  app = await anApp();
  assets = await readdir(new URL('../../../dist/console/assets', import.meta.url));
});
afterAll(() => app.stop());

/** What the page at this path loads, as absolute paths. */
async function loadedBy(path: string): Promise<string[]> {
  const { text } = await app.get(path);
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, url = '']) => new URL(url, `http://x${path}`).pathname,
  );
}

describe('the page of the console', () => {
  it('/ redirects to it, under any host name and path of a proxy', async () => {
    const answer = await ask(app, '/', { Host: 'rcpt.example' });
    expect([answer.status, answer.headers.location]).toEqual([302, 'console']);
  });

  it.each(['/console', '/console/', '/console/lists', '/console/lists/job_1', '/console/a/b/'])(
    'is served at %s, and its files are found from there',
    async (path) => {
      expect((await app.get(path)).type).toBe('text/html');
      const loaded = await loadedBy(path);
      expect(loaded.length).toBeGreaterThan(2);
      for (const file of loaded) {
        expect(file).toMatch(/^\/console\/assets\//);
        expect([file, (await app.get(file)).status]).toEqual([file, 200]);
      }
    },
  );

  it('allows no inline code or style, no other origin, no frame and no markup from text', async () => {
    const { headers, text } = await app.get('/console');
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)| style=| on\w+=/);
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('a file of an earlier version is 404, and not a page', async () => {
    expectProblem(await app.get('/console/assets/index-old.js'), 404, 'not_found');
  });
});

describe('the files of the console', () => {
  it('are cached permanently, since their names change with their content', async () => {
    for (const name of assets) {
      const { headers } = await app.get(`/console/assets/${name}`);
      expect([name, headers['cache-control']]).toEqual([name, 'public, max-age=31536000, immutable']);
      expect(headers.etag).toMatch(/^"[\w-]+"$/);
      expect(name).toMatch(/-[\w-]{8}\.\w+$/);
    }
  });

  it('of the first page are at most six, which a browser requests at once', async () => {
    expect((await loadedBy('/console')).length).toBeLessThanOrEqual(6);
  });

  it('of the first page have at most 130 kB of script, compressed', async () => {
    const scripts = (await loadedBy('/console')).filter((path) => path.endsWith('.js'));
    let bytes = 0;
    for (const path of scripts) {
      const { status, body } = await ask(app, path, GZIP);
      expect([path, status]).toEqual([path, 200]);
      bytes += body.length;
    }
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });
});
