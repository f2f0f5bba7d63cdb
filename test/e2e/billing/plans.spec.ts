import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

interface Plan {
  tier: string;
  is_current: boolean;
  daily_quota: number | null;
  bulk_limit: number;
  price: { amount: number; currency: string; interval: string; interval_count: number } | null;
}

const plansOf = async (app: Pick<TestApp, 'get'>, key: string) => {
  const answer = await app.get('/v1/billing/plans', key);
  expect(answer.status).toBe(200);
  return (answer.body as { data: Plan[] }).data;
};

describe('the plans of a team', () => {
  let app: BillingApp;

  beforeAll(async () => {
    app = await aBillingApp();
  });
  afterAll(() => app.stop());

  it('are its own and those on sale, from the lowest, with limits and the prices of Stripe', async () => {
    const { liveKey } = await app.anAccount('free');
    const plans = await plansOf(app, liveKey);
    expect(plans[0]).toMatchObject({ tier: 'free', is_current: true, daily_quota: 100, price: null });
    const growth = plans.find(({ tier }) => tier === 'growth');
    expect(growth).toMatchObject({ is_current: false, daily_quota: 10_000, bulk_limit: 10_000 });
    expect(growth?.price).toMatchObject({ currency: expect.any(String), amount: expect.any(Number) });
    expect(plans.map(({ daily_quota: quota }) => quota)).toEqual(
      plans.map(({ daily_quota: quota }) => quota).toSorted((a, b) => Number(a) - Number(b)),
    );
  });

  it('name no price while Stripe does not answer', async () => {
    const slow = await aBillingApp();
    try {
      slow.stripe.fail('down', 99, /prices/);
      const { liveKey } = await slow.anAccount('free');
      for (const { price } of await plansOf(slow, liveKey)) expect(price).toBeNull();
    } finally {
      await slow.stop();
    }
  });

  it('are the own one alone where nothing is sold', async () => {
    const unsold = await anApp();
    try {
      const { liveKey } = await unsold.anAccount('free');
      expect((await plansOf(unsold, liveKey)).map(({ tier }) => tier)).toEqual(['free']);
    } finally {
      await unsold.stop();
    }
  });
});
