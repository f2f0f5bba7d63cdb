import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class InvalidIdempotencyKey extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_idempotency_key',
    status: 400,
    title: 'The Idempotency-Key is not valid',
    detail: 'Send one Idempotency-Key of 1–255 printable ASCII characters, with or without double quotes.',
    help: 'Send one header of 1–255 printable ASCII characters, with or without double quotes (RFC 9651 §3.3.3). Use a new UUID for each operation.',
  };
}

export class IdempotencyKeyReused extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'idempotency_key_reused',
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    detail: 'This key was used with another path, query or body, or other scopes. Send a new key.',
    help: 'For 24 hours a key identifies one path with the parameters of its query, one body, byte for byte, and the scopes of the credential that sent it. Send a new key with a new request.',
  };
}

export class IdempotencyInProgress extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'idempotency_in_progress',
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    detail: 'The first request with this key is still running. Send this one again after Retry-After.',
    help: 'Send the same request again after `Retry-After` to get the response of the first one.',
    retryAfter: 1,
  };
}
