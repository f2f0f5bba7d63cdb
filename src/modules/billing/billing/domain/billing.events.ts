import type { TierName } from '../../../../kernel/principal.js';

declare module '../../../../kernel/events.js' {
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
