import type { OpenAPIObject } from '@nestjs/swagger';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { NamedError } from '../../../kernel/errors.js';
import { pathOf } from '../request/request-log.js';
import { escapeHtml, page } from './html-page.js';
import { serveAsset, type PageRouter } from './static-asset.js';

/** Written by `npm run build` from `swagger-ui-dist`. The same folder for `src` and `dist`. */
const BUILT = join(import.meta.dirname, '../../../../dist/vendor/swagger-ui');
const READER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** @param files their path, relative to the page. */
const readerPage = (files: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rcpt: the API</title>
<link rel="icon" type="image/png" href="${files}favicon-32x32.png">
<link rel="stylesheet" href="${files}swagger-ui.css">
<div id="reader"></div>
<script src="${files}swagger-ui-bundle.js"></script>
<script src="${files}reader.js"></script>
</html>
`;

/** A separate file: the content security policy allows no inline script. */
const READER_SCRIPT = `const url = new URL('../openapi.json', document.currentScript.src).href;
SwaggerUIBundle({ url, dom_id: '#reader', deepLinking: true });
`;

/** The files of Swagger UI change only with a new version of this service. */
const FILE_CACHE_CONTROL = 'public, max-age=3600';

/**
 * `/openapi.json` for programs, `/docs` for people, `/docs/errors` for the `type` of a problem. Each is
 * created at the first request, because most processes never serve it.
 */
export function serveDocs(
  router: PageRouter,
  makeDocument: () => OpenAPIObject,
  errors: readonly NamedError[],
): void {
  const made = (path: string, type: string, make: () => string) =>
    serveAsset(router, { path, type, make: () => Promise.resolve(make()), cacheControl: 'no-cache' });
  made('/openapi.json', 'json', () => JSON.stringify(makeDocument(), null, 2));
  made('/docs/errors', 'html', () => errorsPage(errors));
  made('/docs/reader.js', 'js', () => READER_SCRIPT);
  router.get('/docs', (request, response) => {
    const files = pathOf(request).endsWith('/') ? './' : './docs/';
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(readerPage(files));
  });
  for (const name of READER_FILES)
    serveAsset(router, {
      path: `/docs/${name}`,
      type: extname(name),
      make: () => readFile(join(BUILT, name)),
      cacheControl: FILE_CACHE_CONTROL,
    });
}

function errorsPage(errors: readonly NamedError[]): string {
  const entries = [...errors]
    .sort((a, b) => a.definition.code.localeCompare(b.definition.code))
    .map(
      ({ definition }) => `<section id="${definition.code}">
<h2><a href="#${definition.code}"><code>${definition.code}</code></a> <small>${definition.status}</small></h2>
<p><strong>${prose(definition.title)}.</strong> ${prose(definition.help)}</p>
</section>`,
    );
  return page(
    'errors',
    `<style>
h2 { font-size: 1.1rem; margin: 1.5rem 0 0 } h2 a { color: inherit; text-decoration: none } small { color: #666 }
section:target { background: #fff7d6; outline: .5rem solid #fff7d6 }
</style>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs compare <code>code</code>.</p>
${entries.join('\n')}`,
  );
}

/** Escapes for HTML; text in backticks becomes code. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
