import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { RouteNotFound } from '../problems/problems.js';
import { pathOf } from '../request/request-log.js';
import { IMMUTABLE, serveAsset, type PageRouter } from './static-asset.js';

/** Written by `npm run build` from `console/`. The same folder for `src` and `dist`. */
const BUILT = join(import.meta.dirname, '../../../../dist/console');

/** No inline code or styles, and nothing from or to another origin. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types rcpt-workers',
  ].join('; '),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

/** The console at `/console`: one page for all its paths, and files whose names contain digests. */
export function serveConsole(router: PageRouter): void {
  // Relative: a proxy may serve this under another path.
  router.get('/', (_, response) => response.redirect('console'));
  const files = join(BUILT, 'assets');
  for (const name of existsSync(files) ? readdirSync(files) : [])
    serveAsset(router, {
      path: `/console/assets/${name}`,
      type: extname(name),
      make: () => readFile(join(files, name)),
      cacheControl: IMMUTABLE,
      headers: HEADERS,
    });
  router.get('/console/assets/*name', () => {
    throw new RouteNotFound('The console has no such file. Reload the page.');
  });
  servePage(router, '/console', (path) => (path.endsWith('/') ? './' : './console/'));
  // A slash at the end is one more folder.
  servePage(router, '/console/*page', (path) => '../'.repeat(path.split('/').length - 3) || './');
}

/** @param filesFrom the path of `/console/`, relative to the path of a request. */
function servePage(router: PageRouter, path: string, filesFrom: (path: string) => string): void {
  router.get(path, async (request, response) => {
    const page = await readFile(join(BUILT, 'index.html'), 'utf8').catch(() => null);
    if (page === null) throw new RouteNotFound('The console is not built. Run `npm run build`.');
    response.set(HEADERS);
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(page.replaceAll('="./', `="${filesFrom(pathOf(request))}`));
  });
}
