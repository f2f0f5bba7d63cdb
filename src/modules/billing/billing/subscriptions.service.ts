import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Events } from '../../../kernel/events.js';
import type { TeamId } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Config } from '../../../platform/config/config.js';
import { describeError, Log } from '../../../platform/telemetry/log.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';
import {
  nextSyncAfterFailure,
  nextSyncAt,
  nextSyncAfterDeletion,
  type BillingCustomer,
} from './domain/billing-customer.js';
import { BillingCustomerRepository } from './domain/billing-customer.repository.js';
import { computeEntitlement, type Entitlement, type EntitlementResult } from './domain/entitlement.js';
import { PaymentProvider } from './domain/payment-provider.js';
import { isOver, type Subscription } from './domain/subscription.js';

const NO_ENTITLEMENT: Entitlement = { tier: null, state: null, endsAt: null };

/**
 * Keeps the tier in step with the subscription. An event identifies only the customer; the current
 * state is queried from the provider, so events may be duplicated, late, out of order or lost.
 */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly provider: PaymentProvider,
    private readonly customers: BillingCustomerRepository,
    private readonly teams: TeamsService,
    private readonly tiers: TiersService,
    private readonly config: Config,
    private readonly log: Log,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Synchronizes some customers that are due after an event, an hour, or the end of a term. @returns
   * how many.
   */
  async syncDue(): Promise<number> {
    if (!this.provider.isConfigured) return 0;
    const due = await this.customers.claimDue(this.clock.now());
    await Promise.all(due.map((customer) => this.sync(customer)));
    return due.length;
  }

  /** Cancels the subscriptions of a deleted team, within the unit of work of the event. */
  endForTeam(teamId: TeamId): Promise<void> {
    return this.customers.requestSync(teamId);
  }

  private async sync(claimed: BillingCustomer): Promise<void> {
    try {
      const subscriptions = await this.provider.subscriptions(claimed.customerId);
      const teamExists = (await this.teams.access(claimed.teamId, null)) !== null;
      if (teamExists) await this.apply(claimed, subscriptions);
      else await this.cancelAll(claimed, subscriptions);
    } catch (error) {
      const failures = claimed.failures + 1;
      this.log.warn(
        { team_id: claimed.teamId, failures, err: describeError(error) },
        'subscription could not be queried',
      );
      await this.customers.defer(claimed, nextSyncAfterFailure(this.clock.now(), failures));
    }
  }

  /** @param subscriptions null: the customer was deleted, and a new one may be created. */
  private apply(claimed: BillingCustomer, subscriptions: readonly Subscription[] | null): Promise<void> {
    return this.work.run(async () => {
      const customer = await this.customers.findForUpdate(claimed);
      if (customer === null) return;
      const now = this.clock.now();
      const graceMs = this.config.billingGraceMs;
      const tiers = this.tiers.names();
      const entitlement = computeEntitlement(subscriptions ?? [], { now, graceMs, tiers, current: customer });
      const inForce = await this.teams.setSubscriptionTier(customer.teamId, entitlement.tier);
      // Deleted in the meantime: the next synchronization handles it.
      if (inForce === null) return this.customers.requestSync(customer.teamId);
      const { tier, state, endsAt, changesAt } = entitlement;
      const dueAt = nextSyncAt(now, changesAt);
      await this.customers.saveState(customer.customerId, { tier, state, endsAt, dueAt, teamGoneAt: null });
      if (subscriptions === null) await this.customers.delete(customer.customerId);
      if (differ(customer, entitlement)) {
        const ends_at = endsAt?.toISOString() ?? null;
        const data = { tier: inForce, subscription_tier: tier, status: state, ends_at };
        await this.events.publish({ type: 'subscription.updated', teamId: customer.teamId, data });
      }
      this.work.afterCommit(() => this.warn(customer.teamId, entitlement));
    });
  }

  /** Tells the operator of an unknown state or price, and of more than one paid subscription. */
  private warn(teamId: TeamId, { unknown, paid }: EntitlementResult): void {
    if (unknown.length > 0)
      this.log.error(
        { team_id: teamId, subscriptions: unknown },
        'a subscription has a state or a price that STRIPE_PRICES does not name; the tier stays',
      );
    if (paid.length > 1)
      this.log.error(
        { team_id: teamId, subscriptions: paid },
        'a team pays for several subscriptions; the highest counts',
      );
  }

  private async cancelAll(
    claimed: BillingCustomer,
    subscriptions: readonly Subscription[] | null,
  ): Promise<void> {
    const remaining = (subscriptions ?? []).filter((subscription) => !isOver(subscription));
    await Promise.all(remaining.map(({ id }) => this.provider.cancel(id)));
    await this.work.run(async () => {
      const customer = await this.customers.findForUpdate(claimed);
      if (customer === null) return;
      const now = this.clock.now();
      const teamGoneAt = customer.teamGoneAt ?? now;
      const dueAt = nextSyncAfterDeletion(now, teamGoneAt);
      await this.customers.saveState(customer.customerId, { ...NO_ENTITLEMENT, teamGoneAt, dueAt });
    });
  }
}

function differ(a: Entitlement, b: Entitlement): boolean {
  return a.tier !== b.tier || a.state !== b.state || a.endsAt?.getTime() !== b.endsAt?.getTime();
}
