import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { BODY_TIMEOUT } from '../../../src/platform/http/body/raw-body.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { RawClient, type RawAnswer } from '../../support/http/raw-client.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const PATH = '/webhooks/stripe';

function head(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

describe('a request body without authentication', () => {
  let app: BillingApp;
  let closed: TestApp;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    [app, closed] = await Promise.all([aBillingApp({ SIGNUP: 'open' }), anApp()]);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await Promise.all([app.stop(), closed.stop()]);
  });

  /** Sends the head of a request only. */
  async function begin(at: TestApp, request: string, from?: string): Promise<RawClient> {
    const client = await RawClient.connect(Number(new URL(at.url).port), from);
    clients.push(client);
    await client.send(request);
    return client;
  }
  const answerTo = async (at: TestApp, request: string): Promise<RawAnswer> =>
    (await begin(at, request)).answer();
  const signature = (time = app.stripe.now) => `t=${time},v1=${'0'.repeat(64)}`;

  it('is not read without a signature', async () => {
    expectProblem(await answerTo(app, head(PATH, { 'Content-Length': '100' })), 400, 'missing_signature');
  });

  it('whose signature has another form or an old time is refused', async () => {
    const bad = ['nonsense', `v1=${'0'.repeat(64)}`, `t=${app.stripe.now}`, signature(app.stripe.now - 310)];
    for (const text of bad) {
      const request = `${head(PATH, { 'Content-Length': '2', 'Stripe-Signature': text })}{}`;
      expectProblem(await answerTo(app, request), 401, 'invalid_signature');
    }
  });

  it('is never read when billing is not configured', async () => {
    const length = { 'Content-Length': '100' };
    expectProblem(await answerTo(closed, head(PATH, length)), 400, 'missing_signature');
    const signed = head(PATH, { ...length, 'Stripe-Signature': signature() });
    expectProblem(await answerTo(closed, signed), 401, 'invalid_signature');
  });

  it('over 256 kB is refused by its length', async () => {
    const request = head(PATH, { 'Content-Length': '256001', 'Stripe-Signature': signature() });
    expectProblem(await answerTo(app, request), 413, 'payload_too_large');
  });

  it('must arrive within 10 s, on every route that reads it', async () => {
    const application = app.service.app;
    const json = { 'Content-Type': 'application/json' };
    const requests = [
      head('/signup', { ...json, 'Content-Length': '100' }),
      head('/signup', { ...json, 'Transfer-Encoding': 'chunked' }),
      head(PATH, { 'Content-Length': '100', 'Stripe-Signature': signature() }),
    ];
    const express: Express = application.getHttpAdapter().getInstance();
    expect(express.get(BODY_TIMEOUT)).toBe(10_000);
    application.set(BODY_TIMEOUT, 200);
    const answers = await Promise.all(requests.map((request) => answerTo(app, request)));
    application.set(BODY_TIMEOUT, 10_000);
    for (const answer of answers) {
      expectProblem(answer, 408, 'request_timeout');
      expect(answer.headers.connection).toBe('close');
    }
  });

  it('uses limited memory per address, and leaves the rest to others', async () => {
    const bytes = 250_000;
    const request = head(PATH, { 'Content-Length': String(bytes), 'Stripe-Signature': signature() });
    const unfinished = `${request}${'x'.repeat(bytes - 1)}`;
    const held = await Promise.all(Array.from({ length: 12 }, () => begin(app, unfinished, '127.0.0.9')));
    const refused = await Promise.race(held.map((client) => client.answer()));
    expectProblem(refused, 503, 'unavailable');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const whole = `${request}${'x'.repeat(bytes)}`;
    const other = await (await begin(app, whole, '127.0.0.10')).answer();
    expectProblem(other, 401, 'invalid_signature');
  });
});
