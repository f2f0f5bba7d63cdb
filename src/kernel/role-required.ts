import { DomainError, type ErrorFact } from './domain-error.js';
import type { Role } from './language.js';

export class RoleRequired extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'role_required',
    kind: 'forbidden',
    title: 'Your role does not allow this',
    help: '`required_role` is the least role in the team that may do this.',
  };
  override readonly members: Readonly<Record<string, unknown>>;
  constructor(required: Role) {
    super(`This takes the role ${required}.`);
    this.members = { required_role: required };
  }
}
