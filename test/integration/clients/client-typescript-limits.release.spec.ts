import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as errors from '../../../clients/typescript/src/errors.js';
import { Rcpt } from '../../../clients/typescript/src/rcpt.js';
import { json, Transport, type TransportOptions } from '../../../clients/typescript/src/transport.js';
import {
  answering,
  silent,
  WebhookReceiver,
  type Behaviour,
} from '../../support/webhooks/webhook-receiver.js';

const KEY = 'rcpt_live_0123456789abcdefghijklmnopqrstuvwxyz';
const QUOTA = { status: 429, detail: 'why', code: 'daily_quota_exceeded', request_id: 'r1' };

let server: WebhookReceiver;
let waits: number[];
beforeAll(async () => {
  server = await WebhookReceiver.start();
});
beforeEach(() => {
  waits = [];
  server.received.length = 0;
});
afterAll(() => server.stop());

/** A transport that records how long it would wait. */
const transport = (options: Partial<TransportOptions> = {}) =>
  new Transport({
    baseUrl: `http://127.0.0.1:${server.port}`,
    apiKey: KEY,
    timeoutMs: 5_000,
    maxRetries: 3,
    maxRetryAfter: 60,
    fetch,
    pause: async (ms) => void waits.push(ms),
    ...options,
  });
const script = (behaviour: Behaviour) => void (server.behave = behaviour);
const post = (client = transport()) =>
  client.call({ method: 'POST', path: '/v1/verify', body: json({ email: 'a@example.com' }) });
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: Error) => error,
  );

describe('the time-out of the caller', () => {
  const client = (timeoutMs: number) =>
    new Rcpt({ apiKey: KEY, baseUrl: `http://127.0.0.1:${server.port}`, timeoutMs, maxRetries: 0 });

  it.each<[string, Behaviour]>([
    ['is silent', silent],
    [
      'drips',
      (response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.writeHead(200).on('close', () => clearInterval(timer));
      },
    ],
  ])('ends a verification whose response %s', async (_, behaviour) => {
    script(behaviour);
    const error = await failureOf(client(300).verify('a@example.com', { timeout: 10 }));
    expect(error).toBeInstanceOf(errors.ApiTimeoutError);
    expect(error.message).toContain('within 300 ms');
  });

  it('is the longest time that it waits after 429', async () => {
    script(answering(429, { 'retry-after': '50' }, JSON.stringify(QUOTA)));
    expect(await failureOf(post())).toBeInstanceOf(errors.QuotaExceededError);
    expect([server.received.length, waits]).toEqual([1, []]);
    expect(await failureOf(post(transport({ timeoutMs: 55_000 })))).toBeInstanceOf(errors.QuotaExceededError);
    expect(waits).toEqual([50_000, 50_000, 50_000]);
  });
});

it('a response without end is an error, and is not repeated', async () => {
  const piece = Buffer.alloc(1_000_000, ' ');
  script((response) => {
    const write = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', write).writeHead(200);
    write();
  });
  const error = await failureOf(post(transport({ timeoutMs: 60_000 })));
  expect([error.name, error.message]).toEqual(['RcptError', expect.stringContaining('longer than 100 MB')]);
  expect(server.received).toHaveLength(1);
});

it.each(['@127.0.0.1:9/steal', '0/steal', '', 'v1/usage', '/v1/bulk-jobs/../usage', '/v1/%2E%2e'])(
  'the path %p, which could name another server or route, is refused',
  async (path) => {
    script(answering(200, {}, '{}'));
    expect(await failureOf(transport().call({ method: 'GET', path }))).toMatchObject({
      ...{ name: 'RcptError', message: expect.stringMatching(/^A path /) },
    });
    const rcpt = new Rcpt({ apiKey: KEY, baseUrl: `http://127.0.0.1:${server.port}` });
    await expect(rcpt.bulk.get('..')).rejects.toThrow('no segments');
    expect(server.received).toEqual([]);
  },
);
