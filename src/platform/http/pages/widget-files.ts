import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RouteNotFound } from '../problems/problems.js';
import { IMMUTABLE, serveAsset, type PageRouter } from './static-asset.js';

/** Written by `npm run build` from `widget/`. The same folder for `src` and `dist`. */
const BUILT = join(import.meta.dirname, '../../../../dist/widget');
/** A new version of the service reaches all pages within this time. */
const CACHE_CONTROL = 'public, max-age=300';

/** Pages of every origin load the widget, also with `integrity` or under `Cross-Origin-Embedder-Policy`. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/**
 * The widget at `/rcpt.js`, and at a path that contains a digest of its content. `Content-Location` of the
 * former names the latter.
 */
export function serveWidget(router: PageRouter): void {
  const name = existsSync(BUILT) ? readdirSync(BUILT).find((file) => file.endsWith('.js')) : undefined;
  if (name === undefined) {
    router.get('/rcpt.js', () => {
      throw new RouteNotFound('The widget is not built. Run `npm run build`.');
    });
    return;
  }
  const file = { type: 'js', make: () => readFile(join(BUILT, name)) };
  serveAsset(router, {
    ...file,
    path: '/rcpt.js',
    cacheControl: CACHE_CONTROL,
    headers: { ...HEADERS, 'Content-Location': name },
  });
  serveAsset(router, {
    ...file,
    path: `/${name}`,
    cacheControl: IMMUTABLE,
    headers: HEADERS,
  });
  // A page may name the file of another version: of a former one, or of a process not yet updated.
  router.get('/rcpt.:digest.js', (_, response) => {
    response.set(HEADERS);
    response.setHeader('Cache-Control', 'no-cache');
    // Relative: a proxy may serve this under another path.
    response.redirect('rcpt.js');
  });
}
