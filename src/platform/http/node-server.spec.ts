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

/** One that never ends the connection: what the server leaves open stays open. */
async function aStubbornClient(): Promise<{ client: Socket; socket: Socket; text: () => string }> {
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
const refuseAll: RequestListener = (_, response) => response.writeHead(401).end();

describe('a connection whose client holds it open', () => {
  it.each([
    ['what is no HTTP', 'GARBAGE\r\n\r\n', 400],
    ['a header block without end', `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(30_000)}`, 431],
    ['a target without end', `GET /${'a'.repeat(30_000)}`, 414],
    ['headers that were half sent', 'GET / HTTP/1.1\r\nX-A: b', 408],
    ['a request line that was half sent', 'GET', 408],
  ])('is answered and destroyed after %s', async (_, bytes, status) => {
    await serve(refuseAll);
    const { client, socket, text } = await aStubbornClient();
    client.write(bytes);
    await once(socket, 'close');
    if (!client.readableEnded) await once(client, 'end');
    expect(statusIn(text())).toBe(status);
    expect(text()).toContain('Connection: close');
  });

  it('is destroyed after a refusal, also while its client goes on sending', async () => {
    await serve(refuseAll);
    const { client, socket } = await aStubbornClient();
    const closed = once(socket, 'close');
    client.write('GARBAGE\r\n\r\n');
    const sending = setInterval(() => client.write('more'), 20);
    await closed;
    clearInterval(sending);
  });

  it('is closed without a word when nothing was ever sent on it', async () => {
    await serve(refuseAll);
    const { socket, client, text } = await aStubbornClient();
    await once(socket, 'close');
    if (!client.readableEnded) await once(client, 'end');
    expect(text()).toBe('');
  });

  it('is destroyed when the rest of an answered request’s body does not come', async () => {
    await serve(refuseAll);
    const { client, socket, text } = await aStubbornClient();
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
    await once(socket, 'close');
    expect(statusIn(text())).toBe(401);
  });

  it('is kept when the rest of the body comes in time', async () => {
    await serve(refuseAll);
    const { client, socket, text } = await aStubbornClient();
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

it('breaks off instead of putting a problem into the middle of an answer', async () => {
  await serve((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Length': '100' }).write('so far');
  });
  const { client, socket, text } = await aStubbornClient();
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  await once(client, 'data');
  client.write('zz\r\n');
  await once(socket, 'close');
  expect(text()).toMatch(/so far$/);
});
