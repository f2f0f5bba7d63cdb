import { expect } from '@jest/globals';
import { ScheduledTasks } from '../../src/platform/time/scheduled-tasks.js';
import { anApp, type TestApp } from './app.js';
import { FakeStripe } from './fake-stripe.js';

/** A service that sells tiers, and whoever takes the money. */
export interface SellingApp extends TestApp {
  stripe: FakeStripe;
  /** The buyer is at the provider's: the team is its customer now. */
  aCustomer(key: string, tier?: string): Promise<{ customer: string; checkoutUrl: string }>;
  /** Hands an event in, as the provider would. */
  tell(event: { body: string; signature: string }): Promise<number>;
  /** What the worker does now and then. */
  settle(): Promise<number>;
  tellNews(): Promise<number>;
  tierOf(key: string): Promise<string>;
}

export async function aSellingApp(env: Record<string, string> = {}): Promise<SellingApp> {
  const stripe = await FakeStripe.start();
  const app = await anApp({ ...stripe.env, ...env });
  stripe.clock = app.clock;
  const run = (task: string) => app.service.app.get(ScheduledTasks).run(task);
  return {
    ...app,
    stripe,
    aCustomer: async (key, tier = 'growth') => {
      const answer = await app.post('/v1/billing/subscribe', key).send({ tier });
      expect(answer.status).toBe(200);
      const customer = [...stripe.customers.keys()].at(-1) ?? '';
      return { customer, checkoutUrl: (answer.body as { url: string }).url };
    },
    tell: async ({ body, signature }) => {
      const sending = app.post('/webhooks/stripe').set('Content-Type', 'application/json');
      return (await sending.set('Stripe-Signature', signature).send(body)).status;
    },
    settle: async () => {
      let settled = 0;
      for (let some = -1; some !== 0; settled += some) some = await run('synchronize subscriptions');
      return settled;
    },
    tellNews: () => app.dispatchEvents(),
    tierOf: async (key) => {
      const answer = await app.get('/v1/team', key);
      expect(answer.status).toBe(200);
      return (answer.body as { tier: string }).tier;
    },
    stop: async () => {
      await app.stop();
      await stripe.stop();
    },
  };
}
