import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';
import { DirectDialler } from './dialler.js';
import { AddressPolicy } from './address-policy.js';
import { HostAddresses } from './host-addresses.js';
import { FetchFailure, SafeFetch, type Reply } from './safe-fetch.js';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const MOST = 20_000;

let certificate: { key: string; cert: string };
const opened: { server: Server; sockets: Set<Socket> }[] = [];

beforeAll(async () => {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  certificate = { key: made.private, cert: made.cert };
});
afterEach(async () => {
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

/** Somebody who answers the first bytes with this. */
async function aServer(speak: (socket: Socket) => void, secure = false): Promise<number> {
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => speak(socket));
  };
  const server = secure ? createTlsServer(certificate, take) : createServer(take);
  // A handshake that fails has a socket too.
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  opened.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function post(url: string, timeoutMs = 10_000, ca?: string): Promise<Reply> {
  const net = new SafeFetch({
    egress: new AddressPolicy(['127.0.0.0/8']),
    hosts: new HostAddresses(['127.0.0.1:9'], 100),
    dialler: new DirectDialler(),
    ...(ca !== undefined && { ca }),
  });
  return net.post(new URL(url), { 'x-one': '1' }, '{"a":"é"}', MOST, timeoutMs);
}

const faultOf = (posted: Promise<Reply>) =>
  posted.then(
    ({ statusCode }) => `answered ${statusCode}`,
    (error: unknown) => (error instanceof FetchFailure ? error.fault : error),
  );

describe('what is sent', () => {
  it('is one POST over a connection of its own, to the host that the URL names', async () => {
    let heard = '';
    const port = await aServer((socket) => {
      socket.end(`${HEAD}content-length: 2\r\nretry-after: 7\r\n\r\nok`);
    });
    opened[0]?.server.on('connection', (socket) => socket.on('data', (bytes) => (heard += String(bytes))));
    const reply = await post(`http://localhost:${port}/a/b?c=d`);
    expect([reply.statusCode, reply.retryAfter, reply.body.toString()]).toEqual([200, '7', 'ok']);
    expect(heard.split('\r\n')).toEqual([
      'POST /a/b?c=d HTTP/1.1',
      `host: localhost:${port}`,
      'x-one: 1',
      'content-length: 10',
      'connection: close',
      '',
      '{"a":"é"}',
    ]);
  });

  it('goes over TLS only to a certificate that is good for the name', async () => {
    const answer = (socket: Socket) => void socket.end(`${HEAD}content-length: 0\r\n\r\n`);
    const port = await aServer(answer, true);
    expect(await faultOf(post(`https://localhost:${port}/`, 10_000, certificate.cert))).toBe('answered 200');
    expect(await faultOf(post(`https://localhost:${port}/`))).toBe('tls');
    expect(await faultOf(post(`https://127.0.0.1:${port}/`, 10_000, certificate.cert))).toBe('tls');
    const plain = await aServer(answer);
    expect(await faultOf(post(`https://localhost:${plain}/`, 10_000, certificate.cert))).toBe('tls');
  });
});

describe('an answer', () => {
  it('is read up to its limit, however much is sent', async () => {
    let tell = () => {};
    const cut = new Promise<void>((resolve) => (tell = resolve));
    const port = await aServer((socket) => {
      socket.write(`${HEAD}\r\n`);
      const piece = Buffer.alloc(65_536, 'x');
      const pour = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', pour).on('close', () => tell());
      pour();
    });
    const reply = await post(`http://localhost:${port}/`);
    expect([reply.statusCode, reply.body.length]).toEqual([200, MOST]);
    await cut;
  });

  it.each<[string, string, string]>([
    ['whose body stops before its end', `${HEAD}content-length: 100\r\n\r\nhalf`, 'answered 200'],
    [
      'that only says to wait, and then that it is done',
      'HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
      'answered 204',
    ],
    ['that is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'protocol'],
    ['with endless headers', `${HEAD}${'x: y\r\n'.repeat(20_000)}`, 'protocol'],
    [
      'that switches protocols',
      'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
      'connection',
    ],
    ['that is none', '', 'connection'],
  ])('%s', async (_, answer, expected) => {
    const port = await aServer((socket) => void socket.end(answer));
    expect(await faultOf(post(`http://localhost:${port}/`))).toBe(expected);
  });

  it('that does not come in time is none; one whose status has come is one', async () => {
    const silent = await aServer(() => undefined);
    expect(await faultOf(post(`http://localhost:${silent}/`, 200))).toBe('timeout');
    const halfway = await aServer((socket) => void socket.write(HEAD));
    expect(await faultOf(post(`http://localhost:${halfway}/`, 200))).toBe('timeout');
    const slow = await aServer((socket) => void socket.write(`${HEAD}content-length: 9\r\n\r\nslow`));
    expect((await post(`http://localhost:${slow}/`, 1_000)).body.toString()).toBe('slow');
    const mute = await aServer(() => undefined);
    expect(await faultOf(post(`https://localhost:${mute}/`, 200))).toBe('timeout');
  });

  it('does not come from where nobody listens', async () => {
    const port = await aServer(() => undefined);
    const [last] = opened.splice(0);
    last?.server.close();
    expect(await faultOf(post(`http://localhost:${port}/`))).toBe('connection');
  });
});
