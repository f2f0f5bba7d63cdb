import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import type { Principal, TeamId, TierName } from '../../../kernel/principal.js';
import { Meter } from '../../../kernel/meter.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Config } from '../../../platform/config/config.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { BillingUnconfigured, InvalidSignature, NoBillingCustomer } from './domain/billing.errors.js';
import { nextSyncAt } from './domain/billing-customer.js';
import { BillingCustomerRepository } from './domain/billing-customer.repository.js';
import {
  PaymentProvider,
  type CheckoutId,
  type CustomerId,
  type Invoice,
  type ProviderEvent,
  type Purchase,
} from './domain/payment-provider.js';
import { isLive } from './domain/subscription.js';
import { parsedUrl } from '../../../kernel/text/parsed-url.js';
import { HOUR_MS } from '../../../kernel/durations.js';

/** A purchase request. URLs as submitted; null: the default. */
export interface SubscribeInput {
  tier: TierName;
  successUrl: string | null;
  cancelUrl: string | null;
}

/**
 * Derives the idempotency key of a provider call from that of the request, by purpose; null: the
 * request had none.
 */
export type DeriveIdempotencyKey = (purpose: string) => string | null;

@Injectable()
export class BillingService {
  constructor(
    private readonly provider: PaymentProvider,
    private readonly customers: BillingCustomerRepository,
    private readonly teams: TeamsService,
    private readonly config: Config,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  get isConfigured(): boolean {
    return this.provider.isConfigured;
  }

  /**
   * Opens a checkout for the tier. A team with a subscription is sent to the portal instead, since a
   * second subscription would be charged in addition. For the same reason earlier checkouts of the team end.
   *
   * @returns a URL. @throws BillingUnconfigured; InvalidRequest for a tier that is not sold, or a return
   * URL that is not allowed.
   */
  async subscribe(
    { teamId }: Principal,
    input: SubscribeInput,
    deriveKey: DeriveIdempotencyKey,
  ): Promise<string> {
    this.requireConfigured();
    const { tier } = input;
    this.requireOnSale(tier);
    const successUrl = this.returnUrlOf(input.successUrl, '/success_url');
    const cancelUrl = this.returnUrlOf(input.cancelUrl, '/cancel_url');
    const customer = await this.customers.findByTeam(teamId);
    const subscriptions = customer && (await this.provider.subscriptions(customer.customerId));
    if (customer !== null && subscriptions?.some(isLive))
      return this.provider.openPortal(customer.customerId, successUrl, deriveKey('portal'));
    if (customer !== null && subscriptions === null) await this.customers.delete(customer.customerId);
    const customerId =
      customer && subscriptions ? customer.customerId : await this.newCustomer(teamId, customer?.customerId);
    const purchase: Purchase = { teamId, customerId, tier, successUrl, cancelUrl };
    const checkout = await this.provider.openCheckout(purchase, deriveKey('checkout'));
    if (await this.endEarlier(customerId, checkout.id)) {
      await this.provider.endCheckout(checkout.id);
      return this.provider.openPortal(customerId, successUrl, deriveKey('portal'));
    }
    await this.work.run(() =>
      this.audit.record({ action: 'billing.checkout_opened', teamId, target: { type: 'tier', id: tier } }),
    );
    return checkout.url;
  }

  /**
   * Ends the checkouts that the customer has opened before this one. Two could both be paid.
   *
   * @returns whether one of them was paid meanwhile.
   */
  private async endEarlier(customer: CustomerId, checkout: CheckoutId): Promise<boolean> {
    let areEnded = true;
    for (const earlier of await this.customers.addCheckout(customer, checkout)) {
      if (!(await this.provider.endCheckout(earlier))) areEnded = false;
      await this.customers.deleteCheckout(customer, earlier);
    }
    return !areEnded && ((await this.provider.subscriptions(customer)) ?? []).some(isLive);
  }

  /** @returns a URL. @throws BillingUnconfigured, NoBillingCustomer, InvalidRequest */
  async portal(
    { teamId }: Principal,
    returnUrl: string | null,
    deriveKey: DeriveIdempotencyKey,
  ): Promise<string> {
    this.requireConfigured();
    const url = this.returnUrlOf(returnUrl, '/return_url');
    const customer = await this.customers.findByTeam(teamId);
    if (customer === null) throw new NoBillingCustomer();
    return this.provider.openPortal(customer.customerId, url, deriveKey('portal'));
  }

  /** Newest first; empty when billing is not configured or the team has no customer. */
  async invoices({ teamId }: Principal, page: PageRequest): Promise<Page<Invoice>> {
    const customer = this.provider.isConfigured ? await this.customers.findByTeam(teamId) : null;
    return customer === null ? { items: [], next: null } : this.provider.invoices(customer.customerId, page);
  }

  /** Receives a webhook event of the provider. @throws InvalidSignature, InvalidEvent */
  async receive(signature: string, body: Uint8Array): Promise<void> {
    const now = this.clock.now();
    const event = this.readEvent(body, signature, now);
    const isNew = await this.work.run(() => this.customers.addEvent(event, now));
    this.meter.count('rcpt_payment_events_total', isNew ? 'accepted' : 'ignored');
  }

  private readEvent(body: Uint8Array, signature: string, now: Date): ProviderEvent {
    try {
      return this.provider.readEvent(body, signature, now);
    } catch (error) {
      const outcome = error instanceof InvalidSignature ? 'invalid_signature' : 'invalid_event';
      this.meter.count('rcpt_payment_events_total', outcome);
      throw error;
    }
  }

  /**
   * The customer is stored before anything can be bought: events of an unknown customer would be lost.
   *
   * @param previous the previous customer, which the provider has deleted.
   */
  private async newCustomer(teamId: TeamId, previous = 'none'): Promise<CustomerId> {
    const now = this.clock.now();
    // Contains the hour, since a provider repeats even its own failure for the same key.
    const contact = await this.teams.billingContact(teamId);
    const hour = Math.floor(now.getTime() / HOUR_MS);
    // And the contact, since a provider refuses a key that was used with other parameters.
    const digest = createHash('sha256').update(JSON.stringify(contact)).digest('hex').slice(0, 16);
    const key = `rcpt-customer-${teamId}-${previous}-${hour}-${digest}`;
    const customerId = await this.provider.createCustomer(teamId, key, contact);
    return this.work.run(() => this.customers.add(teamId, customerId, nextSyncAt(now, null)));
  }

  private requireConfigured(): void {
    if (!this.provider.isConfigured) throw new BillingUnconfigured();
  }

  private requireOnSale(tier: TierName): void {
    const { tiersOnSale } = this.provider;
    if (tiersOnSale.includes(tier)) return;
    const message =
      tiersOnSale.length === 0 ? 'No tier is for sale here.' : `Send one of ${tiersOnSale.join(', ')}.`;
    throw new InvalidRequest([{ pointer: '/tier', code: 'not_for_sale', message }]);
  }

  private returnUrlOf(text: string | null, pointer: string): string {
    const { publicUrl, redirectOrigins } = this.config;
    if (text === null) return `${publicUrl}/console`;
    const origins = [new URL(publicUrl).origin, ...redirectOrigins];
    const url = parsedUrl(text);
    if (url !== null && isReturnUrl(url, origins)) return url.href;
    const message = `Send a URL of ${origins.join(' or ')}; the operator allows others with REDIRECT_ORIGINS.`;
    throw new InvalidRequest([{ pointer, code: 'origin_not_allowed', message }]);
  }
}

function isReturnUrl({ protocol, username, password, origin }: URL, origins: readonly string[]): boolean {
  // The protocol too: the origin of a blob URL is that of its page.
  return /^https?:$/.test(protocol) && username === '' && password === '' && origins.includes(origin);
}
