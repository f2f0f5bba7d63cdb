import { DomainError, type ErrorDefinition } from './domain-error.js';
import type { Role } from '../principal.js';

export class RoleRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'role_required',
    kind: 'forbidden',
    title: 'Your role does not allow this',
    help: '`required_role` is the lowest role in the team that may do this; null: only the user who owns the key may.',
  };

  /** @param required null: no role is sufficient; the detail says who may. */
  constructor(required: Role | null, detail = `This requires the role ${required}.`) {
    super(detail, { members: { required_role: required } });
  }
}
