import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Pause } from '../../kernel/service-state/pause.js';
import { selfSigned } from '../../../test/support/tls/self-signed.js';
import { DirectDialler } from './dialler.js';
import { AddressPolicy } from './address-policy.js';
import { HostAddresses } from './host-addresses.js';
import { FetchFailure, SafeFetch, type Reply } from './safe-fetch.js';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const MAX_BYTES = 20_000;

let certificate: { key: string; cert: string };
const opened: { server: Server; sockets: Set<Socket> }[] = [];

beforeAll(async () => {
  certificate = await selfSigned('localhost');
});
afterEach(async () => {
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a server that calls `respond` at the first bytes of each connection. @returns its port. */
async function startServer(respond: (socket: Socket) => void, secure = false): Promise<number> {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => respond(socket));
  };
  const server = secure ? createTlsServer(certificate, onConnection) : createServer(onConnection);
  // Also track sockets whose TLS handshake fails.
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  opened.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function aFetch(ca?: string, allowed = ['127.0.0.0/8']): SafeFetch {
  return new SafeFetch({
    policy: new AddressPolicy(allowed),
    hosts: new HostAddresses(['127.0.0.1:9'], 100),
    dialler: new DirectDialler(),
    pause: new Pause(),
    ...(ca !== undefined && { ca }),
  });
}

function post(url: string, timeoutMs = 10_000, ca?: string): Promise<Reply> {
  return aFetch(ca).post(new URL(url), { 'x-one': '1' }, '{"a":"é"}', MAX_BYTES, timeoutMs);
}

const failureOf = (posted: Promise<Reply>) =>
  posted.then(
    ({ statusCode }) => `status ${statusCode}`,
    (error: unknown) => (error instanceof FetchFailure ? error.kind : error),
  );

describe('a request', () => {
  it('may be a GET without a body, whose response is read no further than allowed', async () => {
    let received = '';
    const port = await startServer((socket) => socket.write(`${HEAD}\r\n${'x'.repeat(1_000_000)}`));
    opened[0]?.server.on('connection', (socket) => socket.on('data', (bytes) => (received += String(bytes))));
    const { body } = await aFetch().get(new URL(`http://localhost:${port}/a?b`), 100, 10_000);
    expect(body).toHaveLength(100);
    const lines = ['GET /a?b HTTP/1.1', `host: localhost:${port}`, 'connection: close', '', ''];
    expect(received.split('\r\n').map((line) => line.replace(/^\w+:/, (name) => name.toLowerCase()))).toEqual(
      lines,
    );
    const refused = aFetch(undefined, []).get(new URL(`http://localhost:${port}/`), 100, 10_000);
    expect(await failureOf(refused)).toBe('address_not_allowed');
  });

  it('is one POST on a new connection to the host of the URL', async () => {
    let received = '';
    const port = await startServer((socket) => {
      socket.end(`${HEAD}content-length: 2\r\nretry-after: 7\r\n\r\nok`);
    });
    opened[0]?.server.on('connection', (socket) => socket.on('data', (bytes) => (received += String(bytes))));
    const reply = await post(`http://localhost:${port}/a/b?c=d`);
    expect([reply.statusCode, reply.retryAfter, reply.body.toString()]).toEqual([200, '7', 'ok']);
    expect(received.split('\r\n')).toEqual([
      'POST /a/b?c=d HTTP/1.1',
      `host: localhost:${port}`,
      'x-one: 1',
      'content-length: 10',
      'connection: close',
      '',
      '{"a":"é"}',
    ]);
  });

  it('requires a certificate that is valid for the host', async () => {
    const answer = (socket: Socket) => void socket.end(`${HEAD}content-length: 0\r\n\r\n`);
    const port = await startServer(answer, true);
    expect(await failureOf(post(`https://localhost:${port}/`, 10_000, certificate.cert))).toBe('status 200');
    expect(await failureOf(post(`https://localhost:${port}/`))).toBe('tls');
    expect(await failureOf(post(`https://127.0.0.1:${port}/`, 10_000, certificate.cert))).toBe('tls');
    const plain = await startServer(answer);
    expect(await failureOf(post(`https://localhost:${plain}/`, 10_000, certificate.cert))).toBe('tls');
  });
});

describe('a response', () => {
  it('is read up to the limit', async () => {
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => (onClose = resolve));
    const port = await startServer((socket) => {
      socket.write(`${HEAD}\r\n`);
      const piece = Buffer.alloc(65_536, 'x');
      const send = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', send).on('close', () => onClose());
      send();
    });
    const reply = await post(`http://localhost:${port}/`);
    expect([reply.statusCode, reply.body.length]).toEqual([200, MAX_BYTES]);
    await closed;
  });

  it.each<[string, string, string]>([
    ['with an incomplete body', `${HEAD}content-length: 100\r\n\r\nhalf`, 'status 200'],
    [
      'with an interim response before the final one',
      'HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
      'status 204',
    ],
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'protocol'],
    ['with endless headers', `${HEAD}${'x: y\r\n'.repeat(20_000)}`, 'protocol'],
    [
      'that switches protocols (101)',
      'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
      'connection',
    ],
    ['that is empty', '', 'connection'],
  ])('%s', async (_, answer, expected) => {
    const port = await startServer((socket) => void socket.end(answer));
    expect(await failureOf(post(`http://localhost:${port}/`))).toBe(expected);
  });

  it('counts as a timeout without headers in time; a slow body is cut at the timeout', async () => {
    const silent = await startServer(() => undefined);
    expect(await failureOf(post(`http://localhost:${silent}/`, 200))).toBe('timeout');
    const partial = await startServer((socket) => void socket.write(HEAD));
    expect(await failureOf(post(`http://localhost:${partial}/`, 200))).toBe('timeout');
    const slow = await startServer((socket) => void socket.write(`${HEAD}content-length: 9\r\n\r\nslow`));
    expect((await post(`http://localhost:${slow}/`, 1_000)).body.toString()).toBe('slow');
    const mute = await startServer(() => undefined);
    expect(await failureOf(post(`https://localhost:${mute}/`, 200))).toBe('timeout');
  });

  it('fails with `connection` if no server listens', async () => {
    const port = await startServer(() => undefined);
    const [last] = opened.splice(0);
    last?.server.close();
    expect(await failureOf(post(`http://localhost:${port}/`))).toBe('connection');
  });
});
