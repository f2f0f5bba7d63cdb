import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TeamsService } from '../../../src/modules/identity/teams/team/teams.service.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';

const SUBSCRIBE = '/v1/billing/subscribe';
const CHECKOUT = /^https:\/\/checkout\.stripe\.example\//;
const PORTAL = /^https:\/\/portal\.stripe\.example\//;

describe('checkouts of a team', () => {
  let app: BillingApp;

  beforeAll(async () => {
    app = await aBillingApp();
  });
  afterEach(() => {
    app.stripe.heal();
    app.stripe.seen.length = 0;
  });
  afterAll(() => app.stop());

  const buyer = async () => (await app.anAccount('free')).liveKey;
  const open = async (key: string, tier = 'growth') => {
    const answer = await app.post(SUBSCRIBE, key).send({ tier });
    expect(answer.status).toBe(200);
    return (answer.body as { url: string }).url;
  };
  /** How many of these could be paid. */
  const payable = (urls: readonly string[]) =>
    urls.filter((url) => {
      try {
        return app.stripe.complete(url);
      } catch {
        return false;
      }
    }).length;

  it('end when another one is opened, so that one of them can be paid', async () => {
    const key = await buyer();
    const urls = [await open(key), await open(key, 'scale'), await open(key)];
    expect(urls.every((url) => CHECKOUT.test(url))).toBe(true);
    expect(payable(urls)).toBe(1);
    expect(await open(key)).toMatch(PORTAL);
  });

  it('that are opened at the same time leave one that can be paid', async () => {
    const key = await buyer();
    await open(key);
    const urls = await Promise.all([1, 2, 3, 4, 5].map(() => open(key)));
    expect(payable(urls.filter((url) => CHECKOUT.test(url)))).toBe(1);
  });

  it('one that is paid while another is opened leads to the portal, and nothing else can be paid', async () => {
    const key = await buyer();
    const first = await open(key);
    const creation = app.stripe.held.next(/checkout\/sessions$/);
    const second = open(key);
    await creation.reached;
    app.stripe.complete(first);
    creation.release();
    expect(await second).toMatch(PORTAL);
    expect(payable([...app.stripe.urls])).toBe(0);
  });

  it('is not given out while an earlier one cannot be ended, and is with the next call', async () => {
    const key = await buyer();
    const first = await open(key);
    app.stripe.fail('down', 9, /expire/);
    const buy = () => app.post(SUBSCRIBE, key).set('Idempotency-Key', 'again').send({ tier: 'growth' });
    expectProblem(await buy(), 502, 'payment_provider_unavailable');
    app.stripe.heal();
    const second = ((await buy()).body as { url: string }).url;
    expect(payable([first, second])).toBe(1);
  });

  it('are not offered to a suspended team, which is told why', async () => {
    const { liveKey, team } = await app.anAccount('free');
    await app.service.app.get(TeamsService).setBaseTier(team.id, 'suspended');
    app.clock.advance(10_000);
    const refused = expectProblem(
      await app.get('/v1/verify?email=jane@example.com', liveKey),
      402,
      'upgrade_required',
    );
    expect(refused.detail).toBe(
      'The operator has suspended the team. Only the operator can change that; a subscription does not.',
    );
    expect((await app.get('/v1/me', liveKey)).body).toMatchObject({ upgrades: [], upgrade_prices: [] });
    expect(app.stripe.seen).toEqual([]);
  });

  it('name no address at Stripe that nobody has confirmed', async () => {
    const { liveKey, user, team } = await app.anAccount('free');
    await rowsOf(app, 'UPDATE users SET confirmed_at = NULL WHERE id = $1', [user.id]);
    await open(liveKey);
    const created = app.stripe.seen.find(({ path }) => path === '/v1/customers');
    expect(created?.body).toEqual({ 'metadata[rcpt_team_id]': team.id, name: team.name });
  });
});

describe('what a checkout offers', () => {
  it.each([
    ['nothing by default', {}, {}],
    [
      'taxes',
      { STRIPE_AUTOMATIC_TAX: 'true' },
      { 'automatic_tax[enabled]': 'true', 'customer_update[address]': 'auto' },
    ],
    [
      'tax ids',
      { STRIPE_TAX_IDS: 'true' },
      { 'tax_id_collection[enabled]': 'true', 'customer_update[name]': 'auto' },
    ],
    ['promotion codes', { STRIPE_PROMOTION_CODES: 'true' }, { allow_promotion_codes: 'true' }],
  ])('%s', async (_, env, parameters) => {
    const app = await aBillingApp(env);
    const { liveKey } = await app.anAccount('free');
    await app.post(SUBSCRIBE, liveKey).send({ tier: 'growth' }).expect(200);
    const created = app.stripe.seen.find(({ path }) => path === '/v1/checkout/sessions');
    const offered = Object.entries(created?.body ?? {}).filter(([name]) =>
      /^(automatic_tax|tax_id|customer_update|allow)/.test(name),
    );
    expect(Object.fromEntries(offered)).toEqual(parameters);
    await app.stop();
  });
});

describe('prices of upgrades', () => {
  let app: BillingApp;
  let key: string;
  beforeAll(async () => {
    app = await aBillingApp();
    key = (await app.anAccount('growth')).liveKey;
  });
  afterAll(() => app.stop());

  const prices = async (of = app) =>
    ((await of.get('/v1/me', key).expect(200)).body as { upgrade_prices: object[] }).upgrade_prices;
  /** Nobody waits for prices that are not known. */
  const expectNone = async (of = app) => {
    const start = Date.now();
    expect(await prices(of)).toEqual([]);
    expect(Date.now() - start).toBeLessThan(2_500);
  };

  // Before they are known: those that are stay when Stripe fails.
  it.each(['down', 'nonsense', 'restricted'] as const)(
    'are absent when Stripe is %s, and nobody waits for them',
    async (fault) => {
      app.stripe.fail(fault, 99, /prices/);
      await expectNone();
      app.stripe.heal();
      app.clock.advance(60_000);
    },
  );

  it('are absent when Stripe is slow, and nobody waits for them', async () => {
    const other = await aBillingApp(app.shared);
    other.stripe.fail('slow', 99, /prices/);
    await expectNone(other);
    await other.stop();
  });

  it('are those of Stripe, asked once an hour', async () => {
    app.stripe.seen.length = 0;
    const price = { amount: 2_900, currency: 'eur', interval: 'month', interval_count: 1 };
    for (let times = 0; times < 3; times++)
      expect(await prices()).toEqual([
        { tier: 'starter', ...price },
        { tier: 'scale', ...price },
      ]);
    const asked = () => app.stripe.seen.filter(({ path }) => path.startsWith('/v1/prices/')).length;
    expect(asked()).toBe(3);
    app.stripe.fail('down', 99);
    app.clock.advance(3_600_000);
    expect(await prices()).toHaveLength(2);
  });
});
