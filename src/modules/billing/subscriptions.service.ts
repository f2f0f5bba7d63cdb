import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import type { TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/teams.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { BillingSettings } from './billing.service.js';
import { subscriptionUpdated } from './domain/billing.events.js';
import {
  askedAfterFailure,
  askedNext,
  askedNextWhenGone,
  type BillingCustomer,
} from './domain/billing-customer.js';
import { BillingCustomerRepository } from './domain/billing-customer.repository.js';
import { computeEntitlement, type Entitlement, type EntitlementResult } from './domain/entitlement.js';
import { PaymentProvider } from './domain/payment-provider.js';
import { isOver, type Subscription, type SubscriptionId } from './domain/subscription.js';

/** Port: what an operator has to look at. */
export abstract class BillingAlerts {
  /** The provider could not be asked; it will be asked again. */
  abstract notAsked(team: TeamId, failures: number, error: unknown): void;
  /** State or price mean nothing to us: the tier stays as it is. */
  abstract unclear(team: TeamId, subscriptions: readonly SubscriptionId[]): void;
  /** Somebody pays twice. */
  abstract several(team: TeamId, subscriptions: readonly SubscriptionId[]): void;
}

const EVENTS_KEPT_MS = 30 * 86_400_000;
const NOTHING: Entitlement = { tier: null, state: null, endsAt: null };

/**
 * The tier follows the subscription. News says only of whom; what is true is asked of the provider,
 * so that news may come twice, late, in any order, or never.
 */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly provider: PaymentProvider,
    private readonly customers: BillingCustomerRepository,
    private readonly teams: TeamsService,
    private readonly tiers: TiersService,
    private readonly settings: BillingSettings,
    private readonly alerts: BillingAlerts,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Asks about some who are due: there was news, an hour has passed, or a term has ended. @returns how many. */
  async syncDue(): Promise<number> {
    if (!this.provider.isConfigured) return 0;
    const due = await this.customers.claimDue(this.clock.now());
    await Promise.all(due.map((customer) => this.settle(customer)));
    return due.length;
  }

  /** The team is gone: what it pays for is to be canceled. Within the unit of work of the news. */
  endForTeam(teamId: TeamId): Promise<void> {
    return this.customers.requestSync(teamId);
  }

  /** The provider sends none again that is so old. @returns how many. */
  deleteOldEvents(): Promise<number> {
    return this.customers.deleteOldEvents(new Date(this.clock.now().getTime() - EVENTS_KEPT_MS));
  }

  private async settle(claimed: BillingCustomer): Promise<void> {
    try {
      const subscriptions = await this.provider.subscriptions(claimed.customerId);
      const isThere = (await this.teams.access(claimed.teamId, null)) !== null;
      if (isThere) await this.follow(claimed, subscriptions);
      else await this.end(claimed, subscriptions);
    } catch (error) {
      const failures = claimed.failures + 1;
      this.alerts.notAsked(claimed.teamId, failures, error);
      await this.customers.defer(claimed, askedAfterFailure(this.clock.now(), failures));
    }
  }

  /** @param subscriptions null: the customer was deleted there, and a new one may begin. */
  private follow(claimed: BillingCustomer, subscriptions: readonly Subscription[] | null): Promise<void> {
    return this.work.run(async () => {
      const customer = await this.customers.lockForUpdate(claimed);
      if (customer === null) return;
      const now = this.clock.now();
      const { graceMs } = this.settings;
      const tiers = this.tiers.names();
      const reckoning = computeEntitlement(subscriptions ?? [], { now, graceMs, tiers, current: customer });
      const inForce = await this.teams.setSubscriptionTier(customer.teamId, reckoning.tier);
      // Gone in this very moment: the next question will find it so.
      if (inForce === null) return this.customers.requestSync(customer.teamId);
      const { tier, state, endsAt, changesAt } = reckoning;
      const dueAt = askedNext(now, changesAt);
      await this.customers.saveState(customer.customerId, { tier, state, endsAt, dueAt, teamGoneAt: null });
      if (subscriptions === null) await this.customers.forget(customer.customerId);
      if (differ(customer, reckoning))
        await this.events.publish(subscriptionUpdated(customer.teamId, inForce, reckoning));
      this.work.afterCommit(() => this.alert(customer.teamId, reckoning));
    });
  }

  private async end(claimed: BillingCustomer, subscriptions: readonly Subscription[] | null): Promise<void> {
    const left = (subscriptions ?? []).filter((each) => !isOver(each));
    await Promise.all(left.map(({ id }) => this.provider.cancel(id)));
    await this.work.run(async () => {
      const customer = await this.customers.lockForUpdate(claimed);
      if (customer === null) return;
      const now = this.clock.now();
      const teamGoneAt = customer.teamGoneAt ?? now;
      const dueAt = askedNextWhenGone(now, teamGoneAt);
      await this.customers.saveState(customer.customerId, { ...NOTHING, teamGoneAt, dueAt });
    });
  }

  private alert(teamId: TeamId, { paid, unclear }: EntitlementResult): void {
    if (unclear.length > 0) this.alerts.unclear(teamId, unclear);
    if (paid.length > 1) this.alerts.several(teamId, paid);
  }
}

function differ(a: Entitlement, b: Entitlement): boolean {
  return a.tier !== b.tier || a.state !== b.state || a.endsAt?.getTime() !== b.endsAt?.getTime();
}
