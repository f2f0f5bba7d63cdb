import { expect } from '@jest/globals';
import { ScheduledTasks } from '../../../src/platform/time/scheduled-tasks.js';
import { anApp, type TestApp } from '../app/app.js';
import { FakeStripe } from './fake-stripe.js';

/** A service with billing and a fake Stripe. */
export interface BillingApp extends TestApp {
  stripe: FakeStripe;
  /** Starts a checkout, which creates the customer of the team. */
  aCustomer(key: string, tier?: string): Promise<{ customer: string; checkoutUrl: string }>;
  /** Posts an event, as Stripe does. */
  postEvent(event: { body: string; signature: string }): Promise<number>;
  /** Runs the synchronization task of the worker until nothing is left. */
  syncSubscriptions(): Promise<number>;
  dispatchBillingEvents(): Promise<number>;
  tierOf(key: string): Promise<string>;
}

export async function aBillingApp(env: Record<string, string> = {}): Promise<BillingApp> {
  const stripe = await FakeStripe.start();
  const app = await anApp({ ...stripe.env, ...env });
  stripe.clock = app.clock;
  const run = (task: string) => app.service.app.get(ScheduledTasks).run(task);
  const stop = app.stop.bind(app);
  return Object.assign(app, {
    stripe,
    aCustomer: async (key: string, tier = 'growth') => {
      const answer = await app.post('/v1/billing/subscribe', key).send({ tier });
      expect(answer.status).toBe(200);
      const customer = [...stripe.customers.keys()].at(-1) ?? '';
      return { customer, checkoutUrl: (answer.body as { url: string }).url };
    },
    postEvent: async ({ body, signature }: { body: string; signature: string }) => {
      const sending = app.post('/webhooks/stripe').set('Content-Type', 'application/json');
      return (await sending.set('Stripe-Signature', signature).send(body)).status;
    },
    syncSubscriptions: async () => {
      let settled = 0;
      for (let some = -1; some !== 0; settled += some) some = await run('synchronize subscriptions');
      return settled;
    },
    dispatchBillingEvents: () => app.dispatchEvents(),
    tierOf: async (key: string) => {
      const answer = await app.get('/v1/team', key);
      expect(answer.status).toBe(200);
      return (answer.body as { tier: string }).tier;
    },
    stop: async () => {
      await stop();
      await stripe.stop();
    },
  });
}
