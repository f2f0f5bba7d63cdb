import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createHttpServer, TIMEOUTS } from './node-server.js';
import { problemOf } from './problem.filter.js';

const QUICK = {
  ...TIMEOUTS,
  headersTimeout: 300,
  connectionsCheckingInterval: 50,
  lingerTimeout: 300,
  restOfBodyTimeout: 300,
};

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

async function serve(answer: RequestListener): Promise<void> {
  server = createHttpServer(answer, (error) => problemOf(error, 'http://localhost'), QUICK);
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
