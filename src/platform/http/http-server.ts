import type { INestApplication } from '@nestjs/common';
import type { Express, RequestHandler } from 'express';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type { DomainError, NamedError } from '../../kernel/domain-error.js';
import type { Platform } from '../platform.module.js';
import { serveDocs } from './docs-pages.js';
import { openApiDocument, type TellableEvent } from './openapi.js';
import { MalformedHttp, PayloadTooLarge } from './problems.js';
import { ProblemFilter, problemOf } from './problem.filter.js';
import { parseQueryString } from './query-string.js';
import { ReplayFilter } from './replay.filter.js';
import { requestLog } from './request-log.js';
import { RouteTable } from './route-table.js';
import { securityHeaders } from './security-headers.js';
import { ValidationPipe } from './validation.pipe.js';

/** Everything between the socket and a guard, the same for every route. Initialises the application. */
export async function furnish(
  app: INestApplication,
  platform: Platform,
  errors: readonly NamedError[],
  events: readonly TellableEvent[],
): Promise<void> {
  const { config, log, clock, meter } = platform;
  const express = app.getHttpAdapter().getInstance() as Express;
  const routes = new RouteTable();
  express.disable('x-powered-by').disable('etag');
  express.set('query parser', parseQueryString);
  express.set('trust proxy', config.trustProxy);
  app.use(requestLog(log, clock, meter));
  app.use(requireHost);
  app.use(securityHeaders());
  app.useGlobalFilters(new ProblemFilter(log, routes, config.publicUrl), new ReplayFilter());
  app.useGlobalPipes(new ValidationPipe());
  serveDocs(app, () => openApiDocument(app, errors, events, config.publicUrl), errors);
  await app.init();
  routes.read(express);
  harden(app.getHttpServer() as Server, config.publicUrl);
}

/** RFC 9112 §3.2. */
const requireHost: RequestHandler = (request, _, next) => {
  const missing = request.httpVersion === '1.1' && request.headers.host === undefined;
  next(missing ? new MalformedHttp('HTTP/1.1 asks for a Host header.') : undefined);
};

/** Slow and broken clients are let go; what is no HTTP gets a problem too. */
function harden(server: Server, publicUrl: string): void {
  // Left to itself, Node would answer these two without a body: no Host header, an expectation it does not know.
  Object.assign(server, { requireHostHeader: false });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.headersTimeout = 15_000;
  // A long list over a slow line.
  server.requestTimeout = 600_000;
  // Longer than the usual 60 s of a load balancer, so that it is never us who close a connection it just reuses.
  server.keepAliveTimeout = 65_000;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Answered, and still sending: a connection closed now would be reset under the answer. `headersTimeout` ends it.
    if (!socket.writable && error.code?.startsWith('HPE_')) return;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const named = tooLarge
      ? new PayloadTooLarge('The request line and headers may have at most 16 kB.')
      : new MalformedHttp('The request could not be read as HTTP/1.1.');
    socket.end(rawAnswer(named, publicUrl));
  });
}

function rawAnswer(error: DomainError, publicUrl: string): string {
  const problem = problemOf(error, publicUrl);
  const id = randomUUID();
  const body = JSON.stringify({ ...problem, instance: '/', request_id: id });
  return [
    `HTTP/1.1 ${problem.status} ${problem.status === 413 ? 'Payload Too Large' : 'Bad Request'}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
