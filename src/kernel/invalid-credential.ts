import { DomainError, type ErrorFact } from './domain-error.js';

/** Also the answer when the team of a key, or its user, was erased while the key was still remembered. */
export class InvalidCredential extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_credential',
    kind: 'unauthenticated',
    title: 'The key is not good',
    help: 'It is misspelt, unknown, revoked or expired, or its user left the team; the answer is the same for all of these.',
  };
  constructor() {
    super(
      'The key is misspelt, unknown, revoked or expired. It goes into the header Authorization, after Bearer.',
    );
  }
}
