import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class KeyNotActive extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'key_not_active',
    status: 409,
    title: 'The key is no longer valid',
    detail: 'The key is revoked or expired; create a new one.',
    help: 'A revoked or expired key cannot be rotated. Create a new one.',
  };
}
