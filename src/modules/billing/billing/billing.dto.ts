import { pageOf } from '../../../platform/http/paging/cursor.js';
import {
  Flag,
  Link,
  ListOf,
  ObjectOf,
  Schema,
  SomeOf,
  Text,
  Time,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import { FEATURES, type Feature } from '../../../kernel/principal.js';
import type { Invoice, TierPrice } from './domain/payment-provider.js';
import type { Plan } from './plans.service.js';

const Destination = (description: string) =>
  Text({
    optional: true,
    min: 1,
    max: 2_000,
    message: 'Send a URL.',
    tooLong: 'Send at most 2,000 characters.',
    format: 'uri',
    description,
    example: 'https://app.example.com/billing',
  });

@Schema('BillingSubscribe')
export class BillingSubscribe {
  @Text({
    min: 1,
    max: 40,
    message: 'Send the name of a tier.',
    tooLong: 'The name of a tier has at most 40 characters.',
    description: 'A tier that the operator sells.',
    example: 'growth',
  })
  tier: string;

  @Destination(
    'The URL after a successful checkout; its origin must be allowed by the operator. Default: this service.',
  )
  success_url?: string;

  @Destination(
    'The URL after a canceled checkout; its origin must be allowed by the operator. Default: this service.',
  )
  cancel_url?: string;
}

@Schema('BillingPortalRequest')
export class BillingPortalRequest {
  @Destination('The URL after the portal; its origin must be allowed by the operator. Default: this service.')
  return_url?: string;
}

@Schema('BillingLink')
export class BillingLink {
  @Link({ example: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3' })
  url: string;
}

@Schema('PlanPrice')
export class PlanPriceResponse {
  @WholeNumber({ description: 'In the smallest unit of the currency, before taxes.', example: 4900 })
  amount: number;

  @Text({ description: 'ISO 4217, in lower case.', example: 'eur' })
  currency: string;

  @Text({ description: '`day`, `week`, `month` or `year`.', example: 'month' })
  interval: string;

  @WholeNumber({ description: 'The number of intervals between two payments.', example: 1 })
  interval_count: number;
}

@Schema('Plan')
export class PlanResponse {
  @Text({ description: 'Its name, for `POST /v1/billing/subscribe`.', example: 'growth' })
  tier: string;

  @Flag({ description: 'The plan of the team.' })
  is_current: boolean;

  @WholeNumber({
    nullable: true,
    description: 'Verifications in a UTC day; null: no limit.',
    example: 10_000,
  })
  daily_quota: number | null;

  @WholeNumber({ nullable: true, description: 'In the long run; null: no limit.', example: 25 })
  requests_per_second: number | null;

  @WholeNumber({ description: 'Rows in a list; 0: no lists.', example: 10_000 })
  bulk_limit: number;

  @WholeNumber({ description: 'Days for which results are stored at most.', example: 30 })
  retention_days: number;

  @SomeOf(FEATURES, { none: null, description: 'What it includes.' })
  features: readonly Feature[];

  @ObjectOf(() => PlanPriceResponse, {
    nullable: true,
    description:
      'As Stripe states it, at most an hour old; null: not on sale, without a fixed price, or Stripe has not answered.',
  })
  price: PlanPriceResponse | null;
}

@Schema('PlanList')
export class PlanList {
  @ListOf(() => PlanResponse)
  data: PlanResponse[];
}

export function toPlanResponse(plan: Plan): PlanResponse {
  return {
    tier: plan.tier,
    is_current: plan.isCurrent,
    daily_quota: plan.dailyQuota,
    requests_per_second: plan.requestsPerSecond,
    bulk_limit: plan.bulkLimit,
    retention_days: plan.retentionDays,
    features: plan.features,
    price: plan.price && toPriceResponse(plan.price),
  };
}

function toPriceResponse({ amount, currency, interval, intervalCount }: TierPrice): PlanPriceResponse {
  return { amount, currency, interval, interval_count: intervalCount };
}

@Schema('Invoice')
export class InvoiceResponse {
  @Text({ example: 'in_1SVfYt2eZvKYlo2C' })
  id: string;

  @Text({ nullable: true, example: 'ACME-0001' })
  number: string | null;

  @Text({ nullable: true, description: '`draft`, `open`, `paid`, `uncollectible`, `void`.', example: 'paid' })
  status: string | null;

  @WholeNumber({ description: 'In the smallest unit of the currency.', example: 4900 })
  amount_due: number;

  @WholeNumber({ description: 'In the smallest unit of the currency.', example: 4900 })
  amount_paid: number;

  @Text({ description: 'ISO 4217, in lower case.', example: 'eur' })
  currency: string;

  @Time()
  created_at: string;

  @Time({ example: '2026-10-21T12:00:00.000Z' })
  period_start: string;

  @Time()
  period_end: string;

  @Text({ nullable: true, description: 'The page of the invoice, with payment.' })
  hosted_url: string | null;

  @Text({ nullable: true })
  pdf_url: string | null;
}

@Schema('InvoicePage')
export class InvoicePage extends pageOf(InvoiceResponse) {}

export function toResponse(invoice: Invoice): InvoiceResponse {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    amount_due: invoice.amountDue,
    amount_paid: invoice.amountPaid,
    currency: invoice.currency,
    created_at: invoice.createdAt.toISOString(),
    period_start: invoice.periodStart.toISOString(),
    period_end: invoice.periodEnd.toISOString(),
    hosted_url: invoice.hostedUrl,
    pdf_url: invoice.pdfUrl,
  };
}
