import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { DomainError } from '../../kernel/domain-error.js';
import { HeadersTooLarge, MalformedHttp, RequestTimeout, TargetTooLong } from './problems.js';
import { MOST_HEADER_BYTES, MOST_HEADERS, MOST_TARGET_BYTES } from './request-checks.js';

/** In milliseconds. */
export const TIMEOUTS = {
  headersTimeout: 15_000,
  // A long list over a slow line.
  requestTimeout: 600_000,
  /** How often these two are enforced. */
  connectionsCheckingInterval: 2_000,
  // Longer than the usual 60 s of a load balancer, so that it is never us who close a connection it just reuses.
  keepAliveTimeout: 65_000,
  /** How long a refused connection is read, so that its client gets to read the answer. */
  lingerTimeout: 5_000,
  /** How long the rest of a body is read whose request was answered. */
  restOfBodyTimeout: 20_000,
} as const;

export type HttpTimeouts = Readonly<Record<keyof typeof TIMEOUTS, number>>;

/** The members of the problem (RFC 9457) that an error is, without those of the request. */
type ProblemOf = (error: DomainError) => { status: number };

/** What Node and its parser say of a request that cannot be read. */
interface ClientError extends NodeJS.ErrnoException {
  /** The bytes in which the parser failed, and how many of them it had taken. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/**
 * Node's HTTP server, with every wait for a client bounded. No connection outlives its refusal,
 * whatever the client does. It knows no framework.
 */
export function createHttpServer(
  answer: RequestListener,
  problemOf: ProblemOf,
  timeouts: HttpTimeouts = TIMEOUTS,
): Server {
  const responses = new WeakMap<Socket, ServerResponse>();
  const server = createServer({
    ...timeouts,
    // Left to itself, Node would answer a request without a Host header without a body.
    requireHostHeader: false,
    // Node counts the target, names and values together; `checkRequest` tells which is too large.
    maxHeaderSize: MOST_TARGET_BYTES + MOST_HEADER_BYTES + 1,
  });
  // Node drops those beyond it, a second Host perhaps; so many are refused for their size.
  server.maxHeadersCount = MOST_HEADERS + 1;
  server.on('request', (request, response) => {
    responses.set(request.socket, response);
    response.once('finish', () => boundRestOfBody(request, timeouts.restOfBodyTimeout));
  });
  server.on('request', answer);
  // Left to itself, Node would answer an expectation that it does not know without a body.
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const refusal = refusalOf(error, socket);
    // It was answered; what follows is an error again, packet after packet, until the time is over.
    if (socket.writableEnded && error.code?.startsWith('HPE_')) return;
    if (refusal === null || !socket.writable || isBeingAnswered(responses.get(socket)))
      return void socket.destroy();
    refuse(socket, refusal, rawAnswer(problemOf(refusal)), timeouts.lingerTimeout);
  });
  return server;
}

/** @returns null when nobody waits for an answer. */
function refusalOf(error: ClientError, socket: Socket): DomainError | null {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return isWithinTarget(error) ? new TargetTooLong() : new HeadersTooLarge();
  if (error.code?.startsWith('HPE_')) return new MalformedHttp('The request could not be read as HTTP/1.1.');
  // A connection opened in advance: an answer would be taken for that to its first request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead > 0) return new RequestTimeout();
  return null;
}

/**
 * Whether the parser gave up before the end of the request line. Of a line that came in several
 * packets only the last is known: a target has no spaces and no line end.
 */
function isWithinTarget({ rawPacket, bytesParsed }: ClientError): boolean {
  const taken = rawPacket?.subarray(0, bytesParsed).toString('latin1') ?? '';
  return /^(?:[A-Z-]+ )?[^\s]*$/.test(taken);
}

/** Bytes of an answer are out already; another one would stand in the middle of it. */
function isBeingAnswered(response: ServerResponse | undefined): boolean {
  return response !== undefined && response.headersSent && !response.writableFinished;
}

/**
 * Answers and closes. Destroyed at once, the connection of a client that still sends would be reset
 * under the answer (RFC 9112 §9.6); only ended, it would be the client's to keep.
 */
function refuse(socket: Socket, refusal: DomainError, answer: string, lingerMs: number): void {
  const destroy = () => void socket.destroy();
  if (refusal instanceof RequestTimeout) return void socket.end(answer, destroy);
  socket.end(answer);
  setTimeout(destroy, lingerMs).unref();
}

/** Many a client reads no answer before it has sent everything. */
function boundRestOfBody(request: IncomingMessage, withinMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, withinMs).unref();
}

function rawAnswer(problem: { status: number }): string {
  const id = randomUUID();
  const body = JSON.stringify({ ...problem, instance: '/', request_id: id });
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
