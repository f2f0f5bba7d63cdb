import { DomainError, type ErrorDefinition } from '../../kernel/errors.js';

export class KeyNotActive extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'key_not_active',
    kind: 'conflict',
    title: 'The key is no longer valid',
    detail: 'The key is revoked or expired; create a new one.',
    help: 'A revoked or expired key cannot be rotated. Create a new one.',
  };
}
