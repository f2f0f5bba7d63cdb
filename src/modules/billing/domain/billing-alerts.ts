import type { TeamId } from '../../../kernel/principal.js';
import type { SubscriptionId } from './subscription.js';

/** Port: alerts for the operator. */
export abstract class BillingAlerts {
  /** The provider could not be queried; it will be retried. */
  abstract syncFailed(team: TeamId, failures: number, error: unknown): void;
  /** Unknown state or price: the tier is not changed. */
  abstract unknown(team: TeamId, subscriptions: readonly SubscriptionId[]): void;
  /** The team has more than one paid subscription. */
  abstract multiple(team: TeamId, subscriptions: readonly SubscriptionId[]): void;
}
