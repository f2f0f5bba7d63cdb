import type { TeamId } from '../../../kernel/principal.js';
import type { EntitlementResult } from './entitlement.js';

/** Port: alerts for the operator. */
export abstract class BillingAlerts {
  /** The provider could not be queried; it will be retried. */
  abstract syncFailed(team: TeamId, failures: number, error: unknown): void;
  /** Alerts about an unknown state or price, and about more than one paid subscription. */
  abstract synced(team: TeamId, result: EntitlementResult): void;
}
