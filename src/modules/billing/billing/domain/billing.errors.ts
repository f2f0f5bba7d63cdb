import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

export class BillingUnconfigured extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'billing_unconfigured',
    status: 503,
    title: 'Billing is not configured',
    detail: 'This service has no payment provider; its operator assigns tiers.',
    help: 'The operator of this service has not configured a payment provider, and assigns tiers manually.',
  };
}

export class NoBillingCustomer extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'no_billing_customer',
    status: 404,
    title: 'The team has never subscribed',
    detail: 'The team has never subscribed. Start with POST /v1/billing/subscribe.',
    help: 'There is no subscription to manage. Start with `POST /v1/billing/subscribe`.',
  };
}

export class PaymentProviderUnavailable extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'payment_provider_unavailable',
    status: 502,
    title: 'The payment provider is not available',
    detail: 'The payment provider is not available. Try again after Retry-After.',
    help: 'It could not be reached, timed out or returned an error. Nothing was bought. Try again after `Retry-After`.',
    retryAfter: 10,
  };
}

export class PaymentProviderRefused extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'payment_provider_refused',
    status: 502,
    title: 'The payment provider rejected the request',
    detail: 'The payment provider rejected the request. The log contains the reason.',
    help: 'The operator has to correct the configuration. The log contains the reason under `request_id`. A retry does not help.',
  };
}

export class MissingSignature extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'missing_signature',
    status: 400,
    title: 'The event is not signed',
    detail: 'There is no Stripe-Signature header.',
    help: 'Events of the payment provider have the header `Stripe-Signature`.',
  };
}

export class InvalidSignature extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_signature',
    status: 401,
    title: 'The signature is invalid',
    detail: 'The signature does not match the body and the secret, or is more than 5 minutes old.',
    help: 'It was created with another secret than `STRIPE_WEBHOOK_SECRET`, for another body, or more than 5 minutes ago; or no secret is configured. The provider sends the event again.',
  };
}

export class InvalidEvent extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_event',
    status: 400,
    title: 'The event is invalid',
    detail: 'The body is signed, but is not a JSON object with an id and a type.',
    help: 'The body is signed, but is not a JSON object with an `id` and a `type`.',
  };
}
