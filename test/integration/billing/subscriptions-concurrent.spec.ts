import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { SubscriptionsService } from '../../../src/modules/billing/billing/subscriptions.service.js';
import { BillingCustomerRepository } from '../../../src/modules/billing/billing/domain/billing-customer.repository.js';
import type { FakeSubscription } from '../../support/billing/fake-stripe-objects.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const MINUTE_MS = 60_000;
const SUBSCRIPTIONS = /^\/v1\/subscriptions$/;

/** Crashes, races, and events in any order: the final state is that of the provider. */
describe('the tier follows the subscription under failures', () => {
  let app: BillingApp;
  /** Another process of the same service. */
  let other: TestApp;
  let owner: NewAccount;
  let customer: string;

  beforeAll(async () => {
    app = await aBillingApp();
    other = await anApp({ ...app.stripe.env, ...app.shared });
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    ({ customer } = await app.aCustomer(owner.liveKey));
  });
  afterEach(() => app.stripe.heal());
  afterAll(async () => {
    await other.stop();
    await app.stop();
  });

  const elsewhere = () => other.service.app.get(SubscriptionsService).syncDue();
  const event = () => app.stripe.event('customer.subscription.updated', { customer });
  const subscribe = (price = 'price_growth') => app.stripe.subscribe(customer, price);
  const tierOf = async (team = owner.team.id) => {
    const text = 'SELECT subscription_tier AS tier FROM teams WHERE id = $1';
    return (await rowsOf<{ tier: string | null }>(app, text, [team]))[0]?.tier;
  };
  const newsCount = async () => {
    const text = `SELECT id FROM outbox WHERE team_id = $1 AND type = 'subscription.updated'`;
    return (await rowsOf(app, text, [owner.team.id])).length;
  };

  it('another process handles the event of a process that died', async () => {
    subscribe();
    expect(await app.postEvent(event())).toBe(200);
    expect(await elsewhere()).toBe(1);
    expect(await tierOf()).toBe('growth');
  });

  it('another worker repeats the query of a worker that died', async () => {
    subscribe();
    await app.postEvent(event());
    const claimed = await other.service.app.get(BillingCustomerRepository).claimDue(app.clock.now());
    expect(claimed.map(({ customerId }) => customerId)).toEqual([customer]);
    expect(await app.syncSubscriptions()).toBe(0);
    for (const { clock } of [app, other]) clock.advance(2 * MINUTE_MS);
    await app.syncSubscriptions();
    expect(await tierOf()).toBe('growth');
  });

  it('an event whose task could not be stored is not stored either, and is handled when it is sent again', async () => {
    subscribe();
    const news = event();
    const broken = 'broken_in_test CHECK (version < 0) NOT VALID';
    await rowsOf(app, `ALTER TABLE billing_customers ADD CONSTRAINT ${broken}`);
    try {
      expect(await app.postEvent(news)).toBe(500);
    } finally {
      await rowsOf(app, 'ALTER TABLE billing_customers DROP CONSTRAINT broken_in_test');
    }
    expect(await rowsOf(app, 'SELECT id FROM billing_events WHERE id = $1', [news.id])).toEqual([]);
    expect(await app.postEvent(news)).toBe(200);
    await app.syncSubscriptions();
    expect(await tierOf()).toBe('growth');
  });

  it('a result that is older than a newer event is discarded', async () => {
    const subscription = subscribe();
    await app.postEvent(event());
    const late = app.stripe.held.next(SUBSCRIPTIONS);
    const slow = app.syncSubscriptions();
    await late.reached;
    subscription.price = 'price_scale';
    await app.postEvent(event());
    await elsewhere();
    expect(await tierOf()).toBe('scale');
    late.release();
    await slow;
    expect(await tierOf()).toBe('scale');
    expect(await newsCount()).toBe(1);
  });

  it('an event that arrives during a query is not lost', async () => {
    const subscription = subscribe();
    await app.postEvent(event());
    const late = app.stripe.held.next(SUBSCRIPTIONS);
    const slow = elsewhere();
    await late.reached;
    subscription.price = 'price_scale';
    await app.postEvent(event());
    late.release();
    await slow;
    await app.syncSubscriptions();
    expect(await tierOf()).toBe('scale');
  });

  it('two workers publish one change once', async () => {
    subscribe();
    await app.postEvent(event());
    await Promise.all([app.syncSubscriptions(), elsewhere(), app.syncSubscriptions(), elsewhere()]);
    expect(await tierOf()).toBe('growth');
    expect(await newsCount()).toBe(1);
  });

  type Step = { act: 'buy' | 'price' | 'status'; which: number; price: string; status: string };
  const aStep: fc.Arbitrary<Step> = fc.record({
    act: fc.constantFrom('buy', 'price', 'status'),
    which: fc.nat(3),
    price: fc.constantFrom('price_starter', 'price_growth', 'price_growth_old', 'price_scale'),
    status: fc.constantFrom('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete'),
  });

  const RANK = ['price_starter', 'price_growth', 'price_scale'];
  const TIERS = [null, 'starter', 'growth', 'scale'];

  /** Applies the step to the customer's own subscriptions. */
  function live({ act, which, price, status }: Step, own: FakeSubscription[], buyer: string): void {
    const subscription = own[which % Math.max(1, own.length)];
    if (act === 'buy' || subscription === undefined) own.push(app.stripe.subscribe(buyer, price));
    else if (act === 'price') subscription.price = price;
    else subscription.status = status;
  }

  /** The expected tier: the highest that is paid, or in its grace period. */
  function expected(subscriptions: FakeSubscription[]): string | null {
    const paid = subscriptions.filter(({ status }) => ['active', 'trialing', 'past_due'].includes(status));
    const ranks = paid.map(({ price }) => RANK.indexOf(price.replace('_old', '')));
    return TIERS[Math.max(-1, ...ranks) + 1] ?? null;
  }

  it('events in any order, duplicated, at any time: the final state is that of the provider', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (steps, choices) => {
          const choose = (n: number) => (choices.next().value as number) % n;
          const team = await app.anAccount();
          const { customer: buyer } = await app.aCustomer(team.liveKey);
          const own: FakeSubscription[] = [];
          const events = steps.map((step) => {
            live(step, own, buyer);
            // The state inside the event is never read.
            return app.stripe.event('customer.subscription.updated', {
              customer: buyer,
              status: step.status,
            });
          });
          const sent = [...events, ...events].sort(() => choose(3) - 1);
          for (const event of sent) {
            expect(await app.postEvent(event)).toBe(200);
            if (choose(3) === 0) await app.syncSubscriptions();
          }
          await app.syncSubscriptions();
          expect(await tierOf(team.team.id)).toBe(expected(own));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('late and duplicate events during changes, handled by two workers: the same final state', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 2, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (steps, choices) => {
          const choose = (n: number) => (choices.next().value as number) % n;
          const team = await app.anAccount();
          const { customer: buyer } = await app.aCustomer(team.liveKey);
          const own: FakeSubscription[] = [];
          const undelivered: ReturnType<typeof event>[] = [];
          const working: Promise<number>[] = [];
          for (const step of steps) {
            live(step, own, buyer);
            undelivered.push(app.stripe.event('invoice.paid', { customer: buyer }));
            if (choose(2) === 0)
              await app.postEvent(undelivered.splice(choose(undelivered.length), 1)[0] ?? event());
            if (choose(2) === 0) working.push(app.syncSubscriptions(), elsewhere());
          }
          for (const event of undelivered) await app.postEvent(event);
          await Promise.all(working);
          // A discarded result has left the customer due.
          await app.syncSubscriptions();
          expect(await tierOf(team.team.id)).toBe(expected(own));
        },
      ),
      { numRuns: 20 },
    );
  });
});
