import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { TeamId, TierName } from '../../../kernel/principal.js';
import type { Entitlement } from './entitlement.js';

/** What a team pays for is otherwise than before. @param inForce the tier that it has now. */
export function subscriptionUpdated(
  teamId: TeamId,
  inForce: TierName,
  { tier, state, endsAt }: Entitlement,
): DomainEvent {
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
