import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { IncomingMessage, RequestListener } from 'node:http';
import { DomainError, type NamedError } from '../../kernel/domain-error.js';
import type { Config } from '../config/config.js';
import type { Platform } from '../platform.module.js';
import { serveDocs } from './docs-pages.js';
import { createHttpServer } from './node-server.js';
import { openApiDocument, type TellableEvent } from './openapi.js';
import { MalformedHttp } from './problems.js';
import { ProblemFilter, problemOf, sendProblem } from './problem.filter.js';
import { ReplayFilter } from './replay.filter.js';
import { checkRequest } from './request-checks.js';
import { requestIdOf, requestLog } from './request-log.js';
import { RouteTable, ROUTING } from './route-table.js';
import { securityHeaders } from './security-headers.js';
import { ValidationPipe } from './validation.pipe.js';

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
    serverFactory: (answer: RequestListener) =>
      createHttpServer(answer, (error) => problemOf(error, config.publicUrl)),
    trustProxy: trusted(config),
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
    return503OnClosing: false,
    // Read once, behind the checks that hold for every path.
    routerOptions: { ...ROUTING, querystringParser: () => ({}) },
    // The server of ours has its own.
    clientErrorHandler: () => undefined,
    // Such a request comes by no hook and no filter.
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      receive(request, reply, () => sendProblem(faultOf(request), request, reply, config.publicUrl)),
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

/** The proxies whose word is taken for where a request comes from: so many of them, or these. */
function trusted({ trustProxy }: Config): string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : [...trustProxy];
}

/** What the checks before every route have to say. */
const refuseMalformed: onRequestHookHandler = (request, _, done) => {
  request.query = checkRequest(request.raw);
  done();
};

/** The router could not read the path. Whatever else is wrong with the request comes first. */
function faultOf({ raw }: FastifyRequest): DomainError {
  try {
    checkRequest(raw);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  return new MalformedHttp('Send a path in percent-encoded UTF-8 (RFC 3986).');
}
