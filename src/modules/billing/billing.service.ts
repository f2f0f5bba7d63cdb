import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import type { Principal, TeamId, TierName } from '../../kernel/principal.js';
import { Meter } from '../../kernel/meter.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { InvalidSignature, NoBillingCustomer } from './billing.errors.js';
import { askedNext } from './domain/billing-customer.js';
import { BillingCustomerRepository } from './domain/billing-customer.repository.js';
import { PaymentProvider, type CustomerId, type Invoice, type Purchase } from './domain/payment-provider.js';
import { redirectTo } from './domain/redirect.js';
import { isLive } from './domain/subscription.js';

/** What billing is told by whoever wires it. */
export abstract class BillingSettings {
  /** Where buyers come back to who have named no other place. */
  abstract readonly home: string;
  /** Where they may be sent. */
  abstract readonly origins: readonly string[];
  abstract readonly graceMs: number;
}

/** What a team wants to buy. URLs as they were sent; null: our own. */
export interface Order {
  tier: TierName;
  successUrl: string | null;
  cancelUrl: string | null;
}

/** What a call to the provider derives its own idempotency key from, by purpose; null: it came without one. */
export type Once = (purpose: string) => string | null;

const HOUR_MS = 3_600_000;

/** What a team buys, and where it manages that. */
@Injectable()
export class BillingService {
  constructor(
    private readonly provider: PaymentProvider,
    private readonly customers: BillingCustomerRepository,
    private readonly settings: BillingSettings,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /** Turned down before anything of a request is read. */
  get isConfigured(): boolean {
    return this.provider.isConfigured;
  }

  /**
   * Where the team buys the tier. One that has a subscription is sent to where it changes it: a
   * second one would be paid for beside the first.
   *
   * @returns a URL. @throws InvalidRequest for a tier that is not sold, or a place that nobody may be sent to.
   */
  async subscribe({ teamId }: Principal, order: Order, once: Once): Promise<string> {
    const { tier } = order;
    this.requireOnSale(tier);
    const successUrl = this.place(order.successUrl, '/success_url');
    const cancelUrl = this.place(order.cancelUrl, '/cancel_url');
    const known = await this.customers.ofTeam(teamId);
    const bought = known && (await this.provider.subscriptions(known.customerId));
    if (known !== null && bought?.some(isLive))
      return this.provider.openPortal(known.customerId, successUrl, once('portal'));
    if (known !== null && bought === null) await this.customers.forget(known.customerId);
    const customerId = known && bought ? known.customerId : await this.newCustomer(teamId, known?.customerId);
    const purchase: Purchase = { teamId, customerId, tier, successUrl, cancelUrl };
    const url = await this.provider.openCheckout(purchase, once('checkout'));
    await this.work.run(() =>
      this.audit.record({ action: 'billing.checkout_opened', teamId, target: { type: 'tier', id: tier } }),
    );
    return url;
  }

  /** @returns a URL. @throws NoBillingCustomer, InvalidRequest */
  async portal({ teamId }: Principal, returnUrl: string | null, once: Once): Promise<string> {
    const place = this.place(returnUrl, '/return_url');
    const known = await this.customers.ofTeam(teamId);
    if (known === null) throw new NoBillingCustomer();
    return this.provider.openPortal(known.customerId, place, once('portal'));
  }

  /** Newest first; none where nothing is sold or the team has never bought. */
  async invoices({ teamId }: Principal, page: PageRequest): Promise<Page<Invoice>> {
    const known = this.isConfigured ? await this.customers.ofTeam(teamId) : null;
    return known === null ? { items: [], next: null } : this.provider.invoices(known.customerId, page);
  }

  /**
   * The provider's news, as it was signed.
   *
   * @param body is read only when the signature may be good. @throws InvalidSignature, InvalidEvent
   */
  async receive(signature: string, body: () => Promise<Uint8Array>): Promise<void> {
    this.counted(() => this.provider.checkSignature(signature, this.clock.now()));
    const bytes = await body();
    const now = this.clock.now();
    const event = this.counted(() => this.provider.readEvent(bytes, signature, now));
    const isNews = await this.work.run(() => this.customers.receive(event, now));
    this.meter.count('rcpt_payment_events_total', isNews ? 'kept' : 'nothing_new');
  }

  /** What is refused shows in the metrics. */
  private counted<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const outcome = error instanceof InvalidSignature ? 'invalid_signature' : 'invalid_event';
      this.meter.count('rcpt_payment_events_total', outcome);
      throw error;
    }
  }

  /**
   * Stored before anything can be bought: of a customer we do not know, news would be nobody's.
   *
   * @param gone the one before, whom the provider has deleted.
   */
  private async newCustomer(teamId: TeamId, gone = 'none'): Promise<CustomerId> {
    const now = this.clock.now();
    // By the hour, since a provider repeats even its own failure under the same key.
    const once = `rcpt-customer-${teamId}-${gone}-${Math.floor(now.getTime() / HOUR_MS)}`;
    const customerId = await this.provider.createCustomer(teamId, once);
    return this.work.run(() => this.customers.add(teamId, customerId, askedNext(now, null)));
  }

  private requireOnSale(tier: TierName): void {
    const { tiersOnSale } = this.provider;
    if (tiersOnSale.includes(tier)) return;
    const message =
      tiersOnSale.length === 0 ? 'No tier is for sale here.' : `Send one of ${tiersOnSale.join(', ')}.`;
    throw new InvalidRequest([{ pointer: '/tier', code: 'not_for_sale', message }]);
  }

  private place(written: string | null, pointer: string): string {
    const { home, origins } = this.settings;
    if (written === null) return home;
    const place = redirectTo(written, origins);
    if (place !== null) return place;
    const message = `Send a URL of ${origins.join(' or ')}; the operator allows others with REDIRECT_ORIGINS.`;
    throw new InvalidRequest([{ pointer, code: 'origin_not_allowed', message }]);
  }
}
