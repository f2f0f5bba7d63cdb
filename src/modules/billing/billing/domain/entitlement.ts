import type { TierName } from '../../../../kernel/principal.js';
import type { Subscription, SubscriptionId, SubscriptionState } from './subscription.js';
import { least } from '../../../../kernel/long-lists.js';

export interface Entitlement {
  /** null: nothing beyond the base tier. */
  tier: TierName | null;
  /** The state of the decisive subscription; null: there is none. */
  state: SubscriptionState | null;
  /** When that subscription or its grace period ends; null: neither. */
  endsAt: Date | null;
}

/** The entitlement, with details for scheduling and the log. */
export interface EntitlementResult extends Entitlement {
  /** When it changes without an event; null: never. */
  changesAt: Date | null;
  /** Subscriptions that grant a tier. More than one is an error. */
  paid: readonly SubscriptionId[];
  unknown: readonly SubscriptionId[];
}

export interface EntitlementInput {
  now: Date;
  /** How long a tier is kept after a failed payment. */
  graceMs: number;
  /** In ascending order. */
  tiers: readonly TierName[];
  current: Entitlement;
}

/**
 * The highest tier that is paid for. An unknown subscription changes nothing: the team keeps at least
 * its previous tier.
 */
export function computeEntitlement(
  subscriptions: readonly Subscription[],
  input: EntitlementInput,
): EntitlementResult {
  const { now, tiers, current } = input;
  const rank = (tier: TierName | null) => (tier === null ? -1 : tiers.indexOf(tier));
  const dated = subscriptions.map((subscription) => ({
    ...subscription,
    ...grantOf(subscription, input),
  }));
  const newest = dated.toSorted(newerFirst);
  const paid = newest.filter(({ grants }) => grants === 'tier').sort((a, b) => rank(b.tier) - rank(a.tier));
  const unknown = newest.filter(({ grants }) => grants === 'unknown');
  const [best] = paid;
  const [decisive] = [...paid, ...newest];
  const isCertain = best !== undefined && rank(best.tier) >= rank(current.tier);
  const keepsCurrent = unknown.length > 0 && !isCertain;
  const changes = dated.flatMap(({ until }) => (until !== null && until > now ? [until.getTime()] : []));
  return {
    tier: best?.tier ?? null,
    state: decisive?.state ?? null,
    endsAt: best?.until ?? null,
    ...(keepsCurrent && current),
    changesAt: changes.length === 0 ? null : new Date(least(changes)),
    paid: paid.map(({ id }) => id),
    unknown: unknown.map(({ id }) => id),
  };
}

interface Grant {
  grants: 'tier' | 'nothing' | 'unknown';
  /** null: no end. */
  until: Date | null;
}

const NOTHING: Grant = { grants: 'nothing', until: null };

function grantOf(subscription: Subscription, { now, graceMs }: EntitlementInput): Grant {
  const { state, tier } = subscription;
  if (state === null) return { grants: 'unknown', until: null };
  if (state !== 'trialing' && state !== 'active' && state !== 'past_due') return NOTHING;
  if (tier === null) return { grants: 'unknown', until: null };
  const until = earlier(subscription.endsAt, state === 'past_due' ? graceEnd(subscription, graceMs) : null);
  return { grants: until !== null && until <= now ? 'nothing' : 'tier', until };
}

function graceEnd({ failedAt, startedAt }: Subscription, graceMs: number): Date {
  return new Date((failedAt ?? startedAt).getTime() + graceMs);
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Ordered by id too, so that the result does not depend on the order of the list. */
function newerFirst(a: Subscription, b: Subscription): number {
  return b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? -1 : 1);
}
