import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseServiceUrl, ServiceClient } from './service-client.js';

interface Reply {
  status: number;
  retryAfter?: string;
  body: string;
}

const PROBLEM = JSON.stringify({ code: 'idempotency_in_progress', detail: 'The first one still runs.' });

describe('a request to a service', () => {
  let server: Server;
  let url: string;
  let replies: Reply[];
  let requests: number;
  let pauses: number[];
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests++;
      request.resume();
      const { status, retryAfter, body } = replies.shift() ?? { status: 500, body: '' };
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });
  beforeEach(() => {
    requests = 0;
    pauses = [];
  });

  const send = (...answers: Reply[]) => {
    replies = answers;
    const client = new ServiceClient(url, 'rcpt_test_x', (ms) => Promise.resolve(pauses.push(ms)));
    const said: string[] = [];
    const init = () => ({ method: 'POST', body: 'email\n' });
    const say = (sentence: string) => said.push(sentence);
    return { said, answer: client.requestUntil('/', { init, status: 202, say }) };
  };

  it('is repeated after Retry-After while an earlier upload is under way', async () => {
    const busy = { status: 409, retryAfter: '7', body: PROBLEM };
    const { said, answer } = send(busy, { ...busy, retryAfter: '1' }, { status: 202, body: '{}' });
    expect((await answer).status).toBe(202);
    expect(pauses).toEqual([7_000, 1_000]);
    expect(said[0]).toBe('409 idempotency_in_progress: The first one still runs. Trying again in 7 s.');
  });

  it.each([
    ['a conflict without Retry-After', { status: 409, body: PROBLEM }],
    ['a quota that returns tomorrow', { status: 429, retryAfter: '40000', body: PROBLEM }],
    ['a request that is wrong', { status: 400, retryAfter: '1', body: PROBLEM }],
  ])('is not repeated after %s', async (_, reply) => {
    await expect(send(reply).answer).rejects.toThrow(`${reply.status} idempotency_in_progress`);
    expect([requests, pauses]).toEqual([1, []]);
  });

  it('to another service fails with its host', async () => {
    const { answer } = send({ status: 404, body: '<html>' });
    await expect(answer).rejects.toThrow(
      `${new URL(url).host} responds with 404, and is not Rcpt; check --url`,
    );
  });

  it('with a key that is not valid names the variable', async () => {
    const { answer } = send({ status: 401, body: '{"code":"invalid_credential","detail":"No."}' });
    await expect(answer).rejects.toThrow(/Set RCPT_API_KEY/);
  });
});

it.each([
  ['https://verify.example.org/', 'https://verify.example.org'],
  ['http://localhost:3000/rcpt/', 'http://localhost:3000/rcpt'],
])('the URL %s is a service', (text, url) => {
  expect(parseServiceUrl(text)).toBe(url);
});

it.each(['localhost:3000', 'verify.example.org', 'ftp://x', 'https://u:p@x.org', ''])(
  'the URL %p is refused with a sentence',
  (text) => {
    expect(() => parseServiceUrl(text)).toThrow(/write one such as|no password/);
  },
);
