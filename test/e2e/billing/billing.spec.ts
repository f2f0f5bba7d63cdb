import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const SUBSCRIBE = '/v1/billing/subscribe';
const PORTAL = '/v1/billing/portal';
const INVOICES = '/v1/billing/invoices';

describe('billing', () => {
  let app: BillingApp;
  let team: TestTeam;

  beforeAll(async () => {
    app = await aBillingApp({
      PUBLIC_URL: 'https://rcpt.example/api',
      REDIRECT_ORIGINS: 'https://app.example:8443',
    });
    team = await aTeam(app);
  });
  afterEach(() => {
    app.stripe.heal();
    app.stripe.seen.length = 0;
  });
  afterAll(() => app.stop());

  const buyer = async () => (await app.anAccount('free')).liveKey;
  const seen = (path: string) => app.stripe.seen.filter((request) => request.path === path);

  it('opens a checkout for a tier, with a customer for the team', async () => {
    const { liveKey, team: own, user } = await app.anAccount('free');
    const answer = await app.post(SUBSCRIBE, liveKey).send({ tier: 'growth' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ url: expect.stringMatching(/^https:\/\/checkout\.stripe\.example\/cs_/) });
    expect(seen('/v1/customers')[0]?.body).toEqual({
      'metadata[rcpt_team_id]': own.id,
      name: own.name,
      email: user.email,
    });
    const [session] = seen('/v1/checkout/sessions');
    expect(session?.version).toBe('2026-10-28.endive');
    expect(session?.body).toMatchObject({
      mode: 'subscription',
      client_reference_id: own.id,
      'line_items[0][price]': 'price_growth',
      success_url: 'https://rcpt.example/api/console',
      cancel_url: 'https://rcpt.example/api/console',
    });
  });

  it('names the other tiers on sale in GET /v1/me to those who may subscribe, and no others', async () => {
    const { liveKey, testKey } = await app.anAccount('growth');
    const upgradesOf = async (key: string) =>
      ((await app.get('/v1/me', key).expect(200)).body as { upgrades: string[] }).upgrades;
    const [starter, scale] = await upgradesOf(liveKey);
    expect([starter, scale]).toEqual(['starter', 'scale']);
    for (const tier of [starter, scale]) await app.post(SUBSCRIBE, liveKey).send({ tier }).expect(200);
    for (const key of [team.owner, team.admin])
      expect(await upgradesOf(key)).toEqual(['starter', 'growth', 'scale']);
    for (const key of [testKey, team.member, team.service]) expect(await upgradesOf(key)).toEqual([]);
  });

  it('creates one customer per team, also under concurrent requests', async () => {
    const key = await buyer();
    const before = app.stripe.customers.size;
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.post(SUBSCRIBE, key).send({ tier: 'starter' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await app.post(SUBSCRIBE, key).send({ tier: 'growth' });
    expect(app.stripe.customers.size).toBe(before + 1);
    expect(new Set(seen('/v1/checkout/sessions').map(({ body }) => body.customer)).size).toBe(1);
  });

  it('is idempotent under an Idempotency-Key, also when the first response was lost', async () => {
    const key = await buyer();
    const ask = () => app.post(SUBSCRIBE, key).set('Idempotency-Key', 'buy-1').send({ tier: 'growth' });
    app.stripe.fail('lost', 3, /checkout/);
    expectProblem(await ask(), 502, 'payment_provider_unavailable');
    const answer = await ask();
    const replay = await ask();
    expect([answer.status, replay.status]).toEqual([200, 200]);
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect(replay.body).toEqual(answer.body);
    const keys = new Set(seen('/v1/checkout/sessions').map(({ idempotencyKey }) => idempotencyKey));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('sends a team with a subscription to the portal, not to a second checkout', async () => {
    const key = await buyer();
    const { checkoutUrl } = await app.aCustomer(key);
    app.stripe.complete(checkoutUrl);
    const answer = await app.post(SUBSCRIBE, key).send({ tier: 'scale' });
    expect((answer.body as { url: string }).url).toMatch(/^https:\/\/portal\.stripe\.example\//);
  });

  it('creates a new customer for a team whose customer was deleted at the provider', async () => {
    const key = await buyer();
    const { customer } = await app.aCustomer(key);
    app.stripe.customers.set(customer, { id: customer, team: '', deleted: true });
    const again = await app.aCustomer(key);
    expect(again.customer).not.toBe(customer);
    expect((await app.post(PORTAL, key).send({})).status).toBe(200);
  });

  it('opens the portal for a customer, and is 404 for a team without one', async () => {
    const key = await buyer();
    expectProblem(await app.post(PORTAL, key).send({}), 404, 'no_billing_customer');
    await app.aCustomer(key);
    const answer = await app
      .post(PORTAL, key)
      .send({ return_url: 'https://app.example:8443/billing?from=rcpt' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ url: expect.stringMatching(/^https:\/\/portal\.stripe\.example\//) });
    expect(seen('/v1/billing_portal/sessions')[0]?.body.return_url).toBe(
      'https://app.example:8443/billing?from=rcpt',
    );
  });

  it.each([
    'https://evil.example/',
    'https://rcpt.example.evil.example/',
    'https://rcpt.example@evil.example/',
    'https://jane@rcpt.example/',
    'https://jane:secret@rcpt.example/',
    'http://rcpt.example/',
    'https://rcpt.example:444/',
    'https://app.example/',
    '//rcpt.example/',
    '/done',
    'javascript:alert(1)//https://rcpt.example',
    'https:\\\\evil.example',
    'nonsense',
  ])('refuses to redirect to %s', async (url) => {
    const subscribe = await app
      .post(SUBSCRIBE, team.owner)
      .send({ tier: 'growth', success_url: url, cancel_url: 'https://rcpt.example/' });
    expect(fieldErrorsOf(expectProblem(subscribe, 400, 'invalid_request'))).toEqual([
      '/success_url origin_not_allowed',
    ]);
    const portal = await app.post(PORTAL, team.owner).send({ return_url: url });
    expect(fieldErrorsOf(expectProblem(portal, 400, 'invalid_request'))).toEqual([
      '/return_url origin_not_allowed',
    ]);
    expect(app.stripe.seen).toEqual([]);
  });

  it.each([
    ['/tier invalid_type', {}],
    ['/tier not_for_sale', { tier: 'free' }],
    ['/plan unknown_member', { tier: 'growth', plan: 'x' }],
    ['/cancel_url invalid_type', { tier: 'growth', cancel_url: 7 }],
    ['/cancel_url too_big', { tier: 'growth', cancel_url: `https://rcpt.example/${'a'.repeat(2_000)}` }],
  ])('returns %s', async (complaint, body) => {
    const answer = await app.post(SUBSCRIBE, team.owner).send(body);
    expect(fieldErrorsOf(expectProblem(answer, 400, 'invalid_request'))).toEqual([complaint]);
  });

  it('requires an owner or admin and a live key', async () => {
    expect((await app.post(SUBSCRIBE, team.admin).send({ tier: 'growth' })).status).toBe(200);
    for (const key of [team.member, team.service]) {
      expectProblem(await app.post(SUBSCRIBE, key).send({ tier: 'growth' }), 403, 'role_required');
      expectProblem(await app.post(PORTAL, key).send({}), 403, 'role_required');
      expectProblem(await app.get(INVOICES, key), 403, 'role_required');
    }
    expectProblem(await app.post(SUBSCRIBE, team.test).send({ tier: 'growth' }), 403, 'live_key_required');
    expectProblem(await app.post(PORTAL, team.test).send({}), 403, 'live_key_required');
    expect((await app.get(INVOICES, team.test)).status).toBe(200);
  });

  it('lists the team’s invoices page by page, and only those', async () => {
    const [key, other] = [await buyer(), await buyer()];
    const { customer } = await app.aCustomer(key);
    const bills = [1, 2, 3].map(() => app.stripe.bill(customer));
    app.stripe.bill((await app.aCustomer(other)).customer);
    type Page = { data: { id: string }[]; has_more: boolean; next_cursor: string | null };
    const first = (await app.get(`${INVOICES}?limit=2`, key)).body as Page;
    const second = (await app.get(`${INVOICES}?limit=2&cursor=${first.next_cursor}`, key)).body as Page;
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(ids).toEqual(bills.map(({ id }) => id).reverse());
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect(first.data[0]).toMatchObject({
      amount_due: 2_900,
      currency: 'eur',
      status: 'paid',
      pdf_url: null,
    });
    const stolen = await app.get(`${INVOICES}?cursor=${first.next_cursor}`, other);
    expectProblem(stolen, 400, 'invalid_cursor');
  });

  it('lists no invoices for a team without a customer, and does not call the provider', async () => {
    const answer = await app.get(INVOICES, await buyer());
    expect([answer.status, answer.body]).toEqual([200, { data: [], has_more: false, next_cursor: null }]);
    expect(app.stripe.seen).toEqual([]);
  });
});

it('the start fails when a tier for sale is not in the table', async () => {
  const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  for (const tier of ['gold', 'suspended']) {
    await expect(anApp({ ...env, STRIPE_PRICES: `${tier}=price_1` })).rejects.toThrow(
      `STRIPE_PRICES sells ${tier}, which is no tier to sell; there are free, starter,`,
    );
  }
});

describe('without billing configuration', () => {
  let app: TestApp;
  let key: string;

  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).liveKey;
  });
  afterAll(() => app.stop());

  it.each([
    [SUBSCRIBE, { tier: 'growth' }],
    [SUBSCRIBE, { tier: 'no-tier', success_url: 'https://elsewhere.example' }],
    [PORTAL, {}],
    [PORTAL, { return_url: 'https://elsewhere.example' }],
  ])('%s is 503 without Retry-After, whatever is asked: %j', async (path, body) => {
    const answer = await app.post(path, key).send(body);
    expectProblem(answer, 503, 'billing_unconfigured');
    // The condition is not temporary.
    expect(answer.headers['retry-after']).toBeUndefined();
  });

  it('lists no invoices, receives no events, and all else works', async () => {
    expect((await app.get(INVOICES, key)).body).toEqual({ data: [], has_more: false, next_cursor: null });
    const events = app.post('/webhooks/stripe').set('Stripe-Signature', 't=1,v1=00');
    expectProblem(await events.send({}), 401, 'invalid_signature');
    expectProblem(await app.post('/webhooks/stripe').send({}), 400, 'missing_signature');
    expect((await app.get('/v1/team', key)).status).toBe(200);
    expect((await app.get('/v1/me', key)).body).toMatchObject({ upgrades: [] });
  });
});
