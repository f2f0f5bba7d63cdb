import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createHttpServer, TIMEOUTS, type HttpTimeouts } from './node-server.js';
import { problemOf } from './problems/problem.filter.js';
import { MAX_WAITING_REQUESTS } from './request-queue.js';

const QUICK = {
  ...TIMEOUTS,
  headersTimeout: 300,
  connectionsCheckingInterval: 50,
  lingerTimeout: 300,
  restOfBodyTimeout: 1_000,
};
const STALLED_MS = 300;

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

async function serve(answer: RequestListener, timeouts: HttpTimeouts = QUICK): Promise<void> {
  server = createHttpServer(answer, (error) => problemOf(error, 'http://localhost'), timeouts);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** A client that never closes the connection. */
async function connectHalfOpen(): Promise<{ client: Socket; socket: Socket; text: () => string }> {
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(client);
  client.on('error', () => undefined);
  let text = '';
  client.on('data', (chunk) => (text += String(chunk)));
  const [socket] = await connection;
  return { client, socket, text: () => text };
}

const statusIn = (text: string) => Number(text.split(' ')[1]);
const rejectAll: RequestListener = (_, response) => response.writeHead(401).end();

describe('a connection that the client does not close', () => {
  it.each([
    ['invalid HTTP', 'GARBAGE\r\n\r\n', 400],
    ['too large headers', `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(30_000)}`, 431],
    ['a too long target', `GET /${'a'.repeat(30_000)}`, 414],
    ['incomplete headers', 'GET / HTTP/1.1\r\nX-A: b', 408],
    ['an incomplete request line', 'GET', 408],
  ])('gets an error response and is destroyed after %s', async (_, bytes, status) => {
    await serve(rejectAll);
    const { client, socket, text } = await connectHalfOpen();
    client.write(bytes);
    await once(socket, 'close');
    if (!client.readableEnded) await once(client, 'end');
    expect(statusIn(text())).toBe(status);
    expect(text()).toContain('Connection: close');
  });

  it('is destroyed after an error response even if the client keeps sending', async () => {
    await serve(rejectAll);
    const { client, socket } = await connectHalfOpen();
    const closed = once(socket, 'close');
    client.write('GARBAGE\r\n\r\n');
    const sending = setInterval(() => client.write('more'), 20);
    await closed;
    clearInterval(sending);
  });

  it('is closed without a response if nothing was sent', async () => {
    await serve(rejectAll);
    const { socket, client, text } = await connectHalfOpen();
    await once(socket, 'close');
    if (!client.readableEnded) await once(client, 'end');
    expect(text()).toBe('');
  });

  it('is destroyed if the rest of the body does not arrive after the response', async () => {
    await serve(rejectAll);
    const { client, socket, text } = await connectHalfOpen();
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
    await once(socket, 'close');
    expect(statusIn(text())).toBe(401);
  });

  it('stays open if the rest of the body arrives in time', async () => {
    await serve(rejectAll);
    const { client, socket, text } = await connectHalfOpen();
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{');
    await once(client, 'data');
    client.write('}');
    await new Promise((next) => setTimeout(next, 2 * QUICK.restOfBodyTimeout));
    expect(socket.destroyed).toBe(false);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
    expect(text().match(/HTTP\/1\.1 401/g)).toHaveLength(2);
  });
});

it('destroys the connection on a parse error after the response has started', async () => {
  await serve((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Length': '100' }).write('so far');
  });
  const { client, socket, text } = await connectHalfOpen();
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  await once(client, 'data');
  client.write('zz\r\n');
  await once(socket, 'close');
  expect(text()).toMatch(/so far$/);
});

describe('pipelined requests', () => {
  const gets = (count: number) =>
    Array.from({ length: count }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

  it('are handled one after the other, and answered in order', async () => {
    let [running, most] = [0, 0];
    await serve((request, response) => {
      most = Math.max(most, ++running);
      response.once('finish', () => running--);
      setImmediate(() => response.end(`[${request.url}]`));
    });
    const { client, text } = await connectHalfOpen();
    const count = MAX_WAITING_REQUESTS + 1;
    client.write(gets(count));
    while (!text().includes(`[/${count - 1}]`)) await once(client, 'data');
    const targets = [...text().matchAll(/\[\/(\d+)\]/g)].map(([, at]) => Number(at));
    expect(targets).toEqual(Array.from({ length: count }, (_, at) => at));
    expect(most).toBe(1);
  });

  it('of a packet of 64 kB cause one response in memory, and the connection is destroyed', async () => {
    let handled = 0;
    await serve((_, response) => {
      handled++;
      response.end(Buffer.alloc(1_000_000));
    });
    const { client, socket } = await connectHalfOpen();
    client.pause();
    client.write(gets(2_000));
    await once(socket, 'close');
    expect(handled).toBe(1);
  });

  it('after one that closes the connection are not handled', async () => {
    const handled: string[] = [];
    await serve((request, response) => {
      handled.push(request.url ?? '');
      response.writeHead(200, { Connection: 'close' }).end();
    });
    const { client, socket } = await connectHalfOpen();
    client.write(gets(3));
    await once(socket, 'close');
    expect(handled).toEqual(['/0']);
  });
});

describe('a client that reads nothing of a response', () => {
  /** More than the socket buffers of both sides. */
  const LARGE = Buffer.alloc(30_000_000);

  it('is disconnected after the stall timeout', async () => {
    await serve((_, response) => response.end(LARGE), { ...QUICK, stalledTimeout: STALLED_MS });
    const { client, socket } = await connectHalfOpen();
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'close');
    expect(socket.writableFinished).toBe(false);
  });

  it('is not disconnected while the server still makes the response', async () => {
    let answer = () => {};
    await serve((_, response) => void (answer = () => response.end('late')), {
      ...QUICK,
      stalledTimeout: STALLED_MS,
    });
    const { client, socket, text } = await connectHalfOpen();
    const timeout = once(server, 'timeout');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await timeout;
    answer();
    await once(client, 'data');
    expect([text().endsWith('late'), socket.destroyed]).toEqual([true, false]);
  });
});
