import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { computeEntitlement, type EntitlementInput, type Entitlement } from './entitlement.js';
import { SUBSCRIPTION_STATES, type Subscription } from './subscription.js';
import { DAY_MS } from '../../../../kernel/durations.js';

const now = new Date('2030-01-10T00:00:00Z');
const days = (n: number) => new Date(now.getTime() + n * DAY_MS);
const NOTHING: Entitlement = { tier: null, state: null, endsAt: null };
const circumstances: EntitlementInput = {
  now,
  graceMs: 7 * DAY_MS,
  tiers: ['suspended', 'free', 'starter', 'growth', 'scale', 'unlimited'],
  current: NOTHING,
};

const a = (changes: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  state: 'active',
  tier: 'growth',
  startedAt: days(-30),
  endsAt: null,
  failedAt: null,
  ...changes,
});
const given = (subscriptions: Subscription[], current: Entitlement = NOTHING) =>
  computeEntitlement(subscriptions, { ...circumstances, current });

describe('the entitlement of a subscription', () => {
  it.each(['trialing', 'active'] as const)('%s: its tier', (state) => {
    expect(given([a({ state })])).toMatchObject({ tier: 'growth', state, endsAt: null, changesAt: null });
  });

  it.each(['incomplete', 'incomplete_expired', 'unpaid', 'canceled', 'paused'] as const)(
    '%s: nothing',
    (state) => {
      expect(given([a({ state })])).toMatchObject({ tier: null, state, paid: [], unknown: [] });
    },
  );

  it('past due: its tier until the end of the grace period, counted from the first failure', () => {
    const failedFor = (n: number) => given([a({ state: 'past_due', failedAt: days(-n) })]);
    expect(failedFor(0)).toMatchObject({ tier: 'growth', endsAt: days(7), changesAt: days(7) });
    expect(failedFor(6.9)).toMatchObject({ tier: 'growth', state: 'past_due' });
    expect(failedFor(7)).toMatchObject({ tier: null, state: 'past_due', endsAt: null, changesAt: null });
    expect(failedFor(30)).toMatchObject({ tier: null });
  });

  it('to be canceled: its tier until then', () => {
    expect(given([a({ endsAt: days(3) })])).toMatchObject({
      tier: 'growth',
      endsAt: days(3),
      changesAt: days(3),
    });
    expect(given([a({ endsAt: now })])).toMatchObject({ tier: null });
    const both = a({ state: 'past_due', failedAt: days(-1), endsAt: days(2) });
    expect(given([both])).toMatchObject({ tier: 'growth', endsAt: days(2) });
  });

  it('none: nothing', () => {
    expect(given([])).toEqual({ ...NOTHING, changesAt: null, paid: [], unknown: [] });
  });
});

describe('an unknown state or price', () => {
  const current: Entitlement = { tier: 'growth', state: 'active', endsAt: days(5) };

  it.each([
    ['state', a({ state: null })],
    ['price', a({ tier: null })],
  ])('(%s) changes nothing, and is reported', (_, strange) => {
    expect(given([strange], current)).toMatchObject({ ...current, unknown: ['sub_1'] });
    expect(given([strange])).toMatchObject({ ...NOTHING, unknown: ['sub_1'] });
  });

  it('takes nothing away, and does not prevent a higher tier', () => {
    const strange = a({ id: 'sub_2', tier: null });
    expect(given([strange, a({ tier: 'starter' })], current)).toMatchObject(current);
    expect(given([strange, a({ tier: 'scale' })], current)).toMatchObject({ tier: 'scale', endsAt: null });
    expect(given([strange, a()], current)).toMatchObject({ tier: 'growth', endsAt: null });
  });

  it('is ignored once it has ended', () => {
    for (const state of ['canceled', 'unpaid', 'incomplete'] as const)
      expect(given([a({ tier: null, state })], current)).toMatchObject({ tier: null, unknown: [] });
  });
});

describe('several subscriptions', () => {
  it('grant the highest paid tier, and all paid ones are reported', () => {
    const several = [
      a({ id: 'sub_1', tier: 'starter', startedAt: days(-1) }),
      a({ id: 'sub_2', tier: 'scale', startedAt: days(-9) }),
      a({ id: 'sub_3', tier: 'unlimited', state: 'canceled', startedAt: days(-2) }),
    ];
    expect(given(several)).toMatchObject({ tier: 'scale', state: 'active', paid: ['sub_2', 'sub_1'] });
  });

  it('change when the first of them does', () => {
    const several = [a({ endsAt: days(9) }), a({ id: 'sub_2', tier: 'starter', endsAt: days(4) })];
    expect(given(several)).toMatchObject({ tier: 'growth', endsAt: days(9), changesAt: days(4) });
  });

  const aMoment = fc.option(fc.integer({ min: -20, max: 20 }).map(days), { nil: null });
  const any = fc.record({
    id: fc.constantFrom('sub_1', 'sub_2', 'sub_3', 'sub_4', 'sub_5'),
    state: fc.constantFrom(...SUBSCRIPTION_STATES, null),
    tier: fc.constantFrom('starter', 'growth', 'scale', null),
    startedAt: fc.integer({ min: -5, max: 0 }).map(days),
    endsAt: aMoment,
    failedAt: aMoment,
  });
  const subscriptionsOf = fc.uniqueArray(any, { selector: ({ id }) => id, maxLength: 5 });
  const anyCurrent = fc.record({
    tier: fc.constantFrom('starter', 'growth', null),
    state: fc.constantFrom('active' as const, null),
    endsAt: aMoment,
  });

  it('give the same result in any order', () => {
    fc.assert(
      fc.property(
        subscriptionsOf.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        anyCurrent,
        ([all, shuffled], current) => {
          expect(given(shuffled, current)).toEqual(given(all, current));
        },
      ),
    );
  });

  it('give the same result again', () => {
    fc.assert(
      fc.property(subscriptionsOf, anyCurrent, (all, current) => {
        const { tier, state, endsAt, ...rest } = given(all, current);
        expect(given(all, { tier, state, endsAt })).toEqual({ tier, state, endsAt, ...rest });
      }),
    );
  });
});
