import { Stripe } from 'stripe';
import type { DomainError } from '../../../kernel/domain-error.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../billing.errors.js';

/** What the operator is told. Never the message: it may quote a part of a key, or what was sent. */
export interface StripeFault {
  error: DomainError;
  facts: Record<string, unknown>;
}

/** Stripe's errors in our words. Those that waiting may cure: the connection, its limits, its own failures. */
export function stripeFault(thrown: unknown): StripeFault | null {
  if (!(thrown instanceof Stripe.errors.StripeError)) return null;
  const facts = {
    provider_request_id: thrown.requestId,
    provider_status: thrown.statusCode,
    provider_error: thrown.type,
    provider_code: thrown.code,
    provider_param: thrown.param,
  };
  const passing =
    thrown instanceof Stripe.errors.StripeConnectionError ||
    thrown instanceof Stripe.errors.StripeRateLimitError ||
    thrown instanceof Stripe.errors.StripeAPIError;
  return { error: passing ? new PaymentProviderUnavailable() : new PaymentProviderRefused(), facts };
}
