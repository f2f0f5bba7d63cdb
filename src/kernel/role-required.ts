import { DomainError, type ErrorFact } from './domain-error.js';
import type { Role } from './principal.js';

export class RoleRequired extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'role_required',
    kind: 'forbidden',
    title: 'Your role does not allow this',
    help: '`required_role` is the least role in the team that may do this; null: no role may, only the user whose key it is.',
  };
  override readonly members: Readonly<Record<string, unknown>>;

  /** @param required null: no role is enough; then the detail says who may. */
  constructor(required: Role | null, detail = `This takes the role ${required}.`) {
    super(detail);
    this.members = { required_role: required };
  }
}
