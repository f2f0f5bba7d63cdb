import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class BillingUnconfigured extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'billing_unconfigured',
    kind: 'unavailable',
    title: 'Nothing is sold here',
    help: 'The operator of this service has set up no payment provider. Tiers are theirs to give.',
  };
  constructor() {
    super('This service is run without a payment provider; its operator gives out the tiers.');
  }
}

export class NoBillingCustomer extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'no_billing_customer',
    kind: 'not-found',
    title: 'The team has never subscribed',
    help: 'There is nothing to manage yet. Begin with `POST /v1/billing/subscribe`.',
  };
  constructor() {
    super('The team has never subscribed; begin with POST /v1/billing/subscribe.');
  }
}

export class PaymentProviderUnavailable extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'payment_provider_unavailable',
    kind: 'upstream-failed',
    title: 'The payment provider does not answer',
    help: 'It is out of reach, too slow, too busy, or failed itself. Nothing was bought; try again after `Retry-After`.',
  };
  override readonly retryAfter = 10;
  constructor() {
    super('The payment provider does not answer as it should. Try again soon.');
  }
}

export class PaymentProviderRefused extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'payment_provider_refused',
    kind: 'upstream-failed',
    title: 'The payment provider refused',
    help: 'It did not take what we asked of it, which is for the operator to put right: the log says why, under `request_id`. Trying again does not help.',
  };
  constructor() {
    super('The payment provider did not take our request; the operator finds the reason in the log.');
  }
}

export class MissingSignature extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'missing_signature',
    kind: 'invalid',
    title: 'The event is not signed',
    help: 'Events of the payment provider carry the header `Stripe-Signature`.',
  };
  constructor() {
    super('There is no Stripe-Signature header.');
  }
}

export class InvalidSignature extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_signature',
    kind: 'unauthenticated',
    title: 'The signature is not good',
    help: 'It was made with another secret than `STRIPE_WEBHOOK_SECRET`, over other bytes, or more than 5 minutes ago; or no secret is set here. The provider sends the event again.',
  };
  constructor() {
    super('The signature does not fit the body and our secret, or is more than 5 minutes old.');
  }
}

export class InvalidEvent extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_event',
    kind: 'invalid',
    title: 'This is no event',
    help: 'The body is signed, but is no JSON object with an `id` and a `type`.',
  };
  constructor() {
    super('The body is signed, but is no JSON object with an id and a type.');
  }
}
