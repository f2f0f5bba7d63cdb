import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { FakeSubscription } from '../../support/billing/fake-stripe-objects.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY_SECONDS = DAY_MS / 1_000;

/** Real events of a stateful provider, up to the tier of the team. */
describe('the tier follows the subscription', () => {
  let app: BillingApp;
  let owner: NewAccount;
  let customer: string;

  beforeAll(async () => {
    app = await aBillingApp();
  });
  beforeEach(async () => {
    owner = await app.anAccount('free');
    ({ customer } = await app.aCustomer(owner.liveKey));
  });
  afterEach(() => {
    app.stripe.heal();
  });
  afterAll(() => app.stop());

  const later = (ms: number) => app.clock.advance(ms);
  const tell = (type = 'customer.subscription.updated') =>
    app.postEvent(app.stripe.event(type, { customer }));
  const told = async () => {
    expect(await tell()).toBe(200);
    await app.syncSubscriptions();
  };
  /** From the database: a key's cached tier may be 4 s old. */
  const tier = async () => {
    const rows = await rowsOf<{ tier: string | null }>(
      app,
      'SELECT subscription_tier AS tier FROM teams WHERE id = $1',
      [owner.team.id],
    );
    return rows[0]?.tier;
  };
  const news = () =>
    rowsOf<{ data: Record<string, unknown> }>(
      app,
      `SELECT data FROM outbox WHERE team_id = $1 AND type = 'subscription.updated' ORDER BY occurred_at, id`,
      [owner.team.id],
    );
  const subscribe = (price = 'price_growth', changes: Partial<FakeSubscription> = {}) =>
    app.stripe.subscribe(customer, price, changes);

  it('from free to paid, changed and canceled: the tier, the quota, and events without secrets', async () => {
    const subscription = subscribe();
    await told();
    later(5_000);
    expect(await app.tierOf(owner.liveKey)).toBe('growth');
    const usage = await app.get('/v1/usage', owner.liveKey);
    expect(usage.body).toMatchObject({ tier: 'growth', quota: { limit: 10_000 } });
    subscription.price = 'price_scale';
    await told();
    subscription.status = 'canceled';
    await told();
    expect(await tier()).toBeNull();
    later(5_000);
    expect(await app.tierOf(owner.liveKey)).toBe('free');
    const paid = (name: string) => ({ tier: name, subscription_tier: name, status: 'active', ends_at: null });
    expect((await news()).map(({ data }) => data)).toEqual([
      paid('growth'),
      paid('scale'),
      { tier: 'free', subscription_tier: null, status: 'canceled', ends_at: null },
    ]);
  });

  it('is never below the base tier, and does not lift a suspension', async () => {
    const rich = await app.anAccount('unlimited');
    const bad = await app.anAccount('suspended');
    for (const { liveKey } of [rich, bad]) app.stripe.complete((await app.aCustomer(liveKey)).checkoutUrl);
    await app.syncSubscriptions();
    later(5_000);
    expect(await app.tierOf(rich.liveKey)).toBe('unlimited');
    expect(await app.tierOf(bad.liveKey)).toBe('suspended');
  });

  it('stays for the grace period after the first failed payment, and then ends without an event', async () => {
    const subscription = subscribe('price_growth', { status: 'past_due' });
    const failedAt = app.stripe.now - DAY_SECONDS;
    app.stripe.bill(customer, { subscription: subscription.id, status: 'open', finalized_at: failedAt });
    await told();
    expect(await tier()).toBe('growth');
    const graceEnds = failedAt * 1_000 + 7 * DAY_MS;
    later(graceEnds - app.clock.now().getTime() - 30 * 60_000);
    await app.syncSubscriptions();
    expect(await tier()).toBe('growth');
    later(graceEnds - app.clock.now().getTime());
    expect(await app.syncSubscriptions()).toBeGreaterThan(0);
    expect(await tier()).toBeNull();
    subscription.status = 'active';
    await told();
    expect(await tier()).toBe('growth');
  });

  it('stays until the scheduled end of a subscription, without an event', async () => {
    const end = app.stripe.now + 3 * DAY_SECONDS;
    subscribe('price_growth', { cancel_at_period_end: true, period: [app.stripe.now, end] });
    await told();
    expect(await tier()).toBe('growth');
    expect((await news()).at(-1)?.data.ends_at).toBe(new Date(end * 1_000).toISOString());
    later(end * 1_000 - app.clock.now().getTime());
    await app.syncSubscriptions();
    expect(await tier()).toBeNull();
  });

  it('stays for an unknown state or price, with an error in the log', async () => {
    const subscription = subscribe();
    await told();
    for (const change of [{ status: 'hibernating' }, { status: 'active', price: 'price_unheard_of' }]) {
      Object.assign(subscription, change);
      await told();
      expect(await tier()).toBe('growth');
    }
    expect(await news()).toHaveLength(1);
    const complaints = app
      .logged()
      .split('\n')
      .filter((line) => line.includes(`["${subscription.id}"]`));
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toMatch(/"level":"error".*the tier stays/);
  });

  it('is the highest of two subscriptions, with an alert', async () => {
    const [low, high] = [subscribe('price_starter'), subscribe('price_scale')];
    await told();
    expect(await tier()).toBe('scale');
    expect(app.logged()).toContain(`"subscriptions":["${high.id}","${low.id}"]`);
    high.status = 'canceled';
    await told();
    expect(await tier()).toBe('starter');
  });

  it('is corrected within an hour when every event was lost', async () => {
    subscribe();
    expect(await app.syncSubscriptions()).toBe(0);
    later(HOUR_MS);
    await app.syncSubscriptions();
    expect(await tier()).toBe('growth');
  });

  it('is corrected when the stored tier of the team was changed', async () => {
    subscribe();
    await told();
    await rowsOf(app, 'UPDATE teams SET subscription_tier = NULL WHERE id = $1', [owner.team.id]);
    later(HOUR_MS);
    await app.syncSubscriptions();
    expect(await tier()).toBe('growth');
  });

  it('stays while the provider is unavailable, and follows afterwards', async () => {
    const subscription = subscribe();
    await told();
    subscription.status = 'canceled';
    app.stripe.fail('denied', 1);
    await told();
    expect(await tier()).toBe('growth');
    expect(await app.syncSubscriptions()).toBe(0);
    later(10_000);
    await app.syncSubscriptions();
    expect(await tier()).toBeNull();
  });

  it('ends when the customer was deleted at the provider, but stays when our key cannot see it', async () => {
    subscribe();
    await told();
    const known = app.stripe.customers.get(customer);
    app.stripe.customers.delete(customer);
    await told();
    expect(await tier()).toBe('growth');
    if (known) app.stripe.customers.set(customer, { ...known, deleted: true });
    await told();
    expect(await tier()).toBeNull();
    const portal = await app.post('/v1/billing/portal', owner.liveKey).send({});
    expectProblem(portal, 404, 'no_billing_customer');
  });
});
