import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class AlreadyOverridden extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'already_overridden',
    kind: 'conflict',
    title: 'The team has an override for this domain',
    help: 'A domain has one override in a team. To say the opposite, delete it first.',
  };
  constructor() {
    super('The team has an override for this domain already.');
  }
}
