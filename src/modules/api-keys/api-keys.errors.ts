import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class KeyNotActive extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'key_not_active',
    kind: 'conflict',
    title: 'The key is no longer good',
    help: 'A revoked or expired key cannot be rotated: its bearers are shut out already. Create a new one.',
  };
  constructor() {
    super('The key is revoked or expired; create a new one.');
  }
}
