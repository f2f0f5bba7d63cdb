import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DomainError, NamedError } from '../../kernel/domain-error.js';
import type { Config } from '../config/config.js';
import type { Platform } from '../platform.module.js';
import { serveDocs } from './docs-pages.js';
import { openApiDocument, type TellableEvent } from './openapi.js';
import { MalformedHttp, PayloadTooLarge } from './problems.js';
import { ProblemFilter, problemOf, sendProblem } from './problem.filter.js';
import { queryOf, readQueryString } from './query-string.js';
import { ReplayFilter } from './replay.filter.js';
import { requestIdOf, requestLog } from './request-log.js';
import { RouteTable, ROUTING } from './route-table.js';
import { securityHeaders } from './security-headers.js';
import { ValidationPipe } from './validation.pipe.js';

/** Slow and broken clients are let go. */
const PATIENCE = {
  headersTimeout: 15_000,
  // A long list over a slow line.
  requestTimeout: 600_000,
  // Longer than the usual 60 s of a load balancer, so that it is never us who close a connection it just reuses.
  keepAliveTimeout: 65_000,
  // Left to itself, Node would answer a request without a Host header without a body.
  requireHostHeader: false,
} as const;

type Receiver = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** What takes requests off the socket, and everything that is the same for all of them before any route. */
export function httpServer({ config, log, clock, meter }: Platform): FastifyAdapter {
  const headers = securityHeaders();
  const logged = requestLog(log, clock, meter);
  const receive: Receiver = (request, reply, done) => {
    reply.headers(headers);
    logged(request, reply, done);
  };
  const adapter = new FastifyAdapter({
    serverFactory: listener,
    trustProxy: trusted(config),
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
    return503OnClosing: false,
    routerOptions: { ...ROUTING, querystringParser: readQueryString },
    clientErrorHandler: (error, socket) => answerNoHttp(error, socket, config.publicUrl),
    // The router could not read the path; such a request comes by no hook and no filter.
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      receive(request, reply, () => sendProblem(unreadableTarget(), request, reply, config.publicUrl)),
    // Nothing here is a middleware, and it would be asked about at every request.
    skipMiddie: true,
  });
  const server = adapter.getInstance<FastifyInstance>();
  // A guard reads bodies, behind all other checks; the server itself reads none, whatever the method.
  for (const method of server.supportedMethods)
    server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  server.addHook('onRequest', receive);
  server.addHook('onRequest', refuseMalformed);
  return adapter;
}

function listener(answer: RequestListener): Server {
  // Left to itself, Node would answer an expectation that it does not know without a body.
  return createServer(PATIENCE, answer).on('checkExpectation', answer);
}

/** Everything between the socket and a guard, the same for every route. Initialises the application. */
export async function furnish(
  app: NestFastifyApplication,
  { log, config }: Platform,
  errors: readonly NamedError[],
  events: readonly TellableEvent[],
): Promise<void> {
  const server = app.getHttpAdapter().getInstance();
  const routes = new RouteTable();
  server.addHook('onRoute', (route) => routes.add(route));
  app.useGlobalFilters(new ProblemFilter(log, routes, config.publicUrl), new ReplayFilter());
  app.useGlobalPipes(new ValidationPipe());
  serveDocs(server, () => openApiDocument(app, errors, events, config.publicUrl), errors);
  await app.init();
  await server.ready();
}

const unreadableTarget = () => new MalformedHttp('Send a path in percent-encoded UTF-8 (RFC 3986).');

/** The proxies whose word is taken for where a request comes from: so many of them, or these. */
function trusted({ trustProxy }: Config): string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : [...trustProxy];
}

/** RFC 9112 §3.2, RFC 3986 §2.1. */
const refuseMalformed: onRequestHookHandler = (request, _, done) => {
  const { raw } = request;
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
    throw new MalformedHttp('HTTP/1.1 asks for a Host header.');
  queryOf(request);
  done();
};

/** What is no HTTP gets a problem too. */
function answerNoHttp(error: NodeJS.ErrnoException, socket: Duplex, publicUrl: string): void {
  // Answered, and still sending: a connection closed now would be reset under the answer. `headersTimeout` ends it.
  if (!socket.writable && error.code?.startsWith('HPE_')) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const named = tooLarge
    ? new PayloadTooLarge('The request line and headers may have at most 16 kB.')
    : new MalformedHttp('The request could not be read as HTTP/1.1.');
  socket.end(rawAnswer(named, publicUrl));
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
