import type { TierName } from '../../../kernel/principal.js';
import type { Subscription, SubscriptionId, SubscriptionState } from './subscription.js';

/** What a team's subscriptions give it. */
export interface Entitlement {
  /** null: nothing beyond the base tier. */
  tier: TierName | null;
  /** Of the subscription that decides; null: there is none. */
  state: SubscriptionState | null;
  /** When that one ends by itself, or its grace does; null: neither. */
  endsAt: Date | null;
}

/** The same, and what somebody should know about it. */
export interface EntitlementResult extends Entitlement {
  /** When it will be otherwise, with nobody telling us; null: never. */
  changesAt: Date | null;
  /** Those that give a tier. Two are one too many. */
  paid: readonly SubscriptionId[];
  /** Those whose state or price we do not know. */
  unclear: readonly SubscriptionId[];
}

export interface Circumstances {
  now: Date;
  /** How long a tier stays when its payment has failed. */
  graceMs: number;
  /** In rising order. */
  tiers: readonly TierName[];
  /** What was given until now. */
  current: Entitlement;
}

/**
 * The highest tier that is paid for. A subscription that we do not understand changes nothing:
 * the team keeps at least what it had.
 */
export function computeEntitlement(
  subscriptions: readonly Subscription[],
  circumstances: Circumstances,
): EntitlementResult {
  const { now, tiers, current } = circumstances;
  const rank = (tier: TierName | null) => (tier === null ? -1 : tiers.indexOf(tier));
  const each = subscriptions.map((subscription) => ({
    ...subscription,
    ...worth(subscription, circumstances),
  }));
  const newest = each.toSorted(newerFirst);
  const paid = newest.filter(({ gives }) => gives === 'tier').sort((a, b) => rank(b.tier) - rank(a.tier));
  const unclear = newest.filter(({ gives }) => gives === 'unclear');
  const [best] = paid;
  const [decides] = [...paid, ...newest];
  const known = best !== undefined && rank(best.tier) >= rank(current.tier);
  const keeps = unclear.length > 0 && !known;
  const changes = each.flatMap(({ until }) => (until !== null && until > now ? [until.getTime()] : []));
  return {
    tier: best?.tier ?? null,
    state: decides?.state ?? null,
    endsAt: best?.until ?? null,
    ...(keeps && current),
    changesAt: changes.length === 0 ? null : new Date(Math.min(...changes)),
    paid: paid.map(({ id }) => id),
    unclear: unclear.map(({ id }) => id),
  };
}

interface Worth {
  gives: 'tier' | 'nothing' | 'unclear';
  /** null: until somebody changes it. */
  until: Date | null;
}

const NOTHING: Worth = { gives: 'nothing', until: null };

function worth(subscription: Subscription, { now, graceMs }: Circumstances): Worth {
  const { state, tier } = subscription;
  if (state === null) return { gives: 'unclear', until: null };
  if (state !== 'trialing' && state !== 'active' && state !== 'past_due') return NOTHING;
  if (tier === null) return { gives: 'unclear', until: null };
  const until = earlier(subscription.endsAt, state === 'past_due' ? graceEnd(subscription, graceMs) : null);
  return { gives: until !== null && until <= now ? 'nothing' : 'tier', until };
}

function graceEnd({ failedAt, startedAt }: Subscription, graceMs: number): Date {
  return new Date((failedAt ?? startedAt).getTime() + graceMs);
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** By id too, so that the order in which they are listed decides nothing. */
function newerFirst(a: Subscription, b: Subscription): number {
  return b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? -1 : 1);
}
