import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { expectProblem } from '../../support/http/problems.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

describe('a payment provider that fails', () => {
  let app: BillingApp;
  let owner: NewAccount;

  beforeAll(async () => {
    app = await aBillingApp();
    owner = await app.anAccount();
    await app.aCustomer(owner.liveKey);
  });
  afterEach(() => app.stripe.heal());
  afterAll(() => app.stop());

  const ASKED: [string, (key: string) => ReturnType<BillingApp['get']>][] = [
    ['subscribe', (key) => app.post('/v1/billing/subscribe', key).send({ tier: 'growth' })],
    ['portal', (key) => app.post('/v1/billing/portal', key).send({})],
    ['invoices', (key) => app.get('/v1/billing/invoices', key)],
  ];

  it.each(ASKED)('%s is 502 with Retry-After when the provider fails', async (_, ask) => {
    app.stripe.fail(500, 3);
    const answer = await ask(owner.liveKey);
    expectProblem(answer, 502, 'payment_provider_unavailable');
    expect(answer.headers['retry-after']).toBe('10');
    app.stripe.heal();
    expect((await ask(owner.liveKey)).status).toBe(200);
  });

  it.each(ASKED)('%s is 502 without the provider’s message when it refuses', async (_, ask) => {
    app.stripe.fail('denied');
    const answer = await ask(owner.liveKey);
    expectProblem(answer, 502, 'payment_provider_refused');
    expect(answer.text).not.toMatch(/sk_test|Something about|req_fake|stripe/i);
    const [line] = app
      .logged()
      .split('\n')
      .filter((line) => line.includes(answer.headers['x-request-id'] ?? '?'));
    expect(line).toContain('"provider_request_id":"req_fake"');
    expect(app.logged()).not.toMatch(/sk_test|whsec_|Something about/);
  });

  it('does not affect other routes', async () => {
    app.stripe.fail('down', 100);
    const verdict = await app.get('/v1/verify?email=jane@example.com', owner.testKey);
    expect(verdict.status).toBe(200);
    expect((await app.get('/readyz')).body).toMatchObject({ status: 'ok' });
    expect((await app.get('/v1/team', owner.liveKey)).status).toBe(200);
  });
});
