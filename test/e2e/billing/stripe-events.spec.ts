import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { scrape } from '../../support/app/samples.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const PATH = '/webhooks/stripe';
const MINUTE_MS = 60_000;

describe('POST /webhooks/stripe', () => {
  let app: BillingApp;
  let account: NewAccount;
  let customer: string;

  beforeAll(async () => {
    app = await aBillingApp();
  });
  beforeEach(async () => {
    account = await app.anAccount('free');
    ({ customer } = await app.aCustomer(account.liveKey));
    app.stripe.seen.length = 0;
  });
  afterAll(() => app.stop());

  const post = (body: string, signature?: string, type = 'application/json') => {
    const request = app.post(PATH).set('Content-Type', type);
    return (signature === undefined ? request : request.set('Stripe-Signature', signature)).send(body);
  };
  const stored = () =>
    rowsOf<{ id: string }>(app, 'SELECT id FROM billing_events WHERE customer_id = $1', [customer]);

  it('stores an event of a customer and queries the state later, not during the request', async () => {
    const { body, signature, id } = app.stripe.event('customer.subscription.updated', { customer });
    const answer = await post(body, signature);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(app.stripe.seen).toEqual([]);
    expect(await stored()).toEqual([{ id }]);
    expect(await app.syncSubscriptions()).toBe(1);
    expect(app.stripe.seen.map(({ path }) => path)).toEqual([
      `/v1/customers/${customer}`,
      '/v1/subscriptions',
    ]);
  });

  it.each([
    ['checkout.session.completed', (id: string) => ({ customer: { id } })],
    ['invoice.payment_failed', (id: string) => ({ customer: id })],
    ['customer.deleted', (id: string) => ({ id })],
    ['customer.subscription.something_new', (id: string) => ({ customer: id })],
  ])('processes %s', async (type, about) => {
    const event = app.stripe.event(type, about(customer));
    expect(await app.postEvent(event)).toBe(200);
    expect(await app.syncSubscriptions()).toBe(1);
  });

  it('ignores a duplicate event', async () => {
    const event = app.stripe.event('invoice.paid', { customer });
    expect(await app.postEvent(event)).toBe(200);
    expect(await app.syncSubscriptions()).toBe(1);
    expect(await app.postEvent(event)).toBe(200);
    expect(await app.syncSubscriptions()).toBe(0);
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    ['of a customer we do not know', 'invoice.paid', { customer: 'cus_stranger' }],
    ['of nobody', 'customer.subscription.created', {}],
    ['of a kind that changes no subscription', 'charge.succeeded', { customer: 'CUSTOMER' }],
    ['of a kind that we have never heard of', 'quantum.entangled', { deep: [[[[[[[[[[{}]]]]]]]]]] }],
  ])('answers 200 to an event %s, and stores nothing', async (_, type, about) => {
    const object = JSON.parse(JSON.stringify(about).replace('CUSTOMER', customer)) as object;
    expect(await app.postEvent(app.stripe.event(type, object))).toBe(200);
    expect(await stored()).toEqual([]);
    expect(await app.syncSubscriptions()).toBe(0);
  });

  it('is 400 missing_signature without the header, whatever the body', async () => {
    for (const body of ['{}', '', '{not json']) expectProblem(await post(body), 400, 'missing_signature');
  });

  it('is 401 invalid_signature for another secret, other bytes, an old signature, or an invalid header', async () => {
    const { body } = app.stripe.event('invoice.paid', { customer });
    const good = app.stripe.sign(body);
    const bad: [string, string][] = [
      [body, app.stripe.sign(body, app.stripe.now, 'whsec_other')],
      [`${body} `, good],
      [JSON.stringify(JSON.parse(body), null, 1), good],
      [body, app.stripe.sign(body, app.stripe.now - 310)],
      [body, 'nonsense'],
      [body, ''],
      [body, 't=,v1='],
      [body, good.replace('v1=', 'v0=')],
      [body, good.replace(/v1=\w+/, `v1=${'é'.repeat(64)}`)],
      ['', good],
    ];
    for (const [sent, signature] of bad) expectProblem(await post(sent, signature), 401, 'invalid_signature');
    expect(await stored()).toEqual([]);
    expect((await post(body, good)).status).toBe(200);
  });

  it('accepts a signature 4 minutes old, and one of several during a rotation of the secret', async () => {
    const { body } = app.stripe.event('invoice.paid', { customer });
    expect((await post(body, app.stripe.sign(body, app.stripe.now - 240))).status).toBe(200);
    const two = `${app.stripe.sign(body, app.stripe.now, 'whsec_new')},${app.stripe.sign(body, app.stripe.now).split(',')[1]}`;
    expect((await post(body, two)).status).toBe(200);
  });

  it('checks the age of a signature with the service’s clock', async () => {
    const { body, signature } = app.stripe.event('invoice.paid', { customer });
    app.clock.advance(6 * MINUTE_MS);
    expectProblem(await post(body, signature), 401, 'invalid_signature');
  });

  it.each([
    '',
    '[]',
    '7',
    'null',
    '{}',
    '{"id":"evt_1"}',
    '{"id":7,"type":"invoice.paid"}',
    '{not json',
    '\u0000',
  ])('is 400 invalid_event for %j, signed', async (body) => {
    expectProblem(await post(body, app.stripe.sign(body)), 400, 'invalid_event');
  });

  it('accepts any object up to 256 kB, with any member and depth, under any content type', async () => {
    const big = app.stripe.event('invoice.paid', {
      customer,
      constructor: { __proto__: 'x'.repeat(250_000) },
    });
    expect((await post(big.body, big.signature, 'text/plain')).status).toBe(200);
    const bigger = app.stripe.event('invoice.paid', { customer, padding: 'x'.repeat(256_000) });
    expectProblem(await post(bigger.body, bigger.signature), 413, 'payload_too_large');
    expect(await stored()).toEqual([{ id: big.id }]);
  });

  it('ignores an Idempotency-Key', async () => {
    const { body, signature } = app.stripe.event('invoice.paid', { customer });
    const send = () => post(body, signature).set('Idempotency-Key', 'not printable \t');
    expect((await send()).status).toBe(200);
    expect((await send()).headers['idempotency-replayed']).toBeUndefined();
  });

  it('counts events and synchronizations, without ids', async () => {
    await app.syncSubscriptions();
    const before = await scrape(app);
    const event = app.stripe.event('invoice.paid', { customer });
    await app.postEvent(event);
    for (const fault of ['denied', 500] as const) {
      app.stripe.fail(fault);
      await app.syncSubscriptions();
      await app.postEvent(app.stripe.event('invoice.paid', { customer }));
    }
    await app.syncSubscriptions();
    await app.postEvent(event);
    await app.postEvent(app.stripe.event('invoice.paid', { customer: 'cus_stranger' }));
    await app.postEvent({ ...event, signature: 'nonsense' });
    await app.postEvent({ body: '[]', signature: app.stripe.sign('[]') });
    const after = await scrape(app);
    const counted = [...after]
      .map(([series, value]) => [series, value - (before.get(series) ?? 0)] as const)
      .filter(([series, value]) => series.startsWith('rcpt_payment_') && value > 0);
    expect(Object.fromEntries(counted)).toEqual({
      'rcpt_payment_calls_total{outcome="rejected"}': 1,
      'rcpt_payment_calls_total{outcome="succeeded"}': 1,
      'rcpt_payment_calls_total{outcome="unavailable"}': 1,
      'rcpt_payment_events_total{outcome="accepted"}': 3,
      'rcpt_payment_events_total{outcome="ignored"}': 2,
      'rcpt_payment_events_total{outcome="invalid_signature"}': 1,
      'rcpt_payment_events_total{outcome="invalid_event"}': 1,
    });
    for (const secret of [customer, 'stranger', account.team.id, event.id])
      expect([...after.keys()].join()).not.toContain(secret);
  });
});
