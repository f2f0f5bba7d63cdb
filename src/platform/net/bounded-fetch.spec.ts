import { afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '../stripe/stripe-client.js';
import { boundedFetch, ResponseTooLarge } from './bounded-fetch.js';

const MAX_BYTES = 1_000;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Resolves when the client has closed its connection. */
const endless = () => {
  let left = () => {};
  const closed = new Promise<void>((resolve) => (left = resolve));
  const listener: RequestListener = (_request, response) => {
    response.on('close', left).writeHead(200, { 'Content-Type': 'application/json' });
    const pour = () => {
      while (!response.destroyed && response.write(' '.repeat(10_000)));
    };
    response.on('drain', pour);
    pour();
  };
  return { listener, closed };
};

it('a response up to the limit is returned whole, with its status and headers', async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(418, { 'X-One': 'two' }).end('x'.repeat(MAX_BYTES)),
  );
  const response = await boundedFetch(MAX_BYTES)(url);
  expect([response.status, response.headers.get('x-one')]).toEqual([418, 'two']);
  expect(await response.text()).toHaveLength(MAX_BYTES);
});

it('of a response without end no more than the limit is read, and its connection is closed', async () => {
  const { listener, closed } = endless();
  const { url } = await serve(listener);
  await expect(boundedFetch(MAX_BYTES)(url)).rejects.toThrow(ResponseTooLarge);
  await closed;
});

it('a redirect is not followed', async () => {
  const paths: string[] = [];
  const { url } = await serve((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(307, { Location: '/elsewhere' }).end();
  });
  expect((await boundedFetch(MAX_BYTES)(`${url}/here`)).status).toBe(307);
  expect(paths).toEqual(['/here']);
});

it('the client of Stripe reads no response without end', async () => {
  const { listener, closed } = endless();
  const { url } = await serve(listener);
  const stripe = connect({ secretKey: 'sk_test_1', apiBase: url }, { timeout: 20_000, maxNetworkRetries: 0 });
  await expect(stripe.customers.retrieve('cus_1')).rejects.toThrow();
  await closed;
});
