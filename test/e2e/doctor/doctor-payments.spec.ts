import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DoctorEnvironment } from '../../support/app/doctor.js';
import { FakeStripe, type Fault } from '../../support/billing/fake-stripe.js';

let world: DoctorEnvironment;
let stripe: FakeStripe;
beforeAll(async () => {
  world = await DoctorEnvironment.start();
  stripe = await FakeStripe.start();
});
afterEach(() => stripe.heal());
afterAll(async () => {
  await stripe.stop();
  await world.stop();
});

const look = async (env: Record<string, string> = {}) => {
  const { payments, ...others } = await world.examine({ ...stripe.env, ...env });
  expect(JSON.stringify({ payments, others })).not.toMatch(/sk_(test|live)_|whsec_fake/);
  return payments;
};

describe('the doctor’s check of Stripe', () => {
  it.each([false, true])(
    'is skipped when billing is not configured, offline or not (%s)',
    async (offline) => {
      expect((await world.examine({}, { offline })).payments).toMatchObject({
        level: 'pass',
        found: 'billing is off: no STRIPE_SECRET_KEY; nothing to do',
        whatToDo: null,
      });
      expect(stripe.seen).toEqual([]);
    },
  );

  it('verifies the key and the prices, and reports the mode', async () => {
    expect(await look()).toMatchObject({
      level: 'pass',
      found:
        'Stripe accepts the key, in test mode (nobody is charged), and has all 4 prices; the webhook secret is set',
    });
    expect(new Set(stripe.seen.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['growth', 'growth_old', 'scale', 'starter'].map((name) => `GET /v1/prices/price_${name}`)),
    );
  });

  it('verifies the key when no tier has a price, and warns', async () => {
    expect(await look({ STRIPE_PRICES: '' })).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/no tier has a price/),
      whatToDo: expect.stringMatching(/STRIPE_PRICES/),
    });
    stripe.fail('denied');
    expect(await look({ STRIPE_PRICES: '' })).toMatchObject({ level: 'fail' });
  });

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk_live_other' }, 'fail', /rejects the key/, /STRIPE_SECRET_KEY/],
    [{ STRIPE_API_BASE: 'http://127.0.0.1:9' }, 'fail', /does not respond at http/, /STRIPE_API_BASE/],
    [{ STRIPE_PRICES: 'growth=price_gone' }, 'fail', /price_gone of growth is unknown/, /same/],
    [{ STRIPE_PRICES: 'growth=price_growth_old' }, 'fail', /price_growth_old of growth is archived/, /first/],
    [{ STRIPE_PRICES: 'growth=price_once' }, 'fail', /price_once of growth is a one-time price/, /recurring/],
  ])('explains what is wrong with %j', async (env, level, found, whatToDo) => {
    stripe.prices.add('price_once');
    expect(await look(env)).toMatchObject({
      level,
      found: expect.stringMatching(found),
      whatToDo: expect.stringMatching(whatToDo),
    });
  });

  it.each<[Fault, string, RegExp]>([
    ['down', 'fail', /does not respond/],
    ['restricted', 'warn', /may not read prices/],
    [500, 'skipped', /an internal error/],
    [429, 'skipped', /an internal error/],
  ])('reports an error (%s)', async (error, level, found) => {
    // Stripe’s library retries once after a connection error.
    stripe.fail(error, 100);
    expect(await look()).toMatchObject({ level, found: expect.stringMatching(found) });
  });

  it('is skipped offline', async () => {
    stripe.seen.length = 0;
    const { payments } = await world.examine(stripe.env, { offline: true });
    expect(payments).toMatchObject({ level: 'skipped', found: expect.stringMatching(/^offline/) });
    expect(stripe.seen).toEqual([]);
  });
});
