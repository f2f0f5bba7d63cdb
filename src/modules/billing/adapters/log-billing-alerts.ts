import { Injectable } from '@nestjs/common';
import type { TeamId } from '../../../kernel/principal.js';
import { describeError, Log } from '../../../platform/telemetry/log.js';
import { BillingAlerts } from '../domain/billing-alerts.js';
import type { EntitlementResult } from '../domain/entitlement.js';

@Injectable()
export class LogBillingAlerts extends BillingAlerts {
  constructor(private readonly log: Log) {
    super();
  }

  syncFailed(team: TeamId, failures: number, error: unknown): void {
    this.log.warn(
      { team_id: team, failures, err: describeError(error) },
      'subscription could not be queried',
    );
  }

  synced(team: TeamId, { unknown, paid }: EntitlementResult): void {
    if (unknown.length > 0)
      this.log.error(
        { team_id: team, subscriptions: unknown },
        'a subscription has a state or a price that STRIPE_PRICES does not name; the tier stays',
      );
    if (paid.length > 1)
      this.log.error(
        { team_id: team, subscriptions: paid },
        'a team pays for several subscriptions; the highest counts',
      );
  }
}
