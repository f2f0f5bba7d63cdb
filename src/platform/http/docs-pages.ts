import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import { createRequire } from 'node:module';
import type { NamedError } from '../../kernel/domain-error.js';
import { STATUS_OF_KIND } from './problem.filter.js';
import { pathOf } from './request-log.js';

/** Of Swagger UI, what its page loads. */
const READER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** @param files where they are, as seen from the page. */
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

/** In a file of its own: the content security policy allows no script within a page. */
const READER_SCRIPT = `const url = new URL('../openapi.json', document.currentScript.src).href;
SwaggerUIBundle({ url, dom_id: '#reader', deepLinking: true });
`;

/**
 * `/openapi.json` for programs, `/docs` for people, `/docs/errors` for where a problem's `type` leads.
 * Each is made when it is first asked for: most processes are never asked, and a start should be quick.
 */
export function serveDocs(
  express: Express,
  makeDocument: () => Promise<OpenAPIObject>,
  errors: readonly NamedError[],
): void {
  const json = once(async () => JSON.stringify(await makeDocument(), null, 2));
  const page = once(() => Promise.resolve(errorsPage(errors)));
  express.get('/openapi.json', async (_, response) => void response.type('json').send(await json()));
  express.get('/docs/errors', async (_, response) => void response.type('html').send(await page()));
  express.get('/docs', (request, response) => {
    const files = pathOf(request).endsWith('/') ? './' : './docs/';
    response.type('html').send(readerPage(files));
  });
  express.get('/docs/reader.js', (_, response) => void response.type('js').send(READER_SCRIPT));
  const { resolve } = createRequire(import.meta.url);
  for (const name of READER_FILES)
    express.get(`/docs/${name}`, (_, response) => response.sendFile(resolve(`swagger-ui-dist/${name}`)));
}

/** What failed is tried again when it is asked for again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
}
function errorsPage(errors: readonly NamedError[]): string {
  const entries = [...errors]
    .sort((a, b) => a.fact.code.localeCompare(b.fact.code))
    .map(
      ({ fact }) => `<section id="${fact.code}">
<h2><a href="#${fact.code}"><code>${fact.code}</code></a> <small>${STATUS_OF_KIND[fact.kind]}</small></h2>
<p><strong>${prose(fact.title)}.</strong> ${prose(fact.help)}</p>
</section>`,
    );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rcpt: errors</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0 } h2 a { color: inherit; text-decoration: none } small { color: #666 }
section:target { background: #fff7d6; outline: .5rem solid #fff7d6 }
</style>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs compare <code>code</code>.</p>
${entries.join('\n')}
</html>
`;
}

/** Escapes for HTML; what stands in backticks is code. */
function prose(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
