import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class AlreadyOverridden extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'already_overridden',
    status: 409,
    title: 'The team has an override for this domain',
    help: 'A team has at most one override for a domain. Delete it before you add another one.',
  };
}
