import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  error,
  invoiceJson,
  page,
  priceJson,
  subscriptionJson,
} from '../../support/billing/fake-stripe-objects.js';

interface Exchange {
  request: { method: string; path: string };
  response: { status: number; body: object };
}

const { exchanges } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../support/recorded/stripe/objects.json'), 'utf8'),
) as { exchanges: Exchange[] };

const recorded = (method: string, path: string) =>
  exchanges.find(({ request }) => request.method === method && request.path.startsWith(path))!.response.body;

/** The paths of the members that the recorded object does not have, or has with another type. null has any. */
function strangersIn(ours: unknown, theirs: unknown, path = ''): string[] {
  if (ours === null || theirs === null) return [];
  if (Array.isArray(ours) && Array.isArray(theirs))
    return strangersIn(ours[0] ?? null, theirs[0] ?? null, `${path}[]`);
  if (typeof ours !== typeof theirs || Array.isArray(ours) !== Array.isArray(theirs)) return [path];
  if (typeof ours !== 'object') return [];
  return Object.entries(ours).flatMap(([name, member]) =>
    name in (theirs as object)
      ? strangersIn(member, (theirs as Record<string, unknown>)[name], `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

const SUBSCRIPTION = {
  ...{ id: 'sub_1', customer: 'cus_1', price: 'price_1', status: 'active', created: 1 },
  ...{ cancel_at_period_end: false, cancel_at: 1, period: [1, 2] as [number, number] },
};
const INVOICE = {
  ...{ id: 'in_1', customer: 'cus_1', subscription: 'sub_1', status: 'paid', created: 1 },
  ...{ finalized_at: 1, attempted: true },
};
const one = (toJson: () => object) => page(new URLSearchParams(), [{ id: 'one' }], toJson).body;

describe('the objects of the fake Stripe have members that Stripe has', () => {
  it.each<[string, object, object]>([
    ['subscription', subscriptionJson(SUBSCRIPTION), recorded('GET', 'subscriptions/')],
    ['canceled subscription', subscriptionJson(SUBSCRIPTION), recorded('DELETE', 'subscriptions/')],
    ['subscriptions', one(() => subscriptionJson(SUBSCRIPTION)), recorded('GET', 'subscriptions?')],
    ['price', priceJson({ id: 'price_1' }), recorded('GET', 'prices/')],
    ['price that is paid once', priceJson({ id: 'price_once' }), recorded('GET', 'prices/')],
    ['prices', one(() => priceJson({ id: 'price_1' })), recorded('GET', 'prices?')],
    ['invoices', one(() => invoiceJson(INVOICE)), recorded('GET', 'invoices')],
    ['customer', { id: 'cus_1', object: 'customer' }, recorded('GET', 'customers/')],
    [
      'deleted customer',
      { id: 'cus_1', object: 'customer', deleted: true },
      recorded('DELETE', 'customers/'),
    ],
    [
      'checkout',
      { id: 'cs_1', object: 'checkout.session', url: 'https://…' },
      recorded('POST', 'checkout/sessions'),
    ],
    [
      'portal',
      { id: 'bps_1', object: 'billing_portal.session', url: 'https://…' },
      recorded('POST', 'billing_portal'),
    ],
    ['error', error(404, 'invalid_request_error').body, recorded('GET', 'nothing')],
  ])('%s', (_, ours, theirs) => {
    expect(strangersIn(ours, theirs)).toEqual([]);
  });
});
