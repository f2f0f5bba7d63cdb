import { Stripe } from 'stripe';
import type { DomainError } from '../../../kernel/errors.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../domain/billing.errors.js';

/** `fields` are details for the operator. Never the message, which may contain part of a key or of the request. */
export interface TranslatedError {
  error: DomainError;
  fields: Record<string, unknown>;
}

/** Maps Stripe's errors. Connection errors, rate limits and Stripe's own failures are temporary. */
export function translateError(thrown: unknown): TranslatedError | null {
  if (!(thrown instanceof Stripe.errors.StripeError)) return null;
  const fields = {
    provider_request_id: thrown.requestId,
    provider_status: thrown.statusCode,
    provider_error: thrown.type,
    provider_code: thrown.code,
    provider_param: thrown.param,
  };
  const temporary =
    thrown instanceof Stripe.errors.StripeConnectionError ||
    thrown instanceof Stripe.errors.StripeRateLimitError ||
    thrown instanceof Stripe.errors.StripeAPIError;
  return { error: temporary ? new PaymentProviderUnavailable() : new PaymentProviderRefused(), fields };
}
