import { request, type ClientRequestArgs, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import type { Pause } from '../../kernel/service-state/pause.js';
import type { Dialler } from './dialler.js';
import type { AddressPolicy } from './address-policy.js';
import { addressesWithoutDns, bareHost, type HostAddresses } from './host-addresses.js';

/** Why a request has no response. */
type FetchFailureKind = 'dns' | 'address_not_allowed' | 'connection' | 'tls' | 'protocol' | 'timeout';

export class FetchFailure extends Error {
  constructor(readonly kind: FetchFailureKind) {
    super(`no response: ${kind}`);
  }
}

/** An HTTP response. */
export interface Reply {
  statusCode: number;
  /** The `Retry-After` header; null if missing. */
  retryAfter: string | null;
  /** The `Content-Type` header; null if missing. */
  contentType: string | null;
  /** The body, truncated to `maxBytes`. */
  body: Buffer;
}

/** A response whose body is read while it arrives. The caller must close it. */
export interface OpenReply {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Reading throws FetchFailure. */
  body: AsyncIterable<Buffer>;
  close: () => void;
}

interface Outgoing {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  headers: Record<string, string>;
  body: string;
}

interface SafeFetchOptions {
  policy: AddressPolicy;
  hosts: HostAddresses;
  dialler: Dialler;
  /** Asked before each request. */
  pause: Pause;
  /** The only trusted CA certificates; default: those of Node. */
  ca?: string;
}

/** Addresses of one name that are tried, each with its own timeout. */
const MAX_ADDRESSES = 3;
const DIAL_TIMEOUT_MS = 5_000;

/**
 * Sends requests to untrusted URLs, with protection against server-side request forgery.
 *
 * The host is resolved for every request. All its addresses must pass the address policy, and the
 * connection goes to one of these addresses without a second lookup, which prevents DNS rebinding.
 * It uses no proxy, follows no redirect, reuses no connection and stores no cookie.
 */
export class SafeFetch {
  constructor(private readonly options: SafeFetchOptions) {}

  /**
   * @param maxBytes maximum bytes of the response body; then the connection is closed.
   * @param timeoutMs for the whole request. If the headers have arrived by then, the partial response is returned.
   * @throws FetchFailure
   */
  post(
    url: URL,
    headers: Record<string, string>,
    body: string,
    maxBytes: number,
    timeoutMs: number,
  ): Promise<Reply> {
    return this.send(url, { method: 'POST', headers, body }, maxBytes, timeoutMs);
  }

  /** @see post */
  get(url: URL, maxBytes: number, timeoutMs: number): Promise<Reply> {
    return this.send(url, { method: 'GET', headers: {}, body: '' }, maxBytes, timeoutMs);
  }

  /**
   * The response with its body as a stream.
   *
   * @param signal ends the request, and the reading of the body. @throws FetchFailure
   */
  async open(url: URL, outgoing: Outgoing, signal: AbortSignal): Promise<OpenReply> {
    const socket = await this.connect(url, signal);
    const close = () => void socket.destroy();
    try {
      const response = await responseOf(socket, url, outgoing, signal);
      const { statusCode = 0, headers } = response;
      return { statusCode, headers, body: bodyOf(response, signal), close };
    } catch (error) {
      close();
      throw error;
    }
  }

  private async send(url: URL, outgoing: Outgoing, maxBytes: number, timeoutMs: number): Promise<Reply> {
    const signal = AbortSignal.timeout(timeoutMs);
    const socket = await this.connect(url, signal);
    try {
      return await exchange(socket, url, outgoing, maxBytes, signal);
    } finally {
      socket.destroy();
    }
  }

  /** @throws FetchFailure, Paused */
  private async connect(url: URL, signal: AbortSignal): Promise<Socket> {
    this.options.pause.requireActive();
    const host = bareHost(url.hostname);
    const isSecure = url.protocol === 'https:';
    const socket = await this.dial(host, Number(url.port) || (isSecure ? 443 : 80), signal);
    if (!isSecure) return socket;
    return startTls(socket, host, this.options.ca, signal).catch((error: unknown) => {
      socket.destroy();
      throw error;
    });
  }

  private async dial(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    for (const ip of (await this.addresses(host, signal)).slice(0, MAX_ADDRESSES)) {
      const socket = await this.options.dialler.dial(ip, port, DIAL_TIMEOUT_MS, signal).catch(() => null);
      if (socket !== null) return socket;
      if (signal.aborted) throw new FetchFailure('timeout');
    }
    throw new FetchFailure('connection');
  }

  private async addresses(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const { policy, hosts } = this.options;
    const literal = addressesWithoutDns(host);
    // `localhost` has two addresses; the operator may have allowed only one of them.
    const found = literal?.filter((ip) => policy.allows(ip)) ?? (await hosts.resolve(host, signal));
    if (signal.aborted) throw new FetchFailure('timeout');
    if (literal === null && found.length === 0) throw new FetchFailure('dns');
    if (found.length === 0 || !found.every((ip) => policy.allows(ip)))
      throw new FetchFailure('address_not_allowed');
    return found;
  }
}

/** Starts TLS. The handshake fails if the certificate is not valid for the host. */
function startTls(
  socket: Socket,
  host: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
      ALPNProtocols: ['http/1.1'],
    });
    const fail = () => reject(new FetchFailure(signal.aborted ? 'timeout' : 'tls'));
    signal.addEventListener('abort', () => secure.destroy(), { once: true });
    secure.once('secureConnect', () => resolve(secure));
    secure.on('error', fail);
    secure.once('close', fail);
  });
}

async function exchange(
  stream: Socket,
  url: URL,
  outgoing: Outgoing,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Reply> {
  const response = await responseOf(stream, url, outgoing, signal);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // Truncated, timed out or aborted: the status is known.
  }
  return {
    statusCode: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    contentType: response.headers['content-type'] ?? null,
    body: Buffer.concat(chunks).subarray(0, maxBytes),
  };
}

function responseOf(
  stream: Socket,
  url: URL,
  { method, headers, body }: Outgoing,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const args: ClientRequestArgs = {
      method,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, ...length, connection: 'close' },
      createConnection: () => stream,
      signal,
    };
    const outgoing = request(args, (response) => {
      // Errors after the headers are those of the body.
      response.on('error', () => undefined);
      resolve(response);
    });
    const fail = ({ code = '' }: NodeJS.ErrnoException) => {
      if (signal.aborted) return reject(new FetchFailure('timeout'));
      reject(new FetchFailure(code.startsWith('HPE_') ? 'protocol' : 'connection'));
    };
    outgoing.on('error', fail);
    // Closed without a response, for example after a protocol switch.
    outgoing.once('close', () => fail(new Error('closed')));
    outgoing.end(body);
  });
}

async function* bodyOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  try {
    yield* response as AsyncIterable<Buffer>;
  } catch {
    throw new FetchFailure(signal.aborted ? 'timeout' : 'connection');
  }
}
