import { z } from 'zod';
import { listOf } from '../../platform/http/cursor.js';
import type { Invoice } from './domain/payment-provider.js';

const PlaceField = z
  .string('Send a URL.')
  .min(1, 'Send a URL.')
  .max(2_000, 'Send at most 2,000 characters.')
  .optional();

export const BillingSubscribe = z
  .strictObject({
    tier: z
      .string('Send the name of a tier.')
      .min(1, 'Send the name of a tier.')
      .max(40, 'A tier’s name has at most 40 characters.')
      .meta({ description: 'One that the operator sells.', example: 'growth' }),
    success_url: PlaceField.meta({
      description:
        'Where the buyer goes then: a URL of an origin that the operator allows. Default: this service.',
    }),
    cancel_url: PlaceField.meta({ description: 'Where they go who turn back; likewise.' }),
  })
  .meta({ id: 'BillingSubscribe' });

export const BillingPortalRequest = z
  .strictObject({
    return_url: PlaceField.meta({
      description: 'Where they go then: a URL of an origin that the operator allows. Default: this service.',
    }),
  })
  .meta({ id: 'BillingPortalRequest' });

export const BillingLink = z.strictObject({ url: z.url() }).meta({ id: 'BillingLink' });
export type BillingLink = z.infer<typeof BillingLink>;

export const InvoiceResponse = z
  .strictObject({
    id: z.string(),
    number: z.string().nullable(),
    status: z.string().nullable().meta({ description: '`draft`, `open`, `paid`, `uncollectible`, `void`.' }),
    amount_due: z.int().meta({ description: 'In the smallest unit of the currency.' }),
    amount_paid: z.int().meta({ description: 'In the smallest unit of the currency.' }),
    currency: z.string().meta({ description: 'ISO 4217, in lower case.' }),
    created_at: z.iso.datetime(),
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime(),
    hosted_url: z.string().nullable().meta({ description: 'Where it is read, and paid.' }),
    pdf_url: z.string().nullable(),
  })
  .meta({ id: 'Invoice' });
export type InvoiceResponse = z.infer<typeof InvoiceResponse>;

export const InvoicePage = listOf(InvoiceResponse).meta({ id: 'InvoicePage' });
export type InvoicePage = z.infer<typeof InvoicePage>;

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
