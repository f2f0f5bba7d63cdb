import { EntitySchema } from 'typeorm';
import type { BillingCustomer } from '../domain/billing-customer.js';

/** A customer at the payment provider, and the state of its subscription. */
export interface BillingCustomerRow extends BillingCustomer {
  /** null: only an event makes it due; `-infinity` (read as a number): at once. */
  dueAt: Date | number | null;
  /** Checkouts in which the customer may still pay, oldest first. */
  openCheckouts: string[];
}

export const BillingCustomerRowSchema = new EntitySchema<BillingCustomerRow>({
  name: 'BillingCustomerRow',
  tableName: 'billing_customers',
  columns: {
    customerId: { name: 'customer_id', type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    tier: { type: 'text', nullable: true },
    state: { type: 'text', nullable: true },
    endsAt: { name: 'ends_at', type: 'timestamptz', nullable: true },
    teamGoneAt: { name: 'team_gone_at', type: 'timestamptz', nullable: true },
    version: { type: 'bigint', default: 0 },
    failures: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz', nullable: true },
    openCheckouts: { name: 'open_checkouts', type: 'text', array: true, default: '{}' },
  },
});
