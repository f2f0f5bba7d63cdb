import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pause } from '../../../src/kernel/service-state/pause.js';
import { StripePaymentProvider } from '../../../src/modules/billing/billing/adapters/stripe-payment-provider.js';
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '../../../src/modules/billing/billing/domain/billing.errors.js';
import { PrometheusMeter } from '../../../src/platform/telemetry/prometheus-meter.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { FakeStripe, type Fault } from '../../support/billing/fake-stripe.js';

/** Stripe's library against a Stripe with every HTTP failure. */
describe('the payment provider', () => {
  let stripe: FakeStripe;
  let provider: StripePaymentProvider;
  let customer: string;
  const lines: string[] = [];
  const log = {
    warn: (facts: object, message: string) =>
      void lines.push(JSON.stringify({ level: 'warn', message, ...facts })),
    error: (facts: object, message: string) =>
      void lines.push(JSON.stringify({ level: 'error', message, ...facts })),
  };

  const aProvider = (changes: { secretKey?: string } = {}, maxNetworkRetries = 0) =>
    new StripePaymentProvider(
      {
        secretKey: stripe.secretKey,
        webhookSecret: stripe.webhookSecret,
        apiBase: stripe.url,
        prices: [
          { tier: 'starter', price: 'price_starter' },
          { tier: 'growth', price: 'price_growth' },
          { tier: 'growth', price: 'price_growth_old' },
        ],
        ...changes,
      },
      log,
      new PrometheusMeter(new SystemClock()),
      new Pause(),
      { timeout: 1_500, maxNetworkRetries },
    );
  const purchase = () => ({
    teamId: 'team_1',
    customerId: customer,
    tier: 'growth',
    successUrl: 'https://a.example/',
    cancelUrl: 'https://a.example/',
  });

  beforeAll(async () => {
    stripe = await FakeStripe.start();
    provider = aProvider();
  });
  beforeEach(async () => {
    customer = await provider.createCustomer('team_1', `once-${stripe.seen.length}`);
    lines.length = 0;
    stripe.seen.length = 0;
  });
  afterEach(() => stripe.heal());
  afterAll(() => stripe.stop());

  const QUESTIONS: [string, () => Promise<unknown>][] = [
    ['a customer', () => provider.createCustomer('team_2', `once-2-${stripe.seen.length}`)],
    ['a checkout', () => provider.openCheckout(purchase(), null)],
    ['the portal', () => provider.openPortal(customer, 'https://a.example/', null)],
    ['invoices', () => provider.invoices(customer, { limit: 10, after: null })],
    ['subscriptions', () => provider.subscriptions(customer)],
    ['an end', () => provider.cancel('sub_1')],
  ];
  const PASSING: Fault[] = ['down', 'slow', 'lost', 'truncated', 'nonsense', 429, 500];
  const LASTING: Fault[] = ['card', 'denied'];

  // All calls concurrently: the library waits before it reconnects.
  it.each(PASSING)('is unavailable when it is %s, for every call', async (fault) => {
    // Twice each: the library always retries once after a closed connection.
    stripe.fail(fault, 2 * QUESTIONS.length);
    const answer = (ask: () => Promise<unknown>) => ask().catch((error: unknown) => error);
    const answers = await Promise.all(QUESTIONS.map(async ([name, ask]) => [name, await answer(ask)]));
    const unavailable: unknown = expect.any(PaymentProviderUnavailable);
    expect(answers).toEqual(QUESTIONS.map(([name]) => [name, unavailable]));
    expect(lines).toHaveLength(QUESTIONS.length);
  });

  it.each(LASTING.flatMap((fault) => QUESTIONS.map(([name, ask]) => [fault, name, ask] as const)))(
    'has refused when its response is "%s" to the call %s',
    async (fault, _, ask) => {
      stripe.fail(fault);
      await expect(ask()).rejects.toBeInstanceOf(PaymentProviderRefused);
      expect(lines).toEqual([expect.stringContaining('"provider_request_id":"req_fake"')]);
      expect(lines[0]).toContain('"level":"error"');
    },
  );

  it('does not repeat Stripe’s messages, which may contain keys and addresses', async () => {
    stripe.fail('denied');
    const error: Error = (await provider.subscriptions(customer).catch((thrown: Error) => thrown)) as Error;
    for (const text of [error.message, ...lines]) expect(text).not.toMatch(/sk_test|jane@|Something about/);
  });

  it('has refused when a price, a customer or the key does not exist', async () => {
    stripe.prices.delete('price_growth');
    await expect(provider.openCheckout(purchase(), null)).rejects.toBeInstanceOf(PaymentProviderRefused);
    stripe.prices.add('price_growth');
    await expect(provider.openPortal('cus_none', 'https://a.example/', null)).rejects.toBeInstanceOf(
      PaymentProviderRefused,
    );
    await expect(aProvider({ secretKey: 'sk_test_other' }).cancel('sub_1')).rejects.toBeInstanceOf(
      PaymentProviderRefused,
    );
  });

  it('retries a failed call with the same idempotency key', async () => {
    const patient = aProvider({}, 2);
    stripe.fail(500);
    stripe.fail('lost');
    await patient.openCheckout(purchase(), 'once-more');
    expect(stripe.seen.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(3).fill('once-more'));
  });

  it('has refused a repeated call with other parameters', async () => {
    await provider.openPortal(customer, 'https://a.example/', 'once-7');
    await expect(provider.openPortal(customer, 'https://b.example/', 'once-7')).rejects.toBeInstanceOf(
      PaymentProviderRefused,
    );
  });

  it('returns every subscription of a customer, over pages, with the tier of old prices too', async () => {
    for (let n = 0; n < 103; n++) stripe.subscribe(customer, 'price_starter', { status: 'canceled' });
    stripe.subscribe(customer, 'price_growth_old');
    const subscriptions = await provider.subscriptions(customer);
    expect(subscriptions).toHaveLength(104);
    expect(subscriptions?.[0]).toMatchObject({
      state: 'active',
      tier: 'growth',
      endsAt: null,
      failedAt: null,
    });
    expect(provider.tiersOnSale).toEqual(['starter', 'growth']);
  });

  it('returns the scheduled end, and unknown states and prices', async () => {
    stripe.subscribe(customer, 'price_growth', { cancel_at_period_end: true, period: [1_000, 2_000] });
    stripe.subscribe(customer, 'price_growth', { cancel_at: 3_000 });
    stripe.subscribe(customer, 'price_of_something_else', { status: 'hibernating' });
    const [strange, dated, ending] = (await provider.subscriptions(customer)) ?? [];
    expect(ending?.endsAt).toEqual(new Date(2_000_000));
    expect(dated?.endsAt).toEqual(new Date(3_000_000));
    expect(strange).toMatchObject({ state: null, tier: null });
  });

  it('dates a failure by the oldest open invoice with a failed charge', async () => {
    const period: [number, number] = [5_000, 9_000];
    const { id } = stripe.subscribe(customer, 'price_growth', { status: 'past_due', period });
    const failedAt = async () => (await provider.subscriptions(customer))?.[0]?.failedAt;
    expect(await failedAt()).toEqual(new Date(5_000_000));
    const bill = (at: number, status = 'open', attempted = true) =>
      stripe.bill(customer, { subscription: id, created: at - 60, finalized_at: at, status, attempted });
    bill(6_000, 'paid');
    bill(6_500, 'open', false);
    bill(7_000);
    bill(8_000);
    expect(await failedAt()).toEqual(new Date(7_000_000));
  });

  it('distinguishes a deleted customer from one that our key cannot see', async () => {
    const known = stripe.customers.get(customer);
    if (known) known.deleted = true;
    expect(await provider.subscriptions(customer)).toBeNull();
    await expect(provider.subscriptions('cus_of_another_account')).rejects.toBeInstanceOf(
      PaymentProviderRefused,
    );
  });
});
