import type { TierName } from '../../../../kernel/principal.js';

export type SubscriptionId = string;

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

export interface Subscription {
  id: SubscriptionId;
  /** null: an unknown state. */
  state: SubscriptionState | null;
  /** The tier of its price; null: an unknown price. */
  tier: TierName | null;
  startedAt: Date;
  /** When it ends; null: no end is scheduled. */
  endsAt: Date | null;
  /** When its payment first failed; null: no payment is due. */
  failedAt: Date | null;
}

/** Whether it has started and not ended, so that a second one would be an error. */
export function isLive(subscription: Subscription): boolean {
  return subscription.state !== 'incomplete' && !isOver(subscription);
}

/** Whether it can no longer be charged. */
export function isOver({ state }: Subscription): boolean {
  return state === 'canceled' || state === 'incomplete_expired';
}
