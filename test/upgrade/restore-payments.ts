import type { ReleaseRecord } from './release-files.js';
import type { ReleaseWorld } from './release-world.js';

/** The payment provider still has the objects that the release made. */
export function restorePayments({ stripe }: ReleaseWorld, { stripe: kept }: ReleaseRecord): void {
  for (const [id, customer] of kept.customers) stripe.customers.set(id, customer as never);
  for (const [id, subscription] of kept.subscriptions) stripe.subscriptions.set(id, subscription as never);
  stripe.invoices.push(...(kept.invoices as never[]));
}
