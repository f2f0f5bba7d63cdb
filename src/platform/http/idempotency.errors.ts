import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class InvalidIdempotencyKey extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_idempotency_key',
    kind: 'invalid',
    title: 'The Idempotency-Key cannot be read',
    help: 'Send one header of 1–255 printable ASCII characters, as they are or in double quotes (RFC 9651 §3.3.3); a new UUID for each thing to be done is a good key.',
  };
  constructor() {
    super('Send one Idempotency-Key of 1–255 printable ASCII characters, as they are or in double quotes.');
  }
}

export class IdempotencyKeyReused extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'idempotency_key_reused',
    kind: 'unprocessable',
    title: 'The Idempotency-Key belongs to another request',
    help: 'Within 24 hours a key stands for one path and one body, byte for byte. Send a new key with a new request.',
  };
  constructor() {
    super('This key was sent with another path or body; send a new one.');
  }
}

export class IdempotencyInProgress extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'idempotency_in_progress',
    kind: 'conflict',
    title: 'The first request with this Idempotency-Key still runs',
    help: 'Send the same request again after `Retry-After`: it is then answered like the first.',
  };
  override readonly retryAfter = 1;
  constructor() {
    super('The first request with this key still runs; send this one again in a moment.');
  }
}
