import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { rowsOf } from '../../support/app/joins.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a deleted team', () => {
  let app: BillingApp;
  let owner: NewAccount;
  let customer: string;
  let checkoutUrl: string;

  beforeAll(async () => {
    app = await aBillingApp();
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    ({ customer, checkoutUrl } = await app.aCustomer(owner.liveKey));
  });
  afterEach(() => app.stripe.heal());
  afterAll(() => app.stop());

  const states = () =>
    [...app.stripe.subscriptions.values()]
      .filter((subscription) => subscription.customer === customer)
      .map(({ status }) => status);
  const deleteTeam = async () => {
    expect((await app.delete('/v1/team', owner.liveKey)).status).toBe(204);
    await app.dispatchBillingEvents();
  };

  it('has its subscriptions canceled, and no others', async () => {
    const neighbour = await app.anAccount();
    const theirs = app.stripe.complete((await app.aCustomer(neighbour.liveKey)).checkoutUrl);
    app.stripe.complete(checkoutUrl);
    for (const status of ['trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'canceled'])
      app.stripe.subscribe(customer, 'price_starter', { status });
    await deleteTeam();
    await app.syncSubscriptions();
    expect(states()).toEqual(Array(7).fill('canceled'));
    expect(theirs.status).toBe('active');
    expect(await app.syncSubscriptions()).toBe(0);
  });

  it('has them canceled when the provider is available again, after any time', async () => {
    app.stripe.complete(checkoutUrl);
    app.stripe.fail('denied', 1_000);
    await deleteTeam();
    for (let n = 0; n < 5; n++) {
      await app.syncSubscriptions();
      expect(states()).toEqual(['active']);
      app.clock.advance(HOUR_MS);
    }
    app.stripe.heal();
    await app.syncSubscriptions();
    expect(states()).toEqual(['canceled']);
  });

  it('has the others canceled when one cancellation failed', async () => {
    for (const price of ['price_starter', 'price_growth']) app.stripe.subscribe(customer, price);
    app.stripe.fail('denied', 1, /^\/v1\/subscriptions\/sub_\w*[13579]$/);
    await deleteTeam();
    await app.syncSubscriptions();
    app.clock.advance(HOUR_MS);
    await app.syncSubscriptions();
    expect(states()).toEqual(['canceled', 'canceled']);
  });

  it('has a later purchase canceled', async () => {
    await deleteTeam();
    await app.syncSubscriptions();
    app.stripe.complete(checkoutUrl);
    expect(await app.postEvent(app.stripe.event('checkout.session.completed', { customer }))).toBe(200);
    await app.syncSubscriptions();
    expect(states()).toEqual(['canceled']);
  });

  it('has it canceled also without an event, as long as a checkout may be open', async () => {
    await deleteTeam();
    await app.syncSubscriptions();
    app.clock.advance(DAY_MS);
    app.stripe.complete(checkoutUrl);
    await app.syncSubscriptions();
    expect(states()).toEqual(['canceled']);
    app.clock.advance(4 * DAY_MS);
    await app.syncSubscriptions();
    app.clock.advance(DAY_MS);
    app.stripe.seen.length = 0;
    await app.syncSubscriptions();
    expect(app.stripe.seen.filter(({ query }) => query.includes(customer))).toEqual([]);
    expect(await app.postEvent(app.stripe.event('customer.subscription.created', { customer }))).toBe(200);
    expect(await app.syncSubscriptions()).toBe(1);
  });

  it('is found within an hour when its event came before its customer was stored', async () => {
    app.stripe.complete(checkoutUrl);
    await rowsOf(app, 'DELETE FROM teams WHERE id = $1', [owner.team.id]);
    app.clock.advance(HOUR_MS);
    await app.syncSubscriptions();
    expect(states()).toEqual(['canceled']);
  });

  it('leaves the customer to the provider, and nothing else', async () => {
    await deleteTeam();
    await app.syncSubscriptions();
    const rows = await rowsOf(app, 'SELECT * FROM billing_customers WHERE customer_id = $1', [customer]);
    expect(rows).toMatchObject([{ team_id: owner.team.id, tier: null, state: null, ends_at: null }]);
  });
});
