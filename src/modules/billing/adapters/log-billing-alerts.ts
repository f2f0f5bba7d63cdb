import { Injectable } from '@nestjs/common';
import type { TeamId } from '../../../kernel/principal.js';
import { describeError, Log } from '../../../platform/telemetry/log.js';
import { BillingAlerts } from '../domain/billing-alerts.js';
import type { SubscriptionId } from '../domain/subscription.js';

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

  unknown(team: TeamId, subscriptions: readonly SubscriptionId[]): void {
    this.log.error(
      { team_id: team, subscriptions },
      'a subscription has a state or a price that STRIPE_PRICES does not name; the tier stays',
    );
  }

  multiple(team: TeamId, subscriptions: readonly SubscriptionId[]): void {
    this.log.error(
      { team_id: team, subscriptions },
      'a team pays for several subscriptions; the highest counts',
    );
  }
}
