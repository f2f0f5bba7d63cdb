import type { EventOf } from '../../../kernel/events.js';
import type { TeamId, TierName } from '../../../kernel/principal.js';
import type { Entitlement } from './entitlement.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'subscription.updated': {
      /** In force. */
      tier: TierName;
      /** null: the subscription gives none. */
      subscription_tier: TierName | null;
      /** As the payment provider calls it; null: there is no subscription. */
      status: string | null;
      /** ISO 8601; null: it has no end. */
      ends_at: string | null;
    };
  }
}

/** The team's subscription has changed. @param inForce the tier in force. */
export function subscriptionUpdated(
  teamId: TeamId,
  inForce: TierName,
  { tier, state, endsAt }: Entitlement,
): EventOf<'subscription.updated'> {
  return {
    type: 'subscription.updated',
    teamId,
    data: {
      tier: inForce,
      subscription_tier: tier,
      status: state,
      ends_at: endsAt?.toISOString() ?? null,
    },
  };
}
