import { DomainError, type ErrorDefinition } from './domain-error.js';

/** Also returned when the team or user of a key was erased while the key was still cached. */
export class InvalidCredential extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_credential',
    kind: 'unauthenticated',
    title: 'The key is not valid',
    detail:
      'The key is malformed, unknown, revoked or expired. Send it in the header Authorization, after Bearer.',
    help: 'The key is malformed, unknown, revoked or expired, or its user has left the team. The response is the same in all these cases.',
  };
}
