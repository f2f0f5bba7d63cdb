/** The objects of the fake payment provider, and their format at Stripe. */

export interface FakeSubscription {
  id: string;
  customer: string;
  price: string;
  status: string;
  created: number;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  period: [start: number, end: number];
}

export interface FakeInvoice {
  id: string;
  customer: string;
  subscription: string | null;
  status: string;
  created: number;
  finalized_at: number | null;
  attempted: boolean;
}

export interface Answer {
  status: number;
  body: object;
}

/** An error in Stripe's format. Its message must not be logged or returned. */
export const error = (status: number, type: string, more: object = {}): Answer => ({
  status,
  body: { error: { type, message: 'Something about sk_test_1234 and jane@example.com.', ...more } },
});
export const missing = (param: string) =>
  error(400, 'invalid_request_error', { code: 'resource_missing', param });
/** An object in the path. */
export const notFound = (param: string) =>
  error(404, 'invalid_request_error', { code: 'resource_missing', param });
export function page<T extends { id: string }>(
  query: URLSearchParams,
  all: T[],
  toJson: (item: T) => object,
): Answer {
  const from = all.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const limit = Number(query.get('limit') ?? 10);
  const data = all.slice(from, from + limit).map(toJson);
  return { status: 200, body: { object: 'list', data, has_more: from + limit < all.length } };
}

export function subscriptionJson({ price, period, ...subscription }: FakeSubscription): object {
  const item = { price: { id: price }, current_period_start: period[0], current_period_end: period[1] };
  return { ...subscription, object: 'subscription', items: { object: 'list', data: [item] } };
}

/** A price ending in `_old` is inactive; one ending in `_once` is a one-time price. */
export function priceJson({ id }: { id: string }): object {
  const isOnce = id.endsWith('_once');
  const recurring = isOnce ? null : { interval: 'month', interval_count: 1 };
  const type = isOnce ? 'one_time' : 'recurring';
  const money = { unit_amount: 2_900, currency: 'eur' };
  return { id, object: 'price', active: !id.endsWith('_old'), livemode: false, type, recurring, ...money };
}

export function invoiceJson({ finalized_at, subscription, ...invoice }: FakeInvoice): object {
  const parent = { type: 'subscription_details', subscription_details: { subscription } };
  return {
    ...invoice,
    parent: subscription === null ? null : parent,
    object: 'invoice',
    number: `N-${invoice.id.slice(-4)}`,
    amount_due: 2_900,
    amount_paid: invoice.status === 'paid' ? 2_900 : 0,
    currency: 'eur',
    period_start: invoice.created,
    period_end: invoice.created,
    status_transitions: { finalized_at },
    hosted_invoice_url: `https://invoice.stripe.example/${invoice.id}`,
    invoice_pdf: null,
  };
}

/** Faults of a response. `lost`: the request was executed, but there is no response. */
export type Fault =
  'down' | 'slow' | 'lost' | 'truncated' | 'nonsense' | 429 | 500 | 'card' | 'denied' | 'restricted';

export const ANSWERED_FAULTS: Partial<Record<Fault, Answer>> = {
  restricted: error(403, 'invalid_request_error', { code: 'more_permissions_required' }),
  429: error(429, 'invalid_request_error', { code: 'rate_limit' }),
  500: error(500, 'api_error'),
  card: error(402, 'card_error', { code: 'card_declined' }),
  denied: error(401, 'invalid_request_error'),
};
