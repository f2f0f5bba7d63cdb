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
import type { DomainError } from '../../kernel/errors.js';
import { HeadersTooLarge, MalformedHttp, RequestTimeout, TargetTooLong } from './problems/problems.js';
import { MAX_HEADER_BYTES, MAX_HEADERS, MAX_TARGET_BYTES } from './request-checks.js';
import { RequestQueue } from './request-queue.js';
import { UnreadResponses } from './unread-responses.js';

/** In milliseconds. */
export const TIMEOUTS = {
  headersTimeout: 15_000,
  // Permits a long list over a slow connection.
  requestTimeout: 600_000,
  /** Interval at which the two timeouts above are enforced. */
  connectionsCheckingInterval: 2_000,
  // Longer than the usual 60 s of load balancers, so that the server does not close a connection that is being reused.
  keepAliveTimeout: 65_000,
  /** How long a rejected connection stays open, so that the client can read the response. */
  lingerTimeout: 5_000,
  /** How long the rest of a body is read after the response. */
  restOfBodyTimeout: 20_000,
  /** How long a client may read nothing of a response. */
  stalledTimeout: 60_000,
} as const;

export type HttpTimeouts = Readonly<Record<keyof typeof TIMEOUTS, number>>;

/** Converts an error to a problem (RFC 9457), without the members of the request. */
type ProblemOf = (error: DomainError) => { status: number };

interface ClientError extends NodeJS.ErrnoException {
  /** The packet in which the parser failed, and the number of bytes it had parsed. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/**
 * The HTTP server of Node with a timeout for every wait for a client, and bounds for unread responses. A rejected connection is always
 * closed, whatever the client does. Independent of the framework.
 */
export function createHttpServer(
  listener: RequestListener,
  problemOf: ProblemOf,
  timeouts: HttpTimeouts = TIMEOUTS,
  unread = new UnreadResponses(),
): Server {
  const requests = new RequestQueue((request, response) => {
    unread.watch(request, response);
    response.once('finish', () => limitRestOfBody(request, timeouts.restOfBodyTimeout));
    listener(request, response);
  });
  const server = createServer({
    ...timeouts,
    // By default Node responds to a missing Host header without a body.
    requireHostHeader: false,
    // Node counts target, names and values together; `checkRequest` checks them separately.
    maxHeaderSize: MAX_TARGET_BYTES + MAX_HEADER_BYTES + 1,
  });
  // Node drops headers beyond this count, possibly a second Host. `checkRequest` rejects that many headers by size.
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on('request', (request, response) => requests.add(request, response));
  server.setTimeout(timeouts.stalledTimeout, (socket) => {
    if (requests.responseOn(socket) === null) socket.destroy();
    // With a reset an incomplete response is not mistaken for a complete one, also with HTTP/1.0.
    else if (socket.writableLength > 0) socket.resetAndDestroy();
  });
  // By default Node responds to an unknown expectation without a body.
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const rejection = rejectionOf(error, socket);
    // The response was sent. Every further packet causes a parse error until the timeout.
    if (socket.writableEnded && error.code?.startsWith('HPE_')) return;
    if (rejection === null || !socket.writable || hasStartedResponse(requests.responseOn(socket)))
      return void socket.destroy();
    reject(socket, rejection, rawResponse(problemOf(rejection)), timeouts.lingerTimeout);
  });
  return server;
}

/** @returns null if no response is expected. */
function rejectionOf(error: ClientError, socket: Socket): DomainError | null {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return isWithinTarget(error) ? new TargetTooLong() : new HeadersTooLarge();
  if (error.code?.startsWith('HPE_')) return new MalformedHttp('The request could not be read as HTTP/1.1.');
  // No response on a connection opened in advance: the client would read it as the response to its first request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead > 0) return new RequestTimeout();
  return null;
}

/**
 * Whether the parser failed in the request line. Only the last packet is available, so the check uses
 * that a target contains no spaces and line ends.
 */
function isWithinTarget({ rawPacket, bytesParsed }: ClientError): boolean {
  const parsed = rawPacket?.subarray(0, bytesParsed).toString('latin1') ?? '';
  return /^(?:[A-Z-]+ )?[^\s]*$/.test(parsed);
}

/** A second response must not be written into one that has started. */
function hasStartedResponse(response: ServerResponse | null): boolean {
  return response !== null && response.headersSent && !response.writableFinished;
}

/**
 * Sends the response and closes the connection. The socket is destroyed after a delay: an immediate
 * close could reset the connection before the client has read the response (RFC 9112 §9.6), and without
 * it the client could keep the connection open.
 */
function reject(socket: Socket, rejection: DomainError, response: string, lingerMs: number): void {
  const destroy = () => void socket.destroy();
  if (rejection instanceof RequestTimeout) return void socket.end(response, destroy);
  socket.end(response);
  setTimeout(destroy, lingerMs).unref();
}

/** Limits the time for the rest of a body. Many clients read the response only after they have sent the whole body. */
function limitRestOfBody(request: IncomingMessage, timeoutMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, timeoutMs).unref();
}

function rawResponse(problem: { status: number }): string {
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
