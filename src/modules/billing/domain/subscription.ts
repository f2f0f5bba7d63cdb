import type { TierName } from '../../../kernel/principal.js';

/** The provider's name of a subscription. */
export type SubscriptionId = string;

/** Where a subscription is in its life. */
export const SUBSCRIPTION_STATES = [
  'trialing',
  'active',
  'past_due',
  'incomplete',
  'incomplete_expired',
  'unpaid',
  'canceled',
  'paused',
] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** A subscription as the provider knows it at this moment. */
export interface Subscription {
  id: SubscriptionId;
  /** null: a state that we do not know. */
  state: SubscriptionState | null;
  /** The tier that its price stands for; null: a price that we do not know. */
  tier: TierName | null;
  startedAt: Date;
  /** When it will end by itself; null: not as far as anybody knows. */
  endsAt: Date | null;
  /** When its payment first failed; null: nothing is owed. */
  failedAt: Date | null;
}

/** Whether a second one beside it would be a mistake: it has begun, and has not ended as far as we know. */
export function isLive(subscription: Subscription): boolean {
  return subscription.state !== 'incomplete' && !isOver(subscription);
}

/** Whether nobody can be charged for it any more. */
export function isOver({ state }: Subscription): boolean {
  return state === 'canceled' || state === 'incomplete_expired';
}
