import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import * as errors from '../../../clients/typescript/src/errors.js';
import type { ListSource } from '../../../clients/typescript/src/list-body.js';
import { Rcpt } from '../../../clients/typescript/src/rcpt.js';
import { json, Transport, type TransportOptions } from '../../../clients/typescript/src/transport.js';
import {
  answering,
  silent,
  WebhookReceiver,
  type Behaviour,
} from '../../support/webhooks/webhook-receiver.js';

const KEY = 'rcpt_live_0123456789abcdefghijklmnopqrstuvwxyz';
const SUCCESS = answering(200, {}, '{"ok":true}');
const reset: Behaviour = (response) => void response.destroy();
const problem = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) =>
  answering(
    status,
    headers,
    JSON.stringify({ type: 'x', title: 'x', status, detail: 'why', code, request_id: 'r1', ...more }),
  );

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

/** A client that records how long it would wait. */
function transport(options: Partial<TransportOptions> = {}): Transport {
  return new Transport({
    baseUrl: `http://127.0.0.1:${server.port}`,
    apiKey: KEY,
    timeoutMs: 5_000,
    maxRetries: 3,
    maxRetryAfter: 60,
    fetch,
    pause: async (ms) => void waits.push(ms),
    ...options,
  });
}

/** The answers of the server, in turn; the last one again and again. */
function script(...behaviours: Behaviour[]): void {
  const left = [...behaviours];
  server.behave = (...exchange) => (left.length > 1 ? left.shift()! : left[0]!)(...exchange);
}

const post = (client = transport(), more: object = {}) =>
  client.call({ method: 'POST', path: '/v1/verify', body: json({ email: 'a@example.com' }), ...more });
const failureOf = (promise: Promise<unknown>): Promise<errors.ApiError> =>
  promise.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: errors.ApiError) => error,
  );
const keysSent = () => server.received.map(({ headers }) => headers['idempotency-key']);

describe('a request is repeated', () => {
  it.each<[string, Behaviour]>([
    ['a reset of the connection', reset],
    ['500', problem(500, 'internal_error')],
    ['502 of a proxy', answering(502, {}, '<html>')],
    ['503 with Retry-After', problem(503, 'unavailable', { 'retry-after': '0' })],
    ['409 idempotency_in_progress', problem(409, 'idempotency_in_progress', { 'retry-after': '0' })],
  ])('after %s, with the same idempotency key', async (_, failure) => {
    script(failure, failure, SUCCESS);
    expect(await post()).toEqual({ ok: true });
    const [first, ...others] = keysSent();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([first, first]);
    expect(server.received.map(({ body }) => body)).toEqual(Array(3).fill('{"email":"a@example.com"}'));
  });

  it('after a time-out of one attempt', async () => {
    script(silent, SUCCESS);
    expect(await post(transport({ timeoutMs: 1_000 }))).toEqual({ ok: true });
    expect(new Set(keysSent()).size).toBe(1);
  });

  it('after Retry-After in seconds or as a date, and else after growing delays', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    script(
      problem(429, 'rate_limited', { 'retry-after': '7' }),
      answering(429, { 'retry-after': date }),
      problem(500, 'internal_error'),
      SUCCESS,
    );
    await post(transport({ timeoutMs: 40_000 }));
    expect(waits[0]).toBe(7_000);
    expect(waits[1]).toBeGreaterThan(20_000);
    expect(waits[1]).toBeLessThanOrEqual(30_000);
    expect(waits[2]).toBeGreaterThanOrEqual(1_000);
    expect(waits[2]).toBeLessThanOrEqual(2_000);
  });

  it('at most maxRetries times, then throws the last error', async () => {
    script(problem(503, 'queue_full', { 'retry-after': '1' }));
    const error = await failureOf(post(transport({ maxRetries: 2 })));
    expect(error).toBeInstanceOf(errors.ServiceUnavailableError);
    expect([error.code, server.received.length]).toEqual(['queue_full', 3]);
  });

  it('with another idempotency key than the next request, or with that of the caller', async () => {
    script(SUCCESS);
    await post();
    await post();
    await post(transport(), { idempotencyKey: 'mine' });
    expect(new Set(keysSent()).size).toBe(3);
    expect(keysSent()[2]).toBe('mine');
  });

  it('never longer than the signal of the caller allows', async () => {
    const stop = new AbortController();
    server.behave = () => stop.abort(new Error('enough'));
    expect(await failureOf(post(transport(), { signal: stop.signal }))).toMatchObject({ message: 'enough' });
    expect(server.received).toHaveLength(1);
  });
});

describe('a request is sent once', () => {
  it.each<[string, Behaviour, string]>([
    ['400', problem(400, 'invalid_request'), 'InvalidRequestError'],
    ['401', problem(401, 'invalid_credential'), 'AuthenticationError'],
    ['402', problem(402, 'upgrade_required'), 'UpgradeRequiredError'],
    ['403', problem(403, 'role_required'), 'PermissionDeniedError'],
    ['404', problem(404, 'not_found'), 'NotFoundError'],
    ['409', problem(409, 'limit_reached'), 'ConflictError'],
    ['413', problem(413, 'bulk_too_large'), 'PayloadTooLargeError'],
    [
      '429 for the rest of the day',
      problem(429, 'daily_quota_exceeded', { 'retry-after': '9999' }),
      'QuotaExceededError',
    ],
    ['503 without Retry-After', problem(503, 'billing_unconfigured'), 'ServiceUnavailableError'],
    ['a redirect', answering(302, { location: 'http://127.0.0.1:9/' }), 'UnexpectedResponseError'],
    ['a success that is no JSON', answering(200, {}, '<html>'), 'UnexpectedResponseError'],
    ['an error of another server', answering(404, {}, '{"message":"no"}'), 'UnexpectedResponseError'],
  ])('after %s', async (_, failure, name) => {
    script(failure);
    expect(await failureOf(post())).toMatchObject({ name });
    expect(server.received).toHaveLength(1);
  });
});

it('a list is sent while it is read, and no longer when the service has refused it', async () => {
  const early = createServer((request, response) => {
    request.once('data', () => problem(413, 'bulk_too_large')(response, { path: '', headers: {}, body: '' }));
    request.resume().on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(early, 'listening');
  const baseUrl = `http://127.0.0.1:${(early.address() as AddressInfo).port}`;
  let close: () => void;
  const closed = new Promise<void>((resolve) => (close = resolve));
  function* endless() {
    try {
      for (let n = 0; ; n++) yield `a${n}@example.com`;
    } finally {
      close();
    }
  }
  const error = await failureOf(new Rcpt({ apiKey: KEY, baseUrl }).bulk.submit(endless()));
  expect(error).toBeInstanceOf(errors.PayloadTooLargeError);
  await closed;
  early.close().closeAllConnections();
});

it.each<[string, () => ListSource, number]>([
  ['an array', () => ['a@example.com'], 2],
  ['a function that opens a stream', () => () => Readable.from(['a@example.com']), 2],
  ['a generator', () => ['a@example.com'].values(), 1],
  ['a stream', () => Readable.from(['a@example.com']), 1],
])('%s is sent again after an error only if it can be read again', async (_, list, times) => {
  script(reset, SUCCESS);
  const client = new Rcpt({ apiKey: KEY, baseUrl: `http://127.0.0.1:${server.port}` });
  await client.bulk.submit(list()).catch(() => undefined);
  expect(server.received.map(({ body }) => body)).toEqual(Array(times).fill('"a@example.com"\n'));
});

describe('an error', () => {
  it('has the code, the request id, the invalid members and the members of the problem', async () => {
    const found = [{ pointer: '/email', code: 'required', message: 'Send one.' }];
    script(problem(400, 'invalid_request', {}, { errors: found }));
    expect(await failureOf(post())).toMatchObject({
      status: 400,
      code: 'invalid_request',
      requestId: 'r1',
      errors: found,
    });
    script(problem(402, 'upgrade_required', {}, { tier: 'free', required_tier: 'starter', feature: 'bulk' }));
    expect(await failureOf(post())).toMatchObject({ tier: 'free', requiredTier: 'starter', feature: 'bulk' });
  });

  it('names the server and what failed below HTTP', async () => {
    script(reset);
    expect(String(await failureOf(post()))).toBe(
      `ApiConnectionError: The request to http://127.0.0.1:${server.port} failed: UND_ERR_SOCKET.`,
    );
    script(silent);
    expect(String(await failureOf(post(transport({ timeoutMs: 50 }))))).toBe(
      `ApiTimeoutError: There was no response of http://127.0.0.1:${server.port} within 50 ms.`,
    );
  });

  it('never contains the key, and neither does the text of a client', async () => {
    const rcpt = new Rcpt({ apiKey: KEY, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const texts = [await failureOf(rcpt.verify('a@example.com')), rcpt, transport()].map(
      (error) => inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error),
    );
    for (const apiKey of [`${KEY}\u0100`, `${KEY}\n${KEY}`, `Bearer ${KEY}`])
      expect(() => new Rcpt({ apiKey, baseUrl: 'http://127.0.0.1:9' })).toThrow('characters that no key has');
    expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
  });

  it('of the constructor names what is missing', () => {
    expect(() => new Rcpt({ baseUrl: 'http://127.0.0.1' })).toThrow('RCPT_API_KEY');
    expect(() => new Rcpt({ apiKey: KEY })).toThrow('RCPT_URL');
    expect(() => new Rcpt({ apiKey: KEY, baseUrl: 'http://me:secret@host' })).toThrow(/no user\.$/);
    for (const path of ['/v1', '/v1/', '/console/lists', '/docs'])
      expect(() => new Rcpt({ apiKey: KEY, baseUrl: `https://rcpt.example/behind${path}` })).toThrow(
        ': write https://rcpt.example/behind.',
      );
  });
});

describe('the environment', () => {
  afterEach(() => {
    for (const name of ['RCPT_URL', 'RCPT_API_KEY', 'RCPT_WEBHOOK_SECRET']) delete process.env[name];
  });

  it('has the URL and the key, which a request sends with the name of the client', async () => {
    process.env.RCPT_URL = `http://127.0.0.1:${server.port}/behind/`;
    process.env.RCPT_API_KEY = `${KEY}\n`;
    script(SUCCESS);
    await new Rcpt().verify('a@example.com');
    expect(server.received[0]).toMatchObject({
      path: '/behind/v1/verify',
      headers: {
        authorization: `Bearer ${KEY}`,
        'user-agent': expect.stringMatching(/^rcpt-typescript\/\d/),
      },
    });
  });
});

it('with a publishable key a request has no Idempotency-Key header, which pages may not send', async () => {
  script(SUCCESS);
  await new Rcpt({ apiKey: 'rcpt_pub_x', baseUrl: `http://127.0.0.1:${server.port}` }).verify(
    'a@example.com',
  );
  expect(keysSent()).toEqual([undefined]);
});
