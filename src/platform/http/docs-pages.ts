import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, Response } from 'express';
import type { NamedError } from '../../kernel/domain-error.js';
import { STATUS_OF_KIND } from './problem.filter.js';
import { RouteNotFound } from './problems.js';

/**
 * `/openapi.json` for programs, `/docs` for people, `/docs/errors` for where a problem's `type` leads.
 * Each is made when it is first asked for: most processes are never asked, and a start should be quick.
 */
export function serveDocs(
  app: INestApplication,
  makeDocument: () => Promise<OpenAPIObject>,
  errors: readonly NamedError[],
): void {
  const express = app.getHttpAdapter().getInstance() as Express;
  const document = once(makeDocument);
  const json = once(async () => JSON.stringify(await document(), null, 2));
  const reader = once(async () => readerOf(await document()));
  const page = once(() => errorsPage(errors));
  express.get(
    '/openapi.json',
    async (_, response: Response) => void response.type('application/json').send(await json()),
  );
  express.get(
    '/docs/errors',
    async (_, response: Response) => void response.type('text/html').send(await page()),
  );
  express.get(/^\/docs(\/.*)?$/, async (request, response, next) => {
    const read = await reader();
    read(request, response, (error: unknown) => next(error ?? new RouteNotFound('No route has this path.')));
  });
}

@Module({})
class ReaderModule {}

/** The page at `/docs`, with its scripts and styles. */
async function readerOf(document: OpenAPIObject): Promise<Express> {
  const { SwaggerModule } = await import('@nestjs/swagger');
  const app = await NestFactory.create<NestExpressApplication>(ReaderModule, {
    logger: false,
    abortOnError: false,
  });
  SwaggerModule.setup('docs', app, document, { customSiteTitle: 'Rcpt', raw: false });
  return app.getHttpAdapter().getInstance();
}

/** What failed is tried again when it is asked for again. */
function once<T>(make: () => T | Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return async () => {
    made ??= Promise.resolve(make());
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
