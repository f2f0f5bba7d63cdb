import { request, type ClientRequestArgs } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import type { Dialler } from './dialler.js';
import type { AddressPolicy } from './address-policy.js';
import { addressesWithoutDns, bareHost, type HostAddresses } from './host-addresses.js';

/** Why there was no answer. */
export type FetchFault = 'dns' | 'address_not_allowed' | 'connection' | 'tls' | 'protocol' | 'timeout';

export class FetchFailure extends Error {
  constructor(readonly fault: FetchFault) {
    super(`no answer: ${fault}`);
  }
}

/** How somebody answered. */
export interface Reply {
  statusCode: number;
  /** As it was sent; null: it was not. */
  retryAfter: string | null;
  /** The first bytes, at most as many as were wanted. */
  body: Buffer;
}

export interface SafeFetchOptions {
  egress: AddressPolicy;
  hosts: HostAddresses;
  dialler: Dialler;
  /** Certificates to trust beside none but these; left out: those that Node trusts. */
  ca?: string;
}

/** Addresses of one name that are tried, and how long each may take. */
const MOST_ADDRESSES = 3;
const DIAL_TIMEOUT_MS = 5_000;

/**
 * Posts to URLs that strangers have chosen.
 *
 * The name is resolved for every request, every address that it has is held against the egress
 * filter, and the connection goes to one of those very addresses: between the look and the dial
 * there is nothing that a name server could change. A name with one address that may not be dialled
 * is not dialled at all. No proxy, no redirect, no connection that is kept, no cookie.
 */
export class SafeFetch {
  constructor(private readonly options: SafeFetchOptions) {}

  /**
   * @param most bytes of the answer that are read; then the connection is cut.
   * @param timeoutMs for all of it. An answer whose status has come in by then is one, however slow its body.
   * @throws FetchFailure
   */
  async post(
    url: URL,
    headers: Record<string, string>,
    body: string,
    most: number,
    timeoutMs: number,
  ): Promise<Reply> {
    const signal = AbortSignal.timeout(timeoutMs);
    const host = bareHost(url.hostname);
    const isSecure = url.protocol === 'https:';
    const socket = await this.dial(host, Number(url.port) || (isSecure ? 443 : 80), signal);
    try {
      const stream = isSecure ? await secured(socket, host, this.options.ca, signal) : socket;
      return await exchange(stream, url, headers, body, most, signal);
    } finally {
      socket.destroy();
    }
  }

  private async dial(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    for (const ip of (await this.addresses(host, signal)).slice(0, MOST_ADDRESSES)) {
      const socket = await this.options.dialler.dial(ip, port, DIAL_TIMEOUT_MS, signal).catch(() => null);
      if (socket !== null) return socket;
      if (signal.aborted) throw new FetchFailure('timeout');
    }
    throw new FetchFailure('connection');
  }

  private async addresses(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const { egress, hosts } = this.options;
    const known = addressesWithoutDns(host);
    // Of the two addresses that this machine has, an operator may have opened one.
    const found = known?.filter((ip) => egress.allows(ip)) ?? (await hosts.resolve(host, signal));
    if (signal.aborted) throw new FetchFailure('timeout');
    if (known === null && found.length === 0) throw new FetchFailure('dns');
    if (found.length === 0 || !found.every((ip) => egress.allows(ip)))
      throw new FetchFailure('address_not_allowed');
    return found;
  }
}

/** A certificate that is not good for this host ends the handshake: nothing was sent then. */
function secured(socket: Socket, host: string, ca: string | undefined, signal: AbortSignal): Promise<Socket> {
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

function exchange(
  stream: Socket,
  url: URL,
  headers: Record<string, string>,
  body: string,
  most: number,
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const args: ClientRequestArgs = {
      method: 'POST',
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, 'content-length': length, connection: 'close' },
      createConnection: () => stream,
      signal,
    };
    let isAnswered = false;
    const sent = request(args, (response) => {
      isAnswered = true;
      const pieces: Buffer[] = [];
      let size = 0;
      const answer = () =>
        resolve({
          statusCode: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? null,
          body: Buffer.concat(pieces).subarray(0, most),
        });
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size >= most) sent.destroy();
      });
      // The end, the limit, the time-out, or a cut: what counts is the status, which is there.
      response.on('error', () => undefined);
      response.once('close', answer);
    });
    const fail = ({ code = '' }: NodeJS.ErrnoException) => {
      if (isAnswered) return;
      if (signal.aborted) return reject(new FetchFailure('timeout'));
      reject(new FetchFailure(code.startsWith('HPE_') ? 'protocol' : 'connection'));
    };
    sent.on('error', fail);
    // Closed without an answer, as after a switch of protocols.
    sent.once('close', () => fail(new Error('closed')));
    sent.end(body);
  });
}
