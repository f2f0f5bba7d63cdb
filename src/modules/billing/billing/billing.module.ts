import { Module } from '@nestjs/common';
import { Meter } from '../../../kernel/meter.js';
import { Pause } from '../../../kernel/service-state/pause.js';
import { Config, ConfigError } from '../../../platform/config/config.js';
import { Log } from '../../../platform/telemetry/log.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';
import { NoPaymentProvider } from './adapters/no-payment-provider.js';
import { PostgresBillingCustomerRepository } from './adapters/postgres-billing-customer.repository.js';
import { BillingController } from './billing.controller.js';
import { BillingService } from './billing.service.js';
import { BillingCustomerRepository } from './domain/billing-customer.repository.js';
import { PaymentProvider } from './domain/payment-provider.js';
import { PlansService } from './plans.service.js';
import { PricesService } from './prices.service.js';
import { ProviderEventsController } from './provider-events.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';

@Module({
  imports: [TeamsModule, TiersModule],
  controllers: [BillingController, ProviderEventsController],
  providers: [
    BillingService,
    SubscriptionsService,
    PricesService,
    PlansService,
    { provide: BillingCustomerRepository, useClass: PostgresBillingCustomerRepository },
    {
      provide: PaymentProvider,
      useFactory: async (
        { billing }: Config,
        tiers: TiersService,
        log: Log,
        meter: Meter,
        pause: Pause,
      ): Promise<PaymentProvider> => {
        if (billing === null) return new NoPaymentProvider();
        refuseUnknownTiers(billing.prices, tiers.names());
        // Loaded only if billing is configured, because the library is large.
        const { StripePaymentProvider } = await import('./adapters/stripe-payment-provider.js');
        return new StripePaymentProvider(billing, log, meter, pause);
      },
      inject: [Config, TiersService, Log, Meter, Pause],
    },
  ],
  exports: [SubscriptionsService, PricesService],
})
export class BillingModule {}

/** @throws ConfigError when STRIPE_PRICES names a tier that does not exist. */
function refuseUnknownTiers(prices: readonly { tier: string }[], known: readonly string[]): void {
  const unknown = prices.find(({ tier }) => !known.includes(tier) || tier === 'suspended');
  if (unknown === undefined) return;
  const sellable = known.filter((tier) => tier !== 'suspended').join(', ');
  throw new ConfigError(
    `STRIPE_PRICES sells ${unknown.tier}, which is no tier to sell; there are ${sellable}.`,
  );
}
